"""Keeps two runs from rewriting the same files."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePath

from migrator.errors import MigrateError
from migrator.output.atomic import write_new
from migrator.output.journal import JOURNAL, forget_unfinished, run_folders

_LOCK, _IGNORE = "lock", ".gitignore"


@contextmanager
def lock_files(base: Path, files: Iterable[str]) -> Iterator[None]:
    """Make the journal of a folder and keep other runs out of some files.

    Parameters
    ----------
    files : iterable of str
        Paths below it.

    Raises
    ------
    MigrateError
        If another run writes over the folder, one above, or one on the way to these files.
    """
    folder = base / JOURNAL
    handle = _lock(folder)
    try:
        # after our own lock: of two runs that begin together, at least one sees the other
        for other in (*base.parents, *folders_between(base, files)):
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


def folders_between(base: Path, files: Iterable[str]) -> set[Path]:
    """Return the folders below one that lead to some paths."""
    return {base / p for file in files for p in PurePath(file).parents if p.parts}


def _lock(folder: Path) -> int:
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
