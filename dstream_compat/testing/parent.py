"""Ends a process that runs jobs when the process that started it is gone, however that ended."""

from __future__ import annotations

import os
import signal
import threading
from types import FrameType
from typing import Final

STARTED_BY: Final = "DSTREAM_COMPAT_STARTED_BY"
"""The variable that has the id of the process that starts this one."""
_POLL_SECONDS: Final = 0.5
# until a process that handles SIGTERM has ended what it runs
_GRACE_SECONDS: Final = 20.0


def end_with_parent(*, forks: bool = False) -> None:
    """Let this process and its group end with the one that the environment names.

    A process that handles SIGTERM gets that first. Nothing happens if the environment names none;
    what this process starts does not inherit the name.

    Parameters
    ----------
    forks : bool
        whether this process forks, and so may have no other thread: a timer asks then, by SIGALRM
    """
    name = os.environ.pop(STARTED_BY, None)
    if name is None:
        return
    parent, own = int(name), os.getpid()
    if not forks:
        threading.Thread(target=_wait_and_end, args=(parent,), daemon=True).start()
        return

    def ask(number: int, frame: FrameType | None) -> None:
        # forks have the handler, too
        if os.getpid() == own and os.getppid() != parent:
            _end()

    signal.signal(signal.SIGALRM, ask)
    signal.setitimer(signal.ITIMER_REAL, _POLL_SECONDS, _POLL_SECONDS)


def _wait_and_end(parent: int) -> None:
    pause = threading.Event()
    # an orphan gets another parent
    while os.getppid() == parent:
        pause.wait(_POLL_SECONDS)
    _end()


def _end() -> None:
    if signal.getsignal(signal.SIGTERM) not in (signal.SIG_DFL, signal.SIG_IGN, None):
        os.kill(os.getpid(), signal.SIGTERM)
        threading.Event().wait(_GRACE_SECONDS)
    if os.getpgrp() == os.getpid():
        # with what was forked, and the JVM
        os.killpg(os.getpgrp(), signal.SIGKILL)
    os.kill(os.getpid(), signal.SIGKILL)
