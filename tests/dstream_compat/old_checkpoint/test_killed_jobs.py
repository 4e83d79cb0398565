"""A job is killed within a batch on Spark's DStreams and goes on here; its code is unchanged."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from scripts.test_versions import Skipped
from tests.support.old_engine.running import OldJob, expected, old_pyspark
from tests.support.streaming.checkpoints import tree

pytestmark = [pytest.mark.slow, pytest.mark.full]

KILLED, LAST = 7, 12
OUTPUTS = ("sums", "pairs", "tallies", "window", "last")


@pytest.mark.parametrize(
    ("version", "codec"), [("4.3", "lz4"), ("4.3", "zstd"), ("3.5.9", "lz4"), ("3.5.9", "snappy")]
)
def test_totals_are_those_of_plain_python(version: str, codec: str, tmp_path: Path) -> None:
    job = OldJob(tmp_path)
    try:
        python = Path(sys.executable) if version == "4.3" else old_pyspark(version, "3.11")
    except Skipped as reason:
        pytest.skip(str(reason))
    job.live(python, KILLED, codec)
    before = tree(job.checkpoint)
    said = job.go_on(KILLED + 1, LAST)
    assert tree(job.checkpoint) == before
    for name in ("#1 updateStateByKey", "#2 updateStateByKey", "#3 updateStateByKey", "#4 reduce"):
        assert name in said

    old, new = job.log("checkpoint"), job.log("new")
    for name, second, found in [*old, *new]:
        assert found == expected(name, second), (name, second)
    ran = {name: [second for other, second, _ in new if other == name] for name in OUTPUTS}
    first = ran["sums"][0]
    assert first <= KILLED  # the batch in which it was killed runs again, as a whole
    assert ran == {name: list(range(first, LAST + 1)) for name in OUTPUTS}
