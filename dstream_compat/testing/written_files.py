"""Notices the text files that a job's own code writes, wherever they are."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any, Final

import py4j
import pyspark

import dstream_compat

_WRITES: Final = os.O_WRONLY | os.O_RDWR
_LIBRARY: Final = (sysconfig.get_path("stdlib") + os.sep, "<frozen ")
_OTHERS: Final = tuple(
    str(Path(str(path)).resolve().parent) + os.sep
    for path in (pyspark.__file__, py4j.__file__, dstream_compat.__file__)
)


class WrittenFiles:
    """The files that were opened for writing, and what they had when one last looked."""

    def __init__(self) -> None:
        self._seen: dict[Path, tuple[tuple[int, int] | None, list[str]]] = {}
        self._is_told = False
        self._watches = False

    def watch(self) -> None:
        """Begin to notice files."""
        self._watches = True
        if not self._is_told:
            self._is_told = True
            sys.addaudithook(self._notice)

    @contextlib.contextmanager
    def pause(self) -> Iterator[None]:
        """Notice no files that the body writes."""
        before, self._watches = self._watches, False
        try:
            yield
        finally:
            self._watches = before

    def forget(self) -> None:
        """Notice no more files; Python goes on telling of them."""
        self._watches = False
        self._seen.clear()

    def names(self) -> list[str]:
        """Return the files that were noticed, as paths."""
        return [str(path) for path in self._seen]

    def know(self, names: list[str]) -> None:
        """Notice files that the job has opened in another process."""
        for path in map(Path, names):
            if path not in self._seen:
                self._seen[path] = (_stamp(path), _lines(path) if path.is_file() else [])

    def changes(self) -> Iterator[tuple[str, list[str]]]:
        """Yield the names of files that have changed, with the lines that they have more."""
        for path, (stamp, old) in sorted(self._seen.items()):
            if (now := _stamp(path)) == stamp or not path.is_file():
                continue
            lines = _lines(path)
            self._seen[path] = (now, lines)
            if lines != old:
                yield _name(path), lines[len(old) :] if lines[: len(old)] == old else lines

    def _notice(self, event: str, args: tuple[Any, ...]) -> None:
        if not self._watches:
            return
        if event == "open" and isinstance(args[2], int) and args[2] & _WRITES:
            self._add(args[0])
        elif event == "os.rename" and (source := _path(args[0])) in self._seen:
            # written beside its place and moved there
            self._seen.pop(source)
            self._add(args[1])

    def _add(self, name: Any) -> None:
        path = _path(name)
        if path is None or path in self._seen or not _by_the_job(sys._getframe(2)):
            return
        hidden = path.name.startswith((".", "_")) or path.suffix == ".pyc"
        if not hidden and (path.is_file() or not path.exists()):
            self._seen[path] = (_stamp(path), _lines(path) if path.exists() else [])


def _path(name: Any) -> Path | None:
    if not isinstance(name, str | bytes | os.PathLike):
        return None
    return Path(os.path.abspath(os.fsdecode(name)))


def _by_the_job(frame: FrameType | None) -> bool:
    """Return whether the nearest caller outside of Python's library is the job's code.

    Files of ``logging`` are no output: their lines have the time of day.
    """
    while frame is not None:
        file = frame.f_code.co_filename
        if file.startswith(_OTHERS) or "site-packages" in file or file == logging.__file__:
            return False
        if not file.startswith(_LIBRARY):
            return True
        frame = frame.f_back
    return False


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8", errors="replace").splitlines()


def _name(path: Path) -> str:
    folder = Path.cwd()
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else str(path)
