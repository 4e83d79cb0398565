"""Recovery from a checkpoint, against DStreams: downtime, windows, state, failed batches."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyspark.streaming as real
import pytest
from pyspark import SparkContext

import dstream_compat as ours
from dstream_compat.testing import ManualClock
from tests.support.streaming.same_lives import BEGIN, SEEN, Lives, contents, same
from tests.support.streaming.settings import setting

pytestmark = pytest.mark.slow


# A checkpoint of DStreams holds these functions by name.


@pytest.fixture
def down_for(sc: SparkContext) -> Iterator[int]:
    """Let a recovered manual clock of DStreams stand two seconds later."""
    with setting(sc, "spark.streaming.manualClock.jump", "2000"):
        yield 2


def test_downtime_has_its_batches(sc: SparkContext, tmp_path: Path, down_for: int) -> None:
    found = []
    for engine in (real, ours):
        lives = Lives(engine, sc, tmp_path / engine.__name__, everything=False)
        found.append(contents([lives.live(BEGIN, 3), lives.live(3 + down_for, 6)]))
        assert SEEN.setups == 1
    assert same(found)
    assert [at for name, at in found[1] if name == "last"] == [2, 3, 4, 5, 6]
    assert [at for name, at in found[1] if name == "windows"] == [3, 5]


@pytest.mark.full
def test_graceful_stops_have_their_batches(sc: SparkContext, tmp_path: Path, down_for: int) -> None:
    found = []
    for engine in (real, ours):
        lives = Lives(engine, sc, tmp_path / engine.__name__, everything=True)
        logs = [lives.live(BEGIN, 4)]
        logs.append(lives.live(4 + down_for, 8, graceful=True))
        again = int(ManualClock(lives.ssc).now()) + down_for
        logs.append(lives.live(again, again + 4))
        for log in logs:
            times = [at for name, at, _ in log if name == "last"]
            assert times == sorted(times)
        batches = contents(logs)
        times = [at for name, at in batches if name == "last"]
        assert times == [*range(BEGIN + 1, again + 5)]
        assert [at for name, at in batches if name == "windows"] == [at for at in times if at % 2]
        found.append({batch: batches[batch] for batch in batches if batch[1] <= 13})
    assert same(found)


@pytest.mark.full
def test_failed_batches_run_again_first(sc: SparkContext, tmp_path: Path, down_for: int) -> None:
    found, times = [], []
    for engine in (real, ours):
        lives = Lives(engine, sc, tmp_path / engine.__name__, everything=True)
        logs = []
        for start, end, failing in (
            (BEGIN, 4, {("transformed", 2), ("last", 3), ("totals", 4)}),
            (4 + down_for, 8, {("last", 3), ("transform", 7)}),
            (8 + down_for, 12, set()),
        ):
            SEEN.failing = failing
            logs.append(lives.live(start, end, noted=True))
        batches = contents(logs)
        times.append([[at for name, at, _ in log if name == "last"] for log in logs])
        found.append({batch: batches[batch] for batch in batches if batch[1] != 7})
    # The last output of batch 3 failed, that of 2 and 4 did not, and 7 was cancelled. What was last
    # may run again, too.
    for _, second, third in times:
        assert second[0] == third[0] == 3
        assert [at for at in second if at > 4] == [5, 6, 8]
        assert [at for at in third if at > 8] == [9, 10, 11, 12]
        assert 7 not in third
    assert same(found)
