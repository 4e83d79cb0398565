"""The watch itself notices what it is there for."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.migrator import watch
from tests.support.migrator.watch import watched

BAD: list[Callable[[Path], object]] = [
    lambda path: (path / "x").write_text(""),
    lambda path: (path / "x").mkdir(),
    lambda path: (path / "x").symlink_to("y"),
    lambda path: exec("1"),
    lambda path: os.system("true"),
    lambda path: subprocess.run([sys.executable, "--version"], capture_output=True),
    lambda path: threading.Thread(target=path.stat).start(),
]


@pytest.mark.parametrize("act", BAD)
def test_noticed(tmp_path: Path, act: Callable[[Path], object]) -> None:
    (tmp_path / "out").mkdir()
    with pytest.raises(AssertionError), watched(tmp_path / "out"):
        act(tmp_path)


def test_another_test_in_the_background(tmp_path: Path) -> None:
    """What a thread does that was there before is no matter of the block."""
    go, done = threading.Event(), threading.Event()

    def other() -> None:
        go.wait(60)
        BAD[0](tmp_path)
        done.set()

    threading.Thread(target=other, daemon=True).start()
    with watched():
        go.set()
        assert done.wait(60)
    assert (tmp_path / "x").exists()


def test_allowed(tmp_path: Path) -> None:
    with watched(tmp_path):
        (tmp_path / "x").write_text("a")
        (tmp_path / "x").read_text()
        compile("1", "<code>", "exec")


@pytest.mark.slow
def test_a_run_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "HANGS", 1)
    with pytest.raises(AssertionError, match="still running"), watched():
        while True:
            pass
