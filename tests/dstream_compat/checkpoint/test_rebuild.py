"""A recovery that takes the graph from the current code, with the state of yesterday's."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext

from dstream_compat import StateSpec, StreamingContext
from dstream_compat.checkpoint.graph_shape import check_shape
from dstream_compat.exceptions import BatchFailedError, CheckpointError
from dstream_compat.testing import ManualClock
from tests.support.streaming.differential import DEADLINE
from tests.support.streaming.file_runs import elsewhere
from tests.support.streaming.lives import pair, put, running
from tests.support.streaming.rebuilt_lives import (
    REBUILD,
    SEEN,
    Define,
    count_up,
    live,
    record,
    see,
    wait_for_totals,
)
from tests.support.streaming.settings import setting

__all__ = ["elsewhere"]

pytestmark = pytest.mark.slow


def first_version(lines: Any) -> None:
    lines.map(pair).updateStateByKey(running).foreachRDD(see("totals"))


def second_version(lines: Any) -> None:
    """More steps in front, another function in the state, more outputs, windows without state."""
    lines.count().foreachRDD(see("lines"))
    upper = lines.filter(lambda word: word != "skip").map(str).map(pair)
    totals = upper.updateStateByKey(lambda new, old: 100 * sum(new) + (old or 0))
    totals.transform(lambda rdd: rdd.mapValues(str)).foreachRDD(see("totals"))


def third_version(lines: Any) -> None:
    totals = lines.map(pair).updateStateByKey(running)
    totals.foreachRDD(see("totals"))
    totals.window(2, 1).foreachRDD(see("window"))


@pytest.fixture
def rebuilding(sc: SparkContext) -> Iterator[Callable[[bool], None]]:
    jconf: Any = sc._conf._jconf

    def switch(on: bool) -> None:
        if on:
            jconf.set(REBUILD, "true")
        else:
            jconf.remove(REBUILD)

    yield switch
    switch(False)


def test_state_goes_on_with_new_code(
    sc: SparkContext, tmp_path: Path, rebuilding: Callable[[bool], None]
) -> None:
    SEEN.clear()
    live(sc, tmp_path, first_version, 1, "a")
    rebuilding(True)
    live(sc, tmp_path, second_version, 5, "a")
    rebuilding(False)
    live(sc, tmp_path, None, 9, "skip")
    rebuilding(True)
    with pytest.raises(CheckpointError) as refused:
        live(sc, tmp_path, third_version, 13, "b")
    rebuilding(False)
    live(sc, tmp_path, None, 13, "b")

    totals = {at: records for name, at, records in SEEN if name == "totals"}
    assert totals[1.0] == [("a", 1)]
    assert totals[5.0] == [("a", "101")], "the old state and the new function"
    assert totals[9.0] == [("a", "101")]
    assert totals[13.0] == [("a", "101"), ("b", "100")]
    counted = {at: records for name, at, records in SEEN if name == "lines"}
    assert counted[9.0] == [1], "the rebuilt graph was saved"
    assert "window" not in {name for name, _, _ in SEEN}
    text = str(refused.value)
    assert "does not fit the current code" in text
    assert "In the checkpoint only:\n  nothing" in text
    assert "window" in text.partition("In the code only:")[2]


def test_another_default_parallelism_is_named() -> None:
    """On a cluster, unchanged code may have other numbers than before."""
    then, now = (
        ("batch interval of 1000 ms", f"query 1, stage 1: updateStateByKey, {count} partitions, on")
        for count in (4, 8)
    )
    with pytest.raises(
        CheckpointError, match=r"set spark\.default\.parallelism to the number in the"
    ):
        check_shape(then, now, "/checkpoint")
    with pytest.raises(CheckpointError, match="must stay as they were") as raised:
        check_shape(then, (*now, "query 2"), "/checkpoint")
    assert "parallelism" not in str(raised.value)


def test_the_number_of_partitions_stays(
    sc: SparkContext, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    name = "spark.streaming.compat.partitions"
    SEEN.clear()
    with setting(sc, name, "3"):
        live(sc, tmp_path, first_version, 1, "a")
    live(sc, tmp_path, None, 2, "a")
    with setting(sc, name, "3"):
        live(sc, tmp_path, None, 3, "b")
    assert not caplog.text
    with setting(sc, name, "5"):
        live(sc, tmp_path, None, 4, "b")
    assert f"{name} is 5, but the state in {tmp_path}" in caplog.text.replace("file:", "")
    assert "is in 3 partitions" in caplog.text
    totals = {at: records for seen, at, records in SEEN if seen == "totals"}
    assert totals[4.0] == [("a", 2), ("b", 2)]


def windowed(seconds: int) -> Define:
    def define(lines: Any) -> None:
        lines.map(pair).reduceByKeyAndWindow(max, None, seconds, 1).foreachRDD(see("totals"))

    return define


def mapped(timeout: int | None) -> Define:
    def define(lines: Any) -> None:
        spec = StateSpec.function(count_up)
        spec = spec if timeout is None else spec.timeout(timeout)
        lines.map(pair).mapWithState(spec).foreachRDD(see("totals"))

    return define


@pytest.mark.parametrize(
    ("then", "now", "difference"),
    [
        (windowed(4), windowed(2), "window of 2000 ms without an inverse function"),
        (mapped(None), mapped(60), "with a timeout"),
    ],
    ids=["window", "timeout"],
)
def test_state_of_another_form_is_refused(
    sc: SparkContext,
    tmp_path: Path,
    rebuilding: Callable[[bool], None],
    then: Define,
    now: Define,
    difference: str,
) -> None:
    SEEN.clear()
    live(sc, tmp_path, then, 1, "a")
    rebuilding(True)
    with pytest.raises(CheckpointError, match=rf"(?s)In the code only:.*{difference}"):
        live(sc, tmp_path, now, 2, "a")
    live(sc, tmp_path, then, 2, "a")


def test_another_timeout_is_taken(
    sc: SparkContext, tmp_path: Path, rebuilding: Callable[[bool], None]
) -> None:
    SEEN.clear()
    live(sc, tmp_path, mapped(60), 1, "a")
    rebuilding(True)
    live(sc, tmp_path, mapped(30), 2, "a")
    assert SEEN[-1] == ("totals", 2.0, [("a", 2)])


def two_states(lines: Any) -> None:
    pairs = lines.map(pair)
    pairs.updateStateByKey(running).foreachRDD(see("totals"))
    pairs.reduceByKey(max).updateStateByKey(running).foreachRDD(see("batches"))


def two_states_swapped(lines: Any) -> None:
    """The same parts, each in the same stage as before."""
    pairs = lines.map(pair)
    pairs.reduceByKey(max).updateStateByKey(running).foreachRDD(see("batches"))
    pairs.updateStateByKey(running).foreachRDD(see("totals"))


def test_state_of_another_order_is_refused(
    sc: SparkContext, tmp_path: Path, rebuilding: Callable[[bool], None]
) -> None:
    SEEN.clear()
    live(sc, tmp_path, two_states, 1, "a")
    rebuilding(True)
    with pytest.raises(CheckpointError, match="the same parts in another order"):
        live(sc, tmp_path, two_states_swapped, 3, "a")
    live(sc, tmp_path, two_states, 3, "a")
    assert [batch for batch in SEEN if batch[1] == 3.0] == [
        ("totals", 3.0, [("a", 2)]),
        ("batches", 3.0, [("a", 2)]),
    ]


def two_branches(*conditions: Any) -> Define:
    def define(lines: Any) -> None:
        for condition in conditions:
            chosen = lines if condition is None else lines.filter(condition)
            chosen.map(pair).updateStateByKey(running).foreachRDD(see("totals"))

    return define


@pytest.mark.parametrize("now", [(bool, None), (None, bool), (bool, bool)])
def test_one_of_two_branches_may_change(
    sc: SparkContext, tmp_path: Path, rebuilding: Callable[[bool], None], now: tuple[Any, ...]
) -> None:
    SEEN.clear()
    live(sc, tmp_path, two_branches(None, None), 1, "a")
    rebuilding(True)
    live(sc, tmp_path, two_branches(*now), 2, "a")
    assert SEEN[-1] == ("totals", 2.0, [("a", 2)])


def states_of(*names: str) -> Callable[[StreamingContext, Path], None]:
    def define(ssc: StreamingContext, place: Path) -> None:
        for name in names:
            (place / name).mkdir(exist_ok=True)
            totals = ssc.textFileStream(str(place / name)).map(pair).updateStateByKey(running)
            totals.foreachRDD(see("totals"))

    return define


@pytest.mark.parametrize(
    ("then", "now", "fits"),
    [
        (["clicks", "orders"], ["orders", "clicks"], False),
        (["clicks", "orders"], ["orders", "refunds"], False),
        (["clicks", "orders"], ["clicks", "refunds"], True),
        (["clicks", "orders"], ["clicks", "orders"], True),
        (["clicks", "clicks"], ["clicks", "clicks"], True),
    ],
    ids=["swapped", "one less and one more", "another folder", "same", "alike"],
)
def test_sources_and_states_keep_their_places(
    sc: SparkContext,
    tmp_path: Path,
    rebuilding: Callable[[bool], None],
    then: list[str],
    now: list[str],
    fits: bool,
) -> None:
    def begin(*names: str) -> None:
        def setup() -> StreamingContext:
            made = StreamingContext(sc, 1)
            states_of(*names)(made, tmp_path)
            return made

        ssc = StreamingContext.getOrCreate(str(tmp_path / "checkpoint"), setup)
        try:
            ssc.start()
        finally:
            ssc.stop(stopSparkContext=False)

    begin(*then)
    rebuilding(True)
    if fits:
        begin(*now)
        return
    with pytest.raises(CheckpointError) as refused:
        begin(*now)
    text = str(refused.value)
    assert f"textFileStream({tmp_path}/clicks) in the checkpoint" in text
    assert (
        f"updateStateByKey of textFileStream({tmp_path}/clicks) in the checkpoint, "
        f"updateStateByKey of textFileStream({tmp_path}/orders) in the code" in text
    )
    begin(*then)


def test_streams_that_are_defined_behind_get_or_create(
    sc: SparkContext, tmp_path: Path, rebuilding: Callable[[bool], None]
) -> None:
    """The graph is that of the current code, and may be completed until it starts."""
    SEEN.clear()
    live(sc, tmp_path, first_version, 1, "a")
    rebuilding(True)

    def setup() -> StreamingContext:
        return StreamingContext(sc, 1)

    ssc = StreamingContext.getOrCreate(str(tmp_path / "checkpoint"), setup)
    first_version(ssc.textFileStream(str(tmp_path / "in")))
    try:
        ssc.start()
        put(tmp_path / "in", 1.5, "a")
        ManualClock(ssc).advance(1)
        wait_for_totals(2)
    finally:
        ssc.stop(stopSparkContext=False)
    assert SEEN[-1] == ("totals", 2.0, [("a", 2)])


def test_files_that_came_while_the_job_was_down(
    sc: SparkContext, tmp_path: Path, rebuilding: Callable[[bool], None]
) -> None:
    """Today's code is defined after they came; the positions are those of the checkpoint."""
    SEEN.clear()
    live(sc, tmp_path, first_version, 1, "a")
    put(tmp_path / "in", 2.5, "a")
    rebuilding(True)
    # as under a system clock, which has gone on when the setup function runs
    live(sc, tmp_path, at_another_time(first_version, 3000), 5, "b")
    totals = {at: records for name, at, records in SEEN if name == "totals"}
    assert totals[3.0] == [("a", 2)]
    assert totals[5.0] == [("a", 2), ("b", 1)]


