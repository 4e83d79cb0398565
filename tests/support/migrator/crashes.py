"""Processes that are killed, or fail, at a chosen change of the disk, and the trees they leave."""

from __future__ import annotations

import os
import signal
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from unittest.mock import patch

from migrator.output.journal import JOURNAL

CHANGES = ("open", "mkdir", "rename", "replace", "link", "unlink", "rmdir", "utime", "fsync")
Described = dict[str, tuple[bytes, int, int]]


def described(root: Path) -> Described:
    """Return content, mode and time of every file of a tree, its journals apart."""
    found = {}
    for path in root.rglob("*"):
        if path.is_file() and JOURNAL not in path.relative_to(root).parts:
            info = path.stat()
            name = path.relative_to(root).as_posix()
            found[name] = (path.read_bytes(), info.st_mode, info.st_mtime_ns)
    return found


@contextmanager
def at_change(
    number: int, act: Callable[[str, tuple[Any, ...]], None], names: tuple[str, ...] = CHANGES
) -> Iterator[list[str]]:
    """Does something once, before the change of the disk with this number; gives the changes."""
    seen: list[str] = []

    def counted(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **options: Any) -> Any:
            seen.append(name)
            if len(seen) == number:
                act(name, args)
            return real(*args, **options)

        return call

    patches = [patch.object(os, name, counted(name, getattr(os, name))) for name in names]
    for one in patches:
        one.start()
    try:
        yield seen
    finally:
        for one in patches:
            one.stop()


def killed_at(
    number: int,
    work: Callable[[], object],
    *,
    names: tuple[str, ...] = CHANGES,
) -> bool:
    """Runs something in a child that is killed before one of its changes of the disk.

    A file that would have been synced then is left with half of its content.

    Parameters
    ----------
    number
        Which change, from 1.
    work
        What the child does.
    names
        The functions of `os` that count.

    Returns
    -------
    bool
        False if the child ended before.
    """

    def die(name: str, args: tuple[Any, ...]) -> None:
        if name == "fsync":
            # folders cannot be cut
            with suppress(OSError):
                os.truncate(args[0], os.fstat(args[0]).st_size // 2)
        os.kill(os.getpid(), signal.SIGKILL)

    child = os.fork()
    if child == 0:
        try:
            with at_change(number, die, names):
                work()
            os._exit(0)
        except BaseException:
            traceback.print_exc()
            os._exit(3)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL
        return True
    assert os.WEXITSTATUS(status) == 0
    return False
