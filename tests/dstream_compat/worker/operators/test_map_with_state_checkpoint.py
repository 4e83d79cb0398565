"""Checkpoint intervals of mapWithState, and a recovery where only its snapshots are an output."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext

from dstream_compat import StateSpec, StreamingContext
from tests.support.streaming.lives import pair
from tests.support.streaming.rebuilt_lives import SEEN, count_up, live, see
from tests.support.streaming.refusals import refusal

pytestmark = pytest.mark.slow


def snapshots_only(lines: Any) -> None:
    mapped = lines.flatMap(str.split).map(pair).mapWithState(StateSpec.function(count_up))
    mapped.checkpoint(2)
    mapped.stateSnapshots().foreachRDD(see("totals"))


def test_snapshots_go_on_after_a_recovery(sc: SparkContext, tmp_path: Path) -> None:
    SEEN.clear()
    live(sc, tmp_path, snapshots_only, 1, "a b")
    live(sc, tmp_path, None, 3, "a")
    live(sc, tmp_path, None, 4, "c")
    totals = {at: records for name, at, records in SEEN if name == "totals"}
    assert totals == {
        1.0: [("a", 1), ("b", 1)],
        2.0: [("a", 1), ("b", 1)],
        3.0: [("a", 2), ("b", 1)],
        4.0: [("a", 2), ("b", 1), ("c", 1)],
    }


@pytest.mark.parametrize("seconds", [1.5, 0.5])
@pytest.mark.parametrize("snapshots", [False, True])
def test_unfit_intervals_are_those_of_other_state(
    sc: SparkContext, seconds: float, snapshots: bool
) -> None:
    def start(define: Any) -> BaseException | None:
        ssc = StreamingContext(sc, 1)
        stream = define(ssc.queueStream([[("a", 1)]])).checkpoint(seconds)
        (
            stream.stateSnapshots() if snapshots and hasattr(stream, "stateSnapshots") else stream
        ).foreachRDD(lambda rdd: None)
        error = refusal(ssc.start)
        ssc.stop(stopSparkContext=False)
        return error

    mapped = start(lambda s: s.mapWithState(StateSpec.function(count_up)))
    other = start(lambda s: s.updateStateByKey(lambda new, old: 1))
    assert mapped is not None and other is not None
    assert type(mapped) is type(other)
    assert str(mapped) == str(other).replace("updateStateByKey", "mapWithState")
