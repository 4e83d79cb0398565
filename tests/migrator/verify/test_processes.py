"""What a process has started."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from migrator.verify.processes import descendants, kill

pytestmark = pytest.mark.slow

PROGRAM = (
    "import subprocess, sys\n"
    "wait = [sys.executable, '-c', 'import threading; threading.Event().wait()']\n"
    "child = subprocess.Popen(wait, start_new_session=True)\n"
    "print(child.pid, flush=True)\n"
    "child.wait()"
)


def test_processes_of_other_sessions_are_among_them() -> None:
    with subprocess.Popen([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        child = int(process.stdout.readline())
        tree = descendants(process.pid)
        assert {process.pid, child} == tree.keys()
        assert tree.items() <= descendants(os.getpid()).items()
        assert os.getpid() not in tree
        # one with the same id and another start is another one
        kill({pid: start + 1 for pid, start in tree.items()})
        assert descendants(process.pid) == tree
        kill(tree)
        assert process.wait(30) == -9
    assert descendants(process.pid) == {}
