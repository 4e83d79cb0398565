"""Runs `migrate` on a terminal of its own, and answers what it asks."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.support.page_commands import environment

INTERRUPT = "\x03"
END = "\x04"
_QUESTION = b"[y,n,a,q,?]? "
_DEADLINE_SECONDS = 120


@dataclass
class Dialog:
    """What a run on a terminal printed, and its exit code."""

    code: int
    text: str


def answered(arguments: Sequence[str | Path], answers: Sequence[str], folder: Path) -> Dialog:
    """The dialog of a run to which these answers are given, one to a question.

    INTERRUPT is Ctrl-C, and END is Ctrl-D.
    """
    terminal, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "migrator", *map(str, arguments)],
        cwd=folder,
        env={**environment(folder), "TERM": "xterm", "NO_COLOR": "1"},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        preexec_fn=_own_terminal,
    )
    os.close(theirs)
    left = list(answers)
    printed, asked = b"", 0
    deadline = time.monotonic() + _DEADLINE_SECONDS
    try:
        while (left_seconds := deadline - time.monotonic()) > 0:
            if not select.select([terminal], [], [], left_seconds)[0]:
                break
            try:
                data = os.read(terminal, 65536)
            except OSError:
                # on Linux, a terminal that nobody has open any more
                data = b""
            if not data:
                break
            printed += data
            if printed.count(_QUESTION) > asked and left:
                asked += 1
                answer = left.pop(0)
                end = "" if answer in (INTERRUPT, END) else "\n"
                if answer is INTERRUPT:
                    _wait_until_asleep(process.pid, deadline)
                os.write(terminal, f"{answer}{end}".encode())
        return Dialog(process.wait(_DEADLINE_SECONDS), printed.decode().replace("\r\n", "\n"))
    finally:
        process.kill()
        process.wait()
        os.close(terminal)


def _wait_until_asleep(process: int, deadline: float) -> None:
    """Wait until a process that has asked waits for the answer.

    A signal between the two does not end the wait: Python sees it when the answer is there.
    """
    stat = Path(f"/proc/{process}/stat")
    while stat.read_text().rpartition(")")[2].split()[0] != "S":
        assert time.monotonic() < deadline, "the process does not wait for its answer"


def _own_terminal() -> None:
    """Make standard input the terminal that Ctrl-C comes from."""
    import fcntl
    import termios

    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
