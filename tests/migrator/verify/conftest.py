"""A verification whose jobs are run by a process that takes the place of Spark."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from migrator.verify import many, process, session
from tests.support.migrator import fake_run_job
from tests.support.migrator.recorded_project import START, record, write
from tests.support.migrator.runs import JOB

OLD = "from pyspark.streaming import StreamingContext\nssc.start()\n"
NEW = "from dstream_compat import StreamingContext\nssc.start()\n"
BATCHES = [["a b", "b"], ["a b"], [], ["x y", "b a", "z z", "q c"], ["b"]]


@pytest.fixture
def jobs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str | Path]]:
    """Writes a job, its migrated form and batches; gives the arguments of `migrate verify`."""
    monkeypatch.setattr(process, "COMMAND", (sys.executable, fake_run_job.__file__))
    monkeypatch.setattr(session, "COMMAND", (*process.COMMAND, "serve"))

    def write(new: str = "", old: str = "", batches: Any = BATCHES) -> list[str | Path]:
        job, migrated, recording = (tmp_path / n for n in ("job.py", "new.py", "batches.jsonl"))
        job.write_text(f"{OLD}# {old}\n" if "\n" not in old else old)
        migrated.write_text(f"{NEW}# {new}\n")
        lines: list[Any] = [{"format": 1, "interval": 1, "sources": {"socket:9999": {}}}]
        lines += [
            {"batch": number, "input": {"socket:9999": batch}}
            for number, batch in enumerate(batches, 1)
            if batch
        ]
        recording.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return [
            *("verify", job, "--migrated", migrated, "--input", recording),
            *("--out", tmp_path / "out"),
        ]

    return write


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with two recorded jobs and one without a recording; no job is run by Spark."""
    command = (sys.executable, "-c", START + "from migrator.cli.main import main; sys.exit(main())")
    monkeypatch.setattr(many, "COMMAND", command)
    monkeypatch.chdir(tmp_path)
    root = tmp_path / "project"
    for name in ("one.py", "sub/two.py", "other.py"):
        write(root / name, JOB)
    write(root / "plain.py", "print()\n")
    record(root / "recordings" / "one.jsonl")
    record(root / "recordings" / "sub" / "two" / "batches.jsonl")
    return root