def at_another_time(define: Define, now: int) -> Define:
    def defined(lines: Any) -> None:
        vars(lines._node.source)["since"] = now
        define(lines)

    return defined


FAILING = threading.Event()


def fails_at_first(at: datetime, rdd: Any) -> None:
    if FAILING.is_set():
        raise OSError("the database is down")
    record("kept", at, rdd)


def with_a_failing_output(lines: Any) -> None:
    totals = lines.map(pair).updateStateByKey(running)
    totals.foreachRDD(see("totals"))
    totals.foreachRDD(fails_at_first)


def with_other_numbers(lines: Any) -> None:
    lines.map(str)  # of no use, but every stream behind it has another number now
    lines.filter(bool)
    with_a_failing_output(lines)


def with_another_stream(lines: Any) -> None:
    with_a_failing_output(lines.filter(lambda word: word != "skip"))


def test_failed_batches_run_again_with_new_code(
    sc: SparkContext, tmp_path: Path, rebuilding: Callable[[bool], None]
) -> None:
    SEEN.clear()
    FAILING.set()
    live(sc, tmp_path, with_a_failing_output, 1, "a")
    FAILING.clear()
    rebuilding(True)
    (graph,) = (tmp_path / "checkpoint").glob("dstream-compat/run-*/graph")
    saved = graph.read_bytes()
    with pytest.raises(CheckpointError, match=r"batch of 1000 ms failed .* delete .*failed/1000 "):
        live(sc, tmp_path, with_another_stream, 3, "b")
    assert graph.read_bytes() == saved, "the advice is to start with the code of then"
    live(sc, tmp_path, with_other_numbers, 3, "b")
    rebuilding(False)
    kept = [(at, records) for name, at, records in SEEN if name == "kept"]
    assert kept[0] == (1.0, [("a", 1)]), "the failed batch comes first, with its own records"
    assert kept[-1] == (3.0, [("a", 1), ("b", 1)])
    assert not list((tmp_path / "checkpoint").glob("dstream-compat/run-*/failed/*"))


