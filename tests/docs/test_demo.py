"""The demo keeps its word: it compares, it says what is wrong, and it leaves nothing behind."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts import demo
from tests.support.fenced import ROOT

pytestmark = pytest.mark.slow

TEXT = ["a b a\n", "b\n\nc a\n"]

# A job of one process with the arguments and the output of the real one. The mode says what is
# wrong with it.
FAKE = """
import pathlib, socket, sys, threading

mode, host, port, prefix = sys.argv[1:]
lines = socket.create_connection((host, int(port))).makefile()
if mode == "ends":
    sys.exit("out of luck")


def save(number, words):
    folder = pathlib.Path(f"{prefix}-{number}.txt")
    folder.mkdir()
    pairs = [(word, words.count(word)) for word in sorted(set(words))]
    (folder / "part-00000").write_text("".join(f"{pair}\\n" for pair in pairs))
    (folder / "_SUCCESS").touch()
    print(*pairs, sep="\\n", end="\\n\\n", flush=True)


words = [word for _ in range(4) for word in lines.readline().split()]
if mode == "wrong":
    words[0] = "x"
save(1, words[:2])
if mode != "stuck":
    save(2, words[2:])
save(3, words[-1:] if mode == "twice" else [])
interval = threading.Event()
for number in range(4, 2000):
    interval.wait(0.05)
    save(number, [])
"""


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The script of the fake job."""
    monkeypatch.setattr(demo, "SECONDS_TO_SEND", 0.1)
    script = tmp_path / "fake.py"
    script.write_text(FAKE)
    return script


def count(fake: Path, mode: str, seconds: float = 30.0) -> Counter[str]:
    """Runs the fake job as the demo runs the real one."""
    command = [sys.executable, str(fake), mode]
    end = time.monotonic() + seconds
    return demo.count_words(mode, command, TEXT, fake.parent / "run", end)


def test_equal_counts(fake: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert count(fake, "good") == Counter(a=3, b=2, c=1)

    shown = capfd.readouterr().out
    assert "good: python <output>/fake.py good 127.0.0.1" in shown
    assert "('a', 1)" in shown
    assert "good: 6 words counted, 3 different ones." in shown


def test_wrong_word(fake: Path) -> None:
    with pytest.raises(demo.DemoError) as failed:
        count(fake, "wrong")

    assert str(failed.value).splitlines() == [
        "wrong: the totals differ from plain Python's.",
        "2 words differ, the first ones are:",
        "  'a': 2, not 3",
        "  'x': 1, not 0",
    ]


def test_word_counted_twice(fake: Path) -> None:
    with pytest.raises(demo.DemoError, match=r"twice: the totals differ.*\n.*\n  'a': 4, not 3"):
        count(fake, "twice")


def test_job_that_ends(fake: Path) -> None:
    with pytest.raises(demo.DemoError) as failed:
        count(fake, "ends")

    message = str(failed.value)
    assert "the job ended by itself, with exit code 1: 0 of 6 words are counted" in message
    assert message.endswith("out of luck")


def test_time_is_up(fake: Path) -> None:
    with pytest.raises(demo.DemoError, match=r"time is up .*: 2 of 6 words are counted"):
        count(fake, "stuck", seconds=10.0)


def test_main_reports_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(target: Path) -> None:
        raise demo.DemoError("the totals differ")

    monkeypatch.setattr(demo, "migrate", fail)
    handlers = [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)]
    try:
        assert demo.main() == 1
    finally:
        for number, handler in zip((signal.SIGTERM, signal.SIGHUP), handlers, strict=True):
            signal.signal(number, handler)
    assert capsys.readouterr().err == "\nThe demo failed. the totals differ\n"


def test_text_is_real_and_the_same_every_time() -> None:
    text = demo.stdlib_text()

    assert len(text) == demo.FILES
    assert text == demo.stdlib_text()
    assert demo.plain_counts(text).total() > 10_000


@pytest.fixture
def short_path() -> Iterator[Path]:
    """A temporary folder with a short name: the jobs put a socket below it."""
    with tempfile.TemporaryDirectory(prefix="d-") as name:
        yield Path(name)


@contextlib.contextmanager
def running(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """The demo, with all its temporary files in one folder."""
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "scripts" / "demo.py")],
        cwd=folder,
        env={**os.environ, "TMPDIR": str(folder), "COLUMNS": "120"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        # a test run in the background hands on that it ignores Ctrl-C
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        for pid in left_behind(folder):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def left_behind(folder: Path) -> list[int]:
    """The processes that have the folder in their environment."""
    found = []
    for environ in Path("/proc").glob("[0-9]*/environ"):
        # processes of others, and those that end meanwhile
        with contextlib.suppress(OSError):
            if f"TMPDIR={folder}".encode() in environ.read_bytes():
                found.append(int(environ.parent.name))
    return found


def await_nothing_left_behind(folder: Path) -> None:
    """Python workers end when they notice that their JVM has, which may be a moment later."""
    deadline = time.monotonic() + 30
    pause = threading.Event()
    while left := left_behind(folder):
        assert time.monotonic() < deadline, left
        pause.wait(0.05)


@pytest.mark.full
def test_demo(short_path: Path) -> None:
    begin = time.monotonic()
    with running(short_path) as process:
        shown, _ = process.communicate(timeout=600)
        took = time.monotonic() - begin
        await_nothing_left_behind(short_path)

    assert process.returncode == 0, shown
    assert took < 120
    assert "findings need manual work" in shown
    assert "+from dstream_compat import StreamingContext" in shown
    assert shown.count("-" * 43 + "\n  Time: ") >= 8
    assert "words as plain Python does" in shown.splitlines()[-1]
    assert list(short_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.full)]
)
def test_demo_ends_when_asked(short_path: Path, number: signal.Signals) -> None:
    with running(short_path) as process:
        assert process.stdout is not None
        shown = ""
        for line in process.stdout:
            shown += line
            if line.startswith("  Time: "):
                break
        process.send_signal(number)
        rest, _ = process.communicate(timeout=60)

        assert process.returncode == 128 + number, shown + rest
        assert rest.endswith("\nThe demo was stopped.\n")
        await_nothing_left_behind(short_path)
        assert list(short_path.iterdir()) == []
