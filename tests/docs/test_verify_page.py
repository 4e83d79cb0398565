"""docs/verify.md: its commands run one after another, from the scan to the switch-over."""

from __future__ import annotations

import contextlib
import re
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from migrator.cli.main import main
from migrator.verify import many, process, session
from tests.support.fenced import ROOT, commands, languages
from tests.support.migrator import fake_run_job
from tests.support.page_commands import run, words

PAGE = ROOT / "docs" / "verify.md"
LINES = b"a b b\nc a\n"
JOB = "legacy_examples/network_wordcount"
RECONCILED = "first in the batch of 1700000002000 (2023-11-14T22:13:22.000Z)\n  3 rows in both\n"
# what two jobs have written, by their folders
WRITTEN = {
    "old": {1: ["('a', 2)"], 2: ["('a', 1)", "('b', 1)"], 3: ["('c', 1)"]},
    "new": {1: ["('a', 2)"], 2: ["('a', 1)"], 3: ["('b', 1)", "('c', 1)"]},
}
# what each command says, and its exit code
EXPECTED: dict[str, tuple[str, int]] = {
    "migrate legacy_examples --check": ("job", 1),
    f"migrate record {JOB}.py --batches 5 --out recorded -- localhost 9999": ("5 batches", 0),
    f"migrate verify {JOB}.py --input recorded -- localhost 9999": ("5 of 5 batches equal", 0),
    f"migrate {JOB}.py": ("Written to", 0),
    f"migrate verify {JOB}.py --migrated {JOB}-migrated.py --input recorded -- localhost 9999": (
        "network_wordcount.py: equal",
        0,
    ),
    f"migrate test-scaffold {JOB}-migrated.py --input recorded --out tests -- localhost 9999": (
        "5 batches, 1 output",
        0,
    ),
    "python -m pytest tests": ("1 passed", 0),
    f"migrate record {JOB}.py --batches 5 --out legacy_examples/recordings/network_wordcount "
    "-- localhost 9999": ("5 batches", 0),
    "migrate verify --all legacy_examples": ("1 equal", 0),
    "migrate verify --all legacy_examples --no-run --format json": ('"result": "equal"', 0),
    "migrate legacy_examples --check-command 'python3 -m compileall -q .'": ("Written to", 1),
    "migrate legacy_examples --check --verify legacy_examples/recordings": ("1 equal", 1),
    f"migrate verify {JOB}.py --live --batches 5 --out shadow -- localhost 9999": (
        "5 of 5 batches equal",
        0,
    ),
    "migrate reconcile old/counts new/counts": (RECONCILED, 1),
    "migrate reconcile old/counts new/counts --border 1 --format json": (
        '"in_another_batch": 1',
        0,
    ),
}


@pytest.fixture
def port() -> Iterator[int]:
    """The port of a server that serves lines to whoever connects."""
    peers: list[socket.socket] = []
    with socket.create_server(("localhost", 0)) as server:

        def serve() -> None:
            with contextlib.suppress(OSError):
                while True:
                    peers.append(server.accept()[0])
                    peers[-1].sendall(LINES)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield int(server.getsockname()[1])
        # wakes the thread
        server.shutdown(socket.SHUT_RDWR)
        thread.join(30)
        for peer in peers:
            peer.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "legacy_examples", tmp_path / "legacy_examples", ignore=ignored)
    for job, batches in WRITTEN.items():
        for second, lines in batches.items():
            written = tmp_path / job / f"counts-{1700000000000 + second * 1000}"
            written.mkdir(parents=True)
            (written / "part-00000").write_text("".join(f"{line}\n" for line in lines))
            (written / "_SUCCESS").touch()
    return tmp_path


def test_every_command_is_known() -> None:
    assert commands(PAGE) == list(EXPECTED)
    assert languages(PAGE) == {"sh", "text"}


@pytest.mark.slow
def test_options_that_the_page_names_exist() -> None:
    named = set(re.findall(r"`(--[a-z-]+)", PAGE.read_text(encoding="utf-8")))
    known = "".join(
        subprocess.run(
            [sys.executable, "-m", "migrator", *name, "--help"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for name in ([], ["verify"], ["record"], ["test-scaffold"], ["reconcile"])
    )
    assert len(named) > 10
    assert named - {"--"} <= set(re.findall(r"--[a-z-]+", known))


@pytest.mark.slow
def test_commands_with_a_process_that_stands_for_spark(
    folder: Path, port: int, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(process, "COMMAND", (sys.executable, fake_run_job.__file__))
    monkeypatch.setattr(session, "COMMAND", (*process.COMMAND, "serve"))
    start = f"import sys; import migrator.verify.process as p; p.COMMAND = {process.COMMAND!r}; "
    start += "from migrator.cli.main import main; sys.exit(main())"
    monkeypatch.setattr(many, "COMMAND", (sys.executable, "-c", start))
    monkeypatch.chdir(folder)
    monkeypatch.setenv("MIGRATE_CACHE_DIR", str(folder / "cache"))

    def carry_out(command: list[str]) -> tuple[int, str]:
        if command[:3] == [sys.executable, "-m", "pytest"]:
            # the test starts a process of its own, with Spark
            done = run([*command, "--collect-only", "-q"], folder)
            return done.returncode, done.stdout.replace("1 test collected", "1 passed")
        if command[3] == "reconcile":
            # it stops the Spark of its process
            done = run(command, folder, timeout=600)
            return done.returncode, done.stdout + done.stderr
        code = main(command[3:])
        return code, capfd.readouterr().out

    check(carry_out, port)


@pytest.mark.full
def test_commands(folder: Path, port: int) -> None:
    def carry_out(command: list[str]) -> tuple[int, str]:
        done = run(command, folder, timeout=600)
        return done.returncode, done.stdout + done.stderr

    check(carry_out, port)


def check(carry_out: Callable[[list[str]], tuple[int, str]], port: int) -> None:
    for command, (text, code) in EXPECTED.items():
        found, said = carry_out(words(command.replace("9999", str(port))))
        assert found == code, f"{command}\n{said}"
        assert text in said, command
