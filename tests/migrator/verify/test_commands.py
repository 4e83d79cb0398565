"""`migrate record`, `migrate test-scaffold` and `migrate verify --live` on the command line."""

from __future__ import annotations

import json
import os
import runpy
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dstream_compat.testing.recordings import read_batches
from migrator.cli import proof
from migrator.verify.live_sources import LiveFolder
from tests.migrator.verify.conftest import NEW
from tests.support.fenced import ROOT
from tests.support.migrator.runs import Run

Jobs = Callable[..., list[str | Path]]
Migrate = Callable[..., Run]


class Scripted:
    """A source that gives prepared batches."""

    def __init__(self, *batches: Any) -> None:
        self.name = "socket:9999"
        self.problem = ""
        self.broken = 0
        self.left_out: list[str] = []
        self.batches = list(batches)

    def open(self) -> None:
        pass

    def take(self) -> Any:
        return self.batches.pop(0) if self.batches else []

    def close(self) -> None:
        pass


@pytest.fixture
def live(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    def give(*batches: Any) -> None:
        monkeypatch.setattr(proof, "source", lambda text, kafka: Scripted(*batches))

    return give


LIVE = ["--source", "socket:h:9999", "--interval", "0.01"]


def test_record(live: Callable[..., None], migrate: Migrate, tmp_path: Path) -> None:
    live(["ann 1", "bob 2"], [], ["ann 3"])
    run = migrate("record", *LIVE, "--batches", "3", "--out", tmp_path, "--mask", "0")
    assert run.code == 0
    assert "batches.jsonl: 3 batches, 3 records" in run.out
    found = read_batches(tmp_path).batches
    names = [line.split()[0] for given in found.values() for line in given.get("socket:9999", [])]
    assert names[0] == names[2] != names[1]
    assert "ann" not in (tmp_path / "batches.jsonl").read_text()


def test_what_is_not_recorded_as_it_is_is_counted(
    monkeypatch: pytest.MonkeyPatch, migrate: Migrate, tmp_path: Path
) -> None:
    (tmp_path / "in").mkdir()
    one = LiveFolder(str(tmp_path / "in"))
    monkeypatch.setattr(proof, "source", lambda text, kafka: one)
    opened = one.open

    def appear() -> None:
        opened()
        (tmp_path / "in" / "a.txt").write_bytes(b"\xff\nb\n")
        (tmp_path / "in" / "b.zst").write_bytes(b"x")

    monkeypatch.setattr(one, "open", appear)
    out = tmp_path / "out"
    run = migrate(
        "record", "--source", "file:x", "--interval", "0.01", "--batches", "1", "--out", out
    )
    assert run.code == 0
    assert "batch 1: b.zst is packed as .zst" in run.err
    assert "not recorded: 1 file, named above" in run.err
    assert "recorded with U+FFFD: 1 line without valid UTF-8" in run.err
    assert [*read_batches(out).batches[1].values()] == [{"a.txt": ["\ufffd", "b"]}]


def test_the_same_key_gives_the_same_masks(
    live: Callable[..., None], migrate: Migrate, tmp_path: Path
) -> None:
    (tmp_path / "key").write_bytes(b"0123456789abcdef")
    texts = []
    for name, key in (("a", True), ("b", True), ("c", False)):
        live(["ann"])
        more = ["--mask-key", tmp_path / "key"] if key else []
        migrate("record", *LIVE, "--batches", "1", "--out", tmp_path / name, "--mask", "0", *more)
        texts.append((tmp_path / name / "batches.jsonl").read_text())
    assert texts[0] == texts[1] != texts[2]


def test_a_short_key_is_refused(migrate: Migrate, tmp_path: Path) -> None:
    (tmp_path / "key").write_bytes(b"short")
    run = migrate("record", *LIVE, "--out", tmp_path / "out", "--mask-key", tmp_path / "key")
    assert run.code == 2
    assert "at least 16" in run.err
    assert not (tmp_path / "out").exists()


def test_record_a_job_whose_sources_are_not_told(migrate: Migrate, tmp_path: Path) -> None:
    job = tmp_path / "job.py"
    job.write_text("ssc.socketTextStream(host, 9999)\n")
    run = migrate("record", job, "--out", tmp_path / "out")
    assert run.code == 2
    assert "socketTextStream in line 1" in run.err
    assert "--source" in run.err


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ([], "required: --out"),
        (["--out", "o"], "either a JOB or a --source"),
        (["job.py", "--source", "socket:h:1", "--out", "o"], "either a JOB or a --source"),
        (["--source", "kafka:t", "--out", "o"], "kafka:BROKERS/TOPIC"),
        (["--source", "mqtt:t", "--out", "o"], "a live source is"),
        (["--source", "file:no-such-folder", "--out", "o"], "no folder"),
        (["--source", "socket:h:1", "--out", "o", "--interval", "0"], "no number of seconds"),
    ],
)
def test_wrong_use_of_record(
    migrate: Migrate,
    arguments: list[str],
    text: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    run = migrate("record", *arguments)
    assert run.code == 2
    assert text in run.err


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_recording_without_loss(tmp_path: Path, number: signal.Signals) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(60)
        port = server.getsockname()[1]
        command = [sys.executable, "-m", "migrator", "record", "--out", str(tmp_path)]
        command += ["--source", f"socket:127.0.0.1:{port}", "--interval", "3600"]
        running = subprocess.Popen(
            command,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        peer, _ = server.accept()
        with peer:
            peer.sendall(b"a\nb\nlast")
            running.send_signal(number)
            out, errors = running.communicate(timeout=60)
    assert running.returncode == 0, errors
    assert "1 batch, 3 records" in out
    assert read_batches(tmp_path).batches == {1: {f"socket:{port}": ["a", "b", "last"]}}


@pytest.mark.slow
def test_shadow_mode(
    jobs: Jobs, live: Callable[..., None], migrate: Migrate, tmp_path: Path
) -> None:
    arguments = jobs("WRONG")
    at = arguments.index("--input")
    del arguments[at : at + 2]
    live(["a b"], ["a c", "d"], [])
    run = migrate(*arguments, "--live", *LIVE, "--batches", "3")
    assert run.code == 1
    assert "first in batch 2" in run.out
    assert read_batches(tmp_path / "out").length == 3
    assert json.loads((tmp_path / "out" / "verdict.json").read_text())["records"] == 3


def test_a_shadow_that_is_interrupted_keeps_its_batches(
    jobs: Jobs, live: Callable[..., None], migrate: Migrate, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = jobs()
    at = arguments.index("--input")
    del arguments[at : at + 2]

    class Interrupted(Scripted):
        def take(self) -> Any:
            if len(self.batches) == 1:
                signal.raise_signal(signal.SIGINT)
            return super().take()

    given = Interrupted(["a b"], ["c"], ["d"])
    monkeypatch.setattr(proof, "source", lambda text, kafka: given)
    run = migrate(*arguments, "--live", *LIVE, "--batches", "9")
    assert run.code == 130
    assert "interrupted after 3 of 9 batches, which are in" in run.err
    assert "--input" in run.err
    path = Path(str(arguments[arguments.index("--out") + 1]), "batches.jsonl")
    assert read_batches(path).length == 3


@pytest.mark.slow
def test_scaffold_of_an_original(
    jobs: Jobs, migrate: Migrate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs()
    code = "from pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n"
    code += "ssc = StreamingContext(SparkContext(), 1)\nssc.socketTextStream('h', 9999).pprint()\n"
    (tmp_path / "job.py").write_text(code + "ssc.start()\nssc.awaitTermination()\n")
    run = migrate("test-scaffold", tmp_path / "job.py", "--input", tmp_path / "batches.jsonl")
    assert run.code == 0, run.err
    assert "5 batches, 1 output; run it with pytest" in run.out
    names = {path.name for path in (tmp_path / "tests").iterdir()}
    assert names == {"test_job.py", "job-batches.jsonl", "job-expected.jsonl"}
    assert "dstreams" in (tmp_path / "tests" / "job-expected.jsonl").read_text()


@pytest.mark.slow
def test_a_scaffold_fails_when_the_job_gives_something_else(
    jobs: Jobs, migrate: Migrate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs()
    new, out = tmp_path / "new.py", tmp_path / "new-tests"
    run = migrate(
        *("test-scaffold", new, "--input", tmp_path / "batches.jsonl", "--out", out),
        *("--tolerance", "0.01", "--ignore", "7", "--real", "sqlite3"),
    )
    assert run.code == 0, run.err
    test = out / "test_new.py"
    text = test.read_text()
    assert "'--tolerance', '0.01', '--ignore', '7', '--real', 'sqlite3'" in text
    first = (out / "new-expected.jsonl").read_text().splitlines()[0]
    assert json.loads(first)["real"] == ["sqlite3"]
    from migrator.verify import process

    start = f"import migrator.verify.process as p; p.COMMAND = {process.COMMAND!r}; "
    start += "import sys; from migrator.cli.main import main; sys.exit(main())"
    test.write_text(text.replace('"-m", "migrator"', f'"-c", {start!r}'))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    passes = runpy.run_path(str(test))["test_new"]
    passes()
    new.write_text(f"{NEW}# WRONG\n")
    with pytest.raises(AssertionError, match="first in batch 4"):
        passes()


@pytest.mark.parametrize(
    ("program", "text"),
    [
        ("CLOCK", "the next run gave something else"),
        ("EXITS", "before it started a streaming context"),
        ("REFUSES", "could not be run"),
    ],
)
def test_no_test_is_written_that_would_fail(
    jobs: Jobs, migrate: Migrate, tmp_path: Path, program: str, text: str
) -> None:
    jobs(program)
    out = tmp_path / "out"
    run = migrate(
        "test-scaffold", tmp_path / "new.py", "--input", tmp_path / "batches.jsonl", "--out", out
    )
    assert run.code == 2
    assert text in run.err
    assert not out.exists() or list(out.iterdir()) == []


def test_a_test_is_never_written_over(jobs: Jobs, migrate: Migrate, tmp_path: Path) -> None:
    jobs()
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_new.py").write_text("mine")
    run = migrate("test-scaffold", tmp_path / "new.py", "--input", tmp_path / "batches.jsonl")
    assert run.code == 2
    assert "exists" in run.err
    assert (tmp_path / "tests" / "test_new.py").read_text() == "mine"
