"""Rewrites files in place: all of a run or none, and with a way back."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path

from migrator.discover.paths import Selection
from migrator.discover.walk import folders
from migrator.errors import MigrateError
from migrator.output.journal import (
    JOURNAL,
    FileChange,
    Run,
    forget,
    new_run,
    run_folders,
    runs,
)
from migrator.output.lock import folders_between, lock_files

MAX_RUNS = 10


def base_of(path: Path) -> Path:
    """Return the folder whose journal a path belongs to, without symlinks."""
    real = Path(os.path.realpath(path))
    return real if real.is_dir() else real.parent


def undo_command(path: Path, *options: str) -> str:
    """Return the command that undoes the last run over a path."""
    name = os.fspath(path)
    return shlex.join(["migrate", "undo", *options, f"./{name}" if name.startswith("-") else name])


def replace_all(base: Path, replacements: Sequence[FileChange]) -> None:
    """Replace several files below a folder: all of them, or none.

    Parameters
    ----------
    base : Path
        A folder, without symlinks.
    replacements : sequence of FileChange
        The files, with paths relative to it.

    Raises
    ------
    MigrateError
        If a file changed since it was read, or another run is writing.
    """
    if not replacements:
        return
    with lock_files(base, [item.path for item in replacements]):
        run = new_run(base, replacements)
        try:
            run.replace(replacements)
        except BaseException as error:
            try:
                # what someone else has written meanwhile is theirs
                run.restore(but=run.edited_files())
            except (OSError, MigrateError) as second:
                first = str(error) or type(error).__name__
                raise MigrateError(
                    f"the run failed ({first}), and so did putting the originals back ({second}); "
                    f"do it with: {undo_command(base)}"
                ) from error
            raise
        for folder in run_folders(base)[:-MAX_RUNS]:
            forget(folder)


def interrupted_runs(selection: Selection) -> list[Run]:
    """Return the runs that were interrupted while they wrote files of a selection."""
    base = base_of(selection.root)
    bases = {base, *folders_between(base, selection.chosen)}
    if selection.root.is_dir():
        for name in selection.chosen or ("",):
            bases |= {folder.path for folder in folders(base / name)}
    above = [run for runs_here in base.parents for run in runs(runs_here, pending=True)]
    runs_here = [run for runs_here in sorted(bases) for run in runs(runs_here, pending=True)]
    return [run for run in above if _touches(run, base)] + runs_here


def recover(selection: Selection) -> list[Run]:
    """Put the originals of interrupted runs back, so that a tree is as it was before them.

    Raises
    ------
    MigrateError
        If such a run wrote elsewhere too, or a file was edited since.
    """
    runs_left = interrupted_runs(selection)
    for run in runs_left:
        before = f"a run over {run.base} was interrupted"
        if run.base in base_of(selection.root).parents:
            raise MigrateError(f"{before}; put its files back with: {undo_command(run.base)}")
        with lock_files(run.base, [file.path for file in run.files]):
            # another process may have been faster
            if not run.is_pending:
                continue
            edited = run.edited_files()
            if edited:
                raise MigrateError(
                    f"{before}, and {_names(edited)} edited since; put the originals back, "
                    f"without these edits, with: {undo_command(run.base, '--force')}; or remove "
                    f"{run.folder} to keep the files as they are"
                )
            run.restore()
    return runs_left


def undo(path: Path, *, force: bool) -> Run:
    """Put the originals of the last run over a path back.

    Parameters
    ----------
    path : Path
        The folder of the run, or a file in it.
    force : bool
        Whether files that were edited since are put back too.

    Raises
    ------
    MigrateError
        If there is no such run, or a file was edited since.
    """
    base = base_of(path)
    run = last_run(base)
    with lock_files(base, [file.path for file in run.files]):
        if last_run(base) != run:
            raise MigrateError(f"another run has changed {base} meanwhile; run migrate undo again")
        edited = run.edited_files()
        if edited and not force:
            raise MigrateError(
                f"{_names(edited)} edited since the run of {run.date}; nothing was changed. Put "
                f"the originals back, without these edits, with: {undo_command(base, '--force')}"
            )
        run.restore(force=force)
    return run


def last_run(base: Path) -> Run:
    """Return the run over a folder that is undone first.

    Raises
    ------
    MigrateError
        If there is none.
    """
    all_runs = runs(base, pending=True) or runs(base)
    if all_runs:
        return all_runs[-1]
    # where the user may have meant
    others = [*base.parents, *sorted(p.parent for p in base.glob(f"*/{JOURNAL}"))]
    hints = [f"; {undo_command(p)} undoes one there" for p in others if run_folders(p)]
    raise MigrateError(f"there is no run over {base} to undo{''.join(hints[:3])}")


def _names(paths: list[str]) -> str:
    more = f" and {len(paths) - 5} more" if len(paths) > 5 else ""
    verb = "was" if len(paths) == 1 else "were"
    return f"{', '.join(paths[:5])}{more} {verb}"


def _touches(run: Run, base: Path) -> bool:
    return any((run.base / file.path).is_relative_to(base) for file in run.files)
