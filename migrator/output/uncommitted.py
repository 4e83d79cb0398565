"""Refuses to rewrite files in place while git has changes that are not committed or staged."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Collection
from pathlib import Path

from migrator.discover.git import Git
from migrator.errors import MigrateError
from migrator.model.printable import visible

_SHOWN = 5


def refuse_uncommitted(base: Path, chosen: Collection[str], rewritten: Collection[str]) -> None:
    """Refuse a run whose changes could not be told apart from others; outside git, none is.

    Staged changes do not count: git keeps them apart from those in the working tree.

    Parameters
    ----------
    base : Path
        The folder of the run, without symlinks.
    chosen : collection of str
        The parts of it that were named, relative to it; all of it if empty.
    rewritten : collection of str
        The files that are to be rewritten, relative to it. Of others only those count that git
        knows.

    Raises
    ------
    MigrateError
        If there are such changes, or git cannot tell.
    """
    mine = {base / path for path in rewritten}
    asked: dict[Path, set[Path]] = defaultdict(set)
    for path in (*(base / name for name in chosen or (".",)), *mine):
        if (top := _repository(path)) is not None:
            asked[top].add(path)
    changed, unknown = set(), set()
    for top, paths in asked.items():
        try:
            git = Git(top, "--in-place")
            changes = git.changed_files([os.path.relpath(path, top) for path in sorted(paths)])
        except MigrateError as error:
            raise MigrateError(f"{error}; --allow-dirty does without git") from error
        for name, is_known in changes:
            if is_known:
                changed.add(top / name)
            elif top / name in mine:
                unknown.add(top / name)
    if not changed and not unknown:
        return
    problems = [_list_files("changes are not committed", changed, base)] if changed else []
    problems += [_list_files("files are not in git", unknown, base)] if unknown else []
    raise MigrateError(
        f"--in-place: {'; '.join(problems)}. Commit, stage or stash them, so that git shows what "
        "`migrate` changes, or give --allow-dirty; nothing was written"
    )


def _repository(path: Path) -> Path | None:
    """Return the top of the working tree that has a path, if there is one."""
    above = (path, *path.parents) if path.is_dir() else path.parents
    return next((folder for folder in above if os.path.lexists(folder / ".git")), None)


def _list_files(what: str, files: Collection[Path], base: Path) -> str:
    names = sorted(visible(os.path.relpath(file, base)) for file in files)
    rest = len(names) - _SHOWN
    more = f" and {rest} more" if rest > 0 else ""
    return f"{what}: {', '.join(names[:_SHOWN])}{more}"
