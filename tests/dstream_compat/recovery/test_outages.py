"""A service that functions need is away, and the job ends on the error: a restart makes it good."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.support.streaming.processes import run_job

pytestmark = pytest.mark.slow

KINDS = ("map", "state behind it", "state", "window", "second query")


def lines_of(out: str) -> list[str]:
    """Return what was shown of the batches that have input."""
    return [line for line in out.splitlines() if re.match("batch [1-5]:", line)]


@pytest.mark.parametrize(
    ("engine", "kind"),
    [(engine, kind) for engine in ("real", "ours") for kind in KINDS],
)
@pytest.mark.full
def test_failed_batch_is_computed_again(tmp_path: Path, engine: str, kind: str) -> None:
    checkpoint, away = str(tmp_path / "checkpoint"), tmp_path / "away"
    (tmp_path / "checkpoint-in").mkdir()
    for second in range(1, 6):
        path = tmp_path / "checkpoint-in" / f"part-{second}"
        path.write_text("a\n" * second)
        os.utime(path, (second, second))
    first = run_job("outage", engine, checkpoint, kind, "1", "2")
    assert first.code == 0, first.err[-3000:]
    away.touch()
    for _ in range(2):  # a restart does not help as long as it is away
        second_life = run_job("outage", engine, checkpoint, kind, "3", "3")
        assert second_life.code == 1, second_life.out
        assert "the service is away" in second_life.err
        assert "batch 3" not in second_life.out
    away.unlink()
    last = run_job("outage", engine, checkpoint, kind, "3", "5")
    assert last.code == 0, last.err[-3000:]
    lines: list[object] = [["a"] * second for second in range(1, 6)]
    totals: list[object] = [[("a", total)] for total in (1, 3, 6, 10, 15)]
    seen = lines if kind == "map" else totals
    expected = [f"batch {number}: {records}" for number, records in enumerate(seen, 1)]
    assert lines_of(first.out) == expected[:2]
    assert [line for line in lines_of(last.out) if line in expected[2:]] == expected[2:]
    assert set(lines_of(last.out)) <= set(expected)
