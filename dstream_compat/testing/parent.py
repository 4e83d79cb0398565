"""Ends a process that runs jobs when the process that started it is gone, however that ended."""

from __future__ import annotations

import os
import signal
import threading
from typing import Final

STARTED_BY: Final = "DSTREAM_COMPAT_STARTED_BY"
"""The variable that has the id of the process that starts this one."""
_POLL_SECONDS: Final = 0.5
# until a process that handles SIGTERM has ended what it runs
_GRACE_SECONDS: Final = 20.0


def end_with_parent() -> None:
    """Let this process and its group end with the one that the environment names.

    A process that handles SIGTERM gets that first. Nothing happens if the environment names none;
    what this process starts does not inherit the name.
    """
    parent = os.environ.pop(STARTED_BY, None)
    if parent is not None:
        threading.Thread(target=_wait_and_end, args=(int(parent),), daemon=True).start()


def _wait_and_end(parent: int) -> None:
    pause = threading.Event()
    # an orphan gets another parent
    while os.getppid() == parent:
        pause.wait(_POLL_SECONDS)
    if signal.getsignal(signal.SIGTERM) not in (signal.SIG_DFL, signal.SIG_IGN, None):
        os.kill(os.getpid(), signal.SIGTERM)
        pause.wait(_GRACE_SECONDS)
    if os.getpgrp() == os.getpid():
        # with what was forked, and the JVM
        os.killpg(os.getpgrp(), signal.SIGKILL)
    os.kill(os.getpid(), signal.SIGKILL)
