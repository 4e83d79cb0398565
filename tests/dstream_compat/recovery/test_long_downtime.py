"""A job that was away for longer than files and micro-batches remember."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pyspark.streaming as real
import pytest
from pyspark import SparkContext

import dstream_compat as ours
from dstream_compat.testing import ManualClock
from tests.support.streaming.files import put
from tests.support.streaming.same_lives import BEGIN, SEEN, Lives, contents, same
from tests.support.streaming.settings import setting

pytestmark = [pytest.mark.slow, pytest.mark.full]

BACK, END = 203, 205
FILES = {second: f"w{second % 4} all {second}" for second in range(7, BACK + 1, 7)}

Log = list[tuple[str, float, Any]]


class Away(Lives):
    """A job whose folder gets a file every seven seconds, and one that is older than the job."""

    def put(self, second: int) -> None:
        name, line = f"part-{second}", FILES.get(second)
        if line is not None and not (self.folder / name).exists():
            put(self.folder, name, second, f"{line}\n".encode())
        if second == 50 and not (self.folder / "old").exists():
            put(self.folder, "old", BEGIN - 0.5, b"old\n")

    def catch_up_until(self, reached: int) -> Log:
        """Come back and be stopped in the middle of catching up."""
        SEEN.log = []
        for second in range(BACK + 1):
            self.put(second)
        self.ssc = self.engine.StreamingContext.getOrCreate(self.checkpoint, self.setup)
        ManualClock(self.ssc).advance_to(BACK)
        self.ssc.start()
        SEEN.wait(reached)
        self.end(graceful=False)
        return SEEN.log


def expected() -> dict[tuple[str, float], Any]:
    """Return what each output has in each batch."""
    found: dict[tuple[str, float], Any] = {}
    totals: Counter[str] = Counter()
    known: set[str] = set()
    for at in range(BEGIN + 1, END + 1):
        words = {t: FILES.get(t, "").split() for t in range(at - 5, at + 1)}
        totals.update(words[at])
        known.update(words[at])
        window = Counter(word for batch in words.values() for word in batch)
        found["last", at] = words[at]
        found["totals", at] = list(totals.items())
        found["inverse", at] = [(word, window[word]) for word in known]
        if at % 2:
            found["windows", at] = [word for t in range(at - 2, at + 1) for word in words[t]]
    return {batch: sorted(records, key=repr) for batch, records in found.items()}


def batch_times(log: Log) -> list[float]:
    return [at for name, at, _ in log if name == "last"]


def test_two_hundred_batches(sc: SparkContext, tmp_path: Path) -> None:
    away = Away(ours, sc, tmp_path, everything=False)
    logs = [away.live(BEGIN, 4), away.live(BACK, END)]
    assert SEEN.setups == 1
    assert batch_times(logs[0]) == [2, 3, 4]
    # what ran when the job was stopped may run again
    assert batch_times(logs[1]) in ([*range(first, END + 1)] for first in (2, 3, 4, 5))
    assert contents(logs) == expected()


def test_a_second_recovery_in_the_middle(sc: SparkContext, tmp_path: Path) -> None:
    away = Away(ours, sc, tmp_path, everything=False)
    logs = [away.live(BEGIN, 4), away.catch_up_until(90), away.live(BACK, END)]
    assert SEEN.setups == 1
    for log in logs[1:]:
        times = batch_times(log)
        assert times == [*range(int(times[0]), int(times[-1]) + 1)]
    assert 90 <= batch_times(logs[1])[-1] < BACK
    # at most a whole micro-batch runs again
    assert 60 < batch_times(logs[2])[0] <= batch_times(logs[1])[-1] + 1
    assert contents(logs) == expected()


def test_same_as_dstreams(sc: SparkContext, tmp_path: Path) -> None:
    found = []
    with setting(sc, "spark.streaming.manualClock.jump", "90000"):
        for engine in (real, ours):
            away = Away(engine, sc, tmp_path / engine.__name__, everything=True)
            found.append(contents([away.live(BEGIN, 3), away.live(93, 95)]))
    assert same(found)
    assert [at for name, at in found[1] if name == "last"] == [*range(2, 96)]
    assert {at: words for (name, at), words in found[1].items() if name == "last" and words} == {
        at: sorted(FILES[at].split()) for at in range(7, 96, 7)
    }
