"""Faults are caught by the command itself, also in a job of Structured Streaming."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from migrator.verify import check
from migrator.verify.check import Migrated, migrate_copy
from tests.support.migrator.runs import Run

HERE = Path(__file__).parent / "planted"

Migrate = Callable[..., Run]
pytestmark = [pytest.mark.slow, pytest.mark.full]


@pytest.fixture
def wrong(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Makes the migration wrong: a text of the copy becomes another one."""

    def plant(old: str, new: str) -> None:
        def migrated(job: Path, target: str, folder: Path) -> Migrated:
            made = migrate_copy(job, target, folder)
            text = made.job.read_text()
            assert old in text
            assert made.engine == target
            made.job.write_text(text.replace(old, new))
            return made

        monkeypatch.setattr(check, "migrate_copy", migrated)

    return plant


def recording(folder: Path, *batches: list[str]) -> Path:
    lines: list[dict[str, Any]] = [{"format": 1, "interval": 1, "sources": {"socket:9999": {}}}]
    lines += [
        {"batch": number, "input": {"socket:9999": batch}}
        for number, batch in enumerate(batches, 1)
    ]
    path = folder / "batches.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_wrong_rows_for_a_function_of_a_query(
    migrate: Migrate, tmp_path: Path, wrong: Callable[[str, str], None]
) -> None:
    wrong("> 2", ">= 2")
    given = recording(tmp_path, ["the storm"], ["a b"], ["it was"])
    run = migrate(
        *("verify", HERE / "storing.py", "--target", "structured", "--input", given),
        *("--out", tmp_path / "out", "--no-shrink"),
    )
    assert run.code == 1, run.out + run.err
    assert "different, first in batch 3, foreachRDD at storing.py:18: the rows differ" in run.out
    assert "operator: where at storing.py:17 (in the migrated job only)" in run.out
    assert "(word='it')" in run.out


def test_right_rows_for_a_function_of_a_query(migrate: Migrate, tmp_path: Path) -> None:
    given = recording(tmp_path, ["the storm"], ["a b"], ["it was"])
    run = migrate(
        *("verify", HERE / "storing.py", "--target", "structured", "--input", given),
        *("--out", tmp_path / "out"),
    )
    assert run.code == 0, run.out + run.err
    assert "1 output; rows: 3 old, 3 new, 3 in both" in run.out
    assert "what the function of foreachRDD at storing.py:18 does by other means" in run.out


def test_a_migrated_job_that_fails_in_an_earlier_batch(
    migrate: Migrate, tmp_path: Path, wrong: Callable[[str, str], None]
) -> None:
    wrong('(row["user"], row["n"])', '(row["user"].lower(), row["n"])')
    ok = json.dumps({"user": "ann", "n": 1})
    given = recording(
        tmp_path, [ok], [json.dumps({"user": 7, "n": 1})], [ok, json.dumps({"user": 7})]
    )
    run = migrate(
        *("verify", HERE / "records.py", "--input", given, "--out", tmp_path / "out"),
        *("--shrink-time", "120"),
    )
    assert run.code == 1, run.out + run.err
    assert "the original fails in batch 3 with KeyError: 'n'; the migrated job fails in " in run.out
    assert "batch 2 with AttributeError: 'int' object has no attribute 'lower'" in run.out
    assert "operator: map at records.py:12" in run.out
    assert "(1 batch, 1 record)" in run.out
    assert (tmp_path / "out" / "test_records.py").exists()