def fail(line: str) -> str:
    raise ValueError(f"no {line}")


def test_a_batch_of_another_file_system_is_read_after_a_move_to_a_local_folder(
    sc: SparkContext,
    tmp_path: Path,
    rebuilding: Callable[[bool], None],
    elsewhere: Callable[[Path], str],
) -> None:
    """Its input was planned as a file that only a JVM reads; the new source needs none."""
    (tmp_path / "in").mkdir()
    before, checkpoint = elsewhere(tmp_path / "in"), str(tmp_path / "checkpoint")
    SEEN.clear()

    def job(folder: str, function: Callable[[str], str]) -> StreamingContext:
        ssc = StreamingContext(sc, 1)
        ssc.textFileStream(folder).map(function).foreachRDD(see("totals"))
        return ssc

    ssc = StreamingContext.getOrCreate(checkpoint, lambda: job(before, fail))
    try:
        ssc.start()
        put(tmp_path / "in", 0.5, "a")
        ManualClock(ssc).advance_to(1)
        with pytest.raises(BatchFailedError, match="no a"):
            ssc.awaitTerminationOrTimeout(DEADLINE)
    finally:
        ssc.stop(stopSparkContext=False)
    rebuilding(True)
    ssc = StreamingContext.getOrCreate(checkpoint, lambda: job(str(tmp_path / "in"), str))
    try:
        ssc.start()
        wait_for_totals(1)
    finally:
        ssc.stop(stopSparkContext=False)
    assert SEEN[0] == ("totals", 1.0, ["a"])
