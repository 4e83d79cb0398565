"""Rewrites files in place: all of a run or none, and with a way back."""

from __future__ import annotations

import fcntl
import os
import shlex
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path, PurePath

from migrator.discover.git import Git
from migrator.discover.paths import Selection
from migrator.discover.walk import folders
from migrator.errors import MigrateError
from migrator.model.printable import visible
from migrator.output.journal import (
    JOURNAL,
    FileChange,
    Run,
    forget,
    forget_unfinished,
    new_run,
    run_folders,
    runs,
    write_new,
)

MAX_RUNS = 10
_LOCK, _IGNORE = "lock", ".gitignore"
_SHOWN = 5


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
    with _lock_files(base, [item.path for item in replacements]):
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
    bases = {base, *_folders_between(base, selection.chosen)}
    if selection.root.is_dir():
        for name in selection.chosen or ("",):
            bases |= {folder.path for folder in folders(base / name)}
    above = [
        run
        for parent in base.parents
        for run in runs(parent, pending=True)
        if any((run.base / file.path).is_relative_to(base) for file in run.files)
    ]
    return above + [run for folder in sorted(bases) for run in runs(folder, pending=True)]


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
        with _lock_files(run.base, [file.path for file in run.files]):
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
    run = _last_run(base)
    with _lock_files(base, [file.path for file in run.files]):
        if _last_run(base) != run:
            raise MigrateError(f"another run has changed {base} meanwhile; run migrate undo again")
        edited = run.edited_files()
        if edited and not force:
            raise MigrateError(
                f"{_names(edited)} edited since the run of {run.date}; nothing was changed. Put "
                f"the originals back, without these edits, with: {undo_command(base, '--force')}"
            )
        run.restore(force=force)
    return run


def _last_run(base: Path) -> Run:
    """Return the run over a folder that is undone first."""
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


@contextmanager
def _lock_files(base: Path, files: Iterable[str]) -> Iterator[None]:
    """Make the journal of a folder and keep other runs out of some files below it.

    No other run may write over the folder, one above, or one on the way to these files.
    """
    folder = base / JOURNAL
    handle = _lock_journal(folder)
    try:
        # after our own lock: of two runs that begin together, at least one sees the other
        for other in (*base.parents, *_folders_between(base, files)):
            _refuse_locked(other)
        with suppress(FileExistsError):
            write_new(folder / _IGNORE, b"*\n")
        forget_unfinished(base)
        yield
    finally:
        try:
            if not run_folders(base):
                _remove(folder)
        finally:
            os.close(handle)


def _folders_between(base: Path, files: Iterable[str]) -> set[Path]:
    """Return the folders below one that lead to some paths."""
    return {base / p for file in files for p in PurePath(file).parents if p.parts}


def _lock_journal(folder: Path) -> int:
    """Make a journal and lock it; the descriptor holds the lock."""
    while True:
        try:
            folder.mkdir(exist_ok=True)
            if folder.is_symlink():
                raise MigrateError(f"{folder} is a symlink; remove it")
            try:
                handle = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o666)
            except FileNotFoundError:
                # another run has just removed the folder
                continue
        except OSError as error:
            raise MigrateError(
                f"cannot keep the originals in {folder}: {error.strerror or error}; nothing was "
                f"written: make {folder.parent} writable, or name PATHs below a folder that is"
            ) from error
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(handle), os.stat(folder / _LOCK)):
                    return handle
        except BlockingIOError:
            os.close(handle)
            raise _busy(folder.parent) from None
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)


def _refuse_locked(base: Path) -> None:
    try:
        handle = os.open(base / JOURNAL / _LOCK, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        # there is none, or a private one of another user
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        raise _busy(base) from None
    finally:
        os.close(handle)


def _busy(base: Path) -> MigrateError:
    return MigrateError(
        f"another run of migrate is writing in {base}; nothing was written, run it again"
    )


def _remove(folder: Path) -> None:
    """Remove a journal without runs, unless something else is in it."""
    for name in (_IGNORE, _LOCK):
        (folder / name).unlink(missing_ok=True)
    with suppress(OSError):
        folder.rmdir()


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
