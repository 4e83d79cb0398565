"""Notices what a run does besides reading: files that it writes, code and programs that it runs."""

from __future__ import annotations

import collections
import dataclasses
import os
import signal
import sys
import threading
import types
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn
from unittest.mock import patch

ROOT = str(Path(__file__).parents[3])
# no input of ours takes a hundredth of it: whoever gets there hangs
HANGS = 60

_RUNS = frozenset(
    (
        *("os.system", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "subprocess.Popen"),
        *("socket.connect", "socket.bind", "ctypes.dlopen"),
    )
)
# the changed paths of an event and the folders they are relative to, by position
_CHANGES = {
    "os.remove": ((0, 1),),
    "os.rmdir": ((0, 1),),
    "os.mkdir": ((0, 2),),
    "os.rename": ((0, 2), (1, 3)),
    "os.link": ((1, 3),),
    "os.symlink": ((1, 2),),
    "os.truncate": ((0, 0),),
}
# they make classes of text when a module is imported
_MAKE_CLASSES = (dataclasses.__file__, collections.__file__)
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class _Watch:
    """What happened while it was on."""

    def __init__(self) -> None:
        self.on = False
        self.thread = 0
        self.allowed: tuple[str, ...] = ()
        self.seen: list[str] = []

    def __call__(self, event: str, args: tuple[Any, ...]) -> None:
        if not self.on or threading.get_ident() != self.thread:  # others are of other tests
            return
        if event in _RUNS:
            self.seen.append(f"{event} {args!r}"[:300])
        elif event == "exec" and isinstance(args[0], types.CodeType):
            caller = sys._getframe(1).f_code.co_filename
            own = args[0].co_filename.startswith((ROOT, sys.prefix, sys.base_prefix, "<frozen "))
            if not own and caller not in _MAKE_CLASSES:
                self.seen.append(f"exec of {args[0].co_filename} by {caller}")
        elif event == "open" and isinstance(args[2], int) and args[2] & _WRITES:
            self.path(event, args[0])
        elif event in _CHANGES:
            for path, folder in _CHANGES[event]:
                self.path(event, args[path], args[folder])

    def path(self, event: str, path: object, folder: object = -1) -> None:
        if isinstance(path, str | bytes):
            base = f"/proc/self/fd/{folder}" if isinstance(folder, int) and folder >= 0 else "."
            name = os.path.join(os.path.realpath(base), os.fsdecode(path))
            if not f"{os.path.normpath(name)}/".startswith(self.allowed):
                self.seen.append(f"{event} {name}")


_WATCH = _Watch()
sys.addaudithook(_WATCH)
_start = threading.Thread.start


def _started(thread: threading.Thread) -> None:
    """Start a thread; nothing would be seen of what it does."""
    if threading.get_ident() == _WATCH.thread:
        _WATCH.seen.append(f"start of {thread}")
    _start(thread)


@contextmanager
def watched(*allowed: Path) -> Iterator[None]:
    """Fails if the block writes outside some folders, runs anything, or does not end."""
    _WATCH.allowed = tuple(f"{path}/" for path in allowed)
    _WATCH.seen = []
    _WATCH.thread = threading.get_ident()
    before = signal.signal(signal.SIGALRM, _hangs)
    signal.alarm(HANGS)
    _WATCH.on = True
    try:
        with patch.object(threading.Thread, "start", _started):
            yield
    finally:
        _WATCH.on = False
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
    assert not _WATCH.seen, _WATCH.seen


def _hangs(number: int, frame: types.FrameType | None) -> NoReturn:
    raise AssertionError(f"still running after {HANGS} s")
