"""Damaged files of a checkpoint: a recovery is exact, or its error names the file or its folder."""

from __future__ import annotations

import re
import shutil
import time
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext

from dstream_compat import StreamingContext
from dstream_compat.exceptions import DStreamCompatError
from dstream_compat.source.handover import Handover
from dstream_compat.testing import ManualClock
from tests.support.streaming.checkpoints import never, tree
from tests.support.streaming.differential import DEADLINE
from tests.support.streaming.files import put
from tests.support.streaming.jobs import totals

pytestmark = [pytest.mark.slow, pytest.mark.full]

STOPPED, END, FAILING = 4, 6, 2
LINES = {1: "a b", 2: "a c", 3: "b", 5: "a", 6: "d b"}
INITIAL = {"a": 100, "z": 1}

FORGET = Handover.forget
FOUND: dict[tuple[str, float], Any] = {}
FAILED: set[float] = set()

# A checkpoint holds these by name.


def words(at: datetime, rdd: Any) -> None:
    note("words", at, rdd)


def first(at: datetime, rdd: Any) -> None:
    note("first", at, rdd)


def second(at: datetime, rdd: Any) -> None:
    note("second", at, rdd)


def third(at: datetime, rdd: Any) -> None:
    note("third", at, rdd)
    totals.done(at, rdd)
    if at.timestamp() in FAILED:
        raise OSError("the database is down")


def note(name: str, at: datetime, rdd: Any) -> None:
    found = sorted(rdd.collect())
    assert FOUND.setdefault((name, at.timestamp()), found) == found


def pair(word: str) -> tuple[str, int]:
    return word, 1


def running(new: list[int], old: int | None) -> int:
    return sum(new) + (old or 0)


def same(rdd: Any) -> Any:
    return rdd.map(tuple)


def expected() -> dict[tuple[str, float], Any]:
    found: dict[tuple[str, float], Any] = {}
    sums = [Counter(INITIAL), Counter[str](), Counter[str]()]
    for at in range(1, END + 1):
        seen = LINES.get(at, "").split()
        found["words", at] = sorted((word, 1) for word in seen)
        sums[0].update(seen)
        sums[1].update(sums[0])
        sums[2].update(sums[1])
        for name, each in zip(("first", "second", "third"), sums, strict=True):
            found[name, at] = sorted(each.items())
    return found


def advance(ssc: Any, until: int) -> None:
    """Let a running context go on; raises what ends it."""
    clock = ManualClock(ssc)
    while clock.now() < until:
        clock.advance(1)
    deadline = time.monotonic() + DEADLINE
    while not totals.wait(until, 0.1):
        assert time.monotonic() < deadline, FOUND
        if ssc._life.wait_for_end_or_error(0):
            ssc.awaitTermination()
            pytest.fail("the job has ended without an error")


def recover(folder: Path) -> None:
    totals.forget()
    ssc = StreamingContext.getOrCreate(str(folder), never)
    try:
        ssc.start()
        advance(ssc, END)
    finally:
        ssc.stop(stopSparkContext=False)


@pytest.fixture(scope="module")
def rich(sc: SparkContext, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The checkpoint of a job with three queries and a batch whose last output failed."""
    place = tmp_path_factory.mktemp("rich")
    (place / "in").mkdir()
    ssc = StreamingContext(sc, 1)
    ssc.checkpoint(str(place / "checkpoint"))
    pairs = ssc.textFileStream(str(place / "in")).flatMap(str.split).map(pair)
    for at, line in LINES.items():
        put(place / "in", f"part-{at}", at, f"{line}\n".encode())
    sums = pairs.updateStateByKey(running, 2, sc.parallelize([*INITIAL.items()]))
    behind = sums.transform(same).updateStateByKey(running, 2)
    further = behind.transform(same).updateStateByKey(running, 2)
    pairs.foreachRDD(words)
    sums.foreachRDD(first)
    behind.foreachRDD(second)
    further.foreachRDD(third)
    FOUND.clear()
    totals.forget()
    FAILED.add(FAILING)
    with pytest.MonkeyPatch.context() as patch:
        # as if the process was killed before it dropped what was handed over last
        patch.setattr(Handover, "forget", lambda self, tick: FORGET(self, tick - 1000))
        ssc.start()
        try:
            for at in range(1, STOPPED + 1):
                advance(ssc, at)
        finally:
            ssc.stop(stopSparkContext=False)
            FAILED.clear()
    return place / "checkpoint"


KINDS = {
    "current": "current",
    "graph": "run-*/graph",
    "inputs": "run-*/inputs/[0-9]*",
    "failed": "run-*/failed/[0-9]*",
    "handed to the second": "run-*/handover-1/[0-9]*",
    "handed to the third": "run-*/handover-2/[0-9]*",
    "offsets": "run-*/query/offsets/[0-9]*",
    "commits": "run-*/query/commits/[0-9]*",
    "metadata": "run-*/query/metadata",
    "changelog": "run-*/query/state/0/0/*.changelog",
    "snapshot": "run-*/query/state/0/0/*.zip",
    "operator": "run-*/query/state/0/_metadata/v2/0",
    "schema": "run-*/query/state/0/_stateSchema/default/[0-9]*",
}
READERS = {"handed to the second": "query-1", "handed to the third": "query-2"}


def newest(paths: list[Path]) -> Path:
    return max(paths, key=lambda path: (int(path.stem) if path.stem.isdigit() else 0, path.name))


def gone_or_changed(before: dict[str, bytes], folder: Path) -> set[str]:
    after = tree(folder)
    return {name for name, data in before.items() if after.get(name) != data}


@pytest.mark.parametrize("kind", KINDS)
def test_half_a_file(rich: Path, tmp_path: Path, kind: str) -> None:
    folder = tmp_path / "checkpoint"
    shutil.copytree(rich, folder)
    root = folder / "dstream-compat"
    target = newest(list(root.glob(KINDS[kind])))
    for handed in root.glob("run-*/handover-*/[0-9]*") if kind not in READERS else ():
        handed.unlink()  # as after a stop
    whole = target.read_bytes()
    target.write_bytes(whole[: len(whole) // 2])
    if kind in READERS:  # as if the process had ended before Spark committed what was read
        newest(list(root.glob(f"run-*/{READERS[kind]}/commits/[0-9]*"))).unlink()
    before = tree(folder)
    FOUND.clear()
    try:
        recover(folder)
    except DStreamCompatError as error:
        top = root.joinpath(*target.relative_to(root).parts[:2])
        assert str(top) in str(error)
        changed = gone_or_changed(before, folder)
        if kind in READERS:
            # the queries before went on, and no longer need what they had read, nor a batch that
            # had failed and has run again
            over = r"/(inputs|handover-\d)/"
            if ("third", FAILING) in FOUND:
                over += rf"|/failed/{FAILING}000$"
            changed = {name for name in changed if not re.search(over, name)}
            assert target.read_bytes() != whole
        assert changed == set()
        target.write_bytes(whole)
        recover(folder)  # nothing was lost
    wanted = expected()
    assert wanted.items() >= FOUND.items()
    # the failed batch, and those after the stop
    assert {at for name, at in FOUND if name == "third"} >= {FAILING, *range(STOPPED + 1, END + 1)}
