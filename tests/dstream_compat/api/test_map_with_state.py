"""mapWithState: what Spark's contract asks, since DStreams never had it in Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

import pytest
from pyspark import SparkContext

from dstream_compat import State, StateSpec
from tests.support.streaming.differential import PACES, START, Case, Outcomes, run_ours
from tests.support.streaming.stepwise import Run

PAIRS: list[list[Any]] = [
    [("a", 1), ("b", 2), ("a", 3)],
    [("a", 10)],
    [],
    [("c", 5), ("b", -2)],
    [],
    [],
    [("d", 1)],
]


def running(key: str, value: int | None, state: State) -> Any:
    state.update(state.getOption() or 0)
    state.update(state.get() + (value or 0))
    return key, state.get()


def quiet_when_odd(time: datetime, key: str, value: int | None, state: State) -> Any:
    state.update((state.getOption() or 0) + (value or 0))
    return None if state.get() % 2 else (time.timestamp(), key, state.get())


def remove_when_negative(key: str, value: int | None, state: State) -> Any:
    existed = state.exists()
    if value is not None and value < 0:
        state.remove()
    else:
        state.update(value)
    return key, existed, state.exists(), str(state)


def update_after_remove(key: str, value: int | None, state: State) -> Any:
    state.update(1)
    state.remove()
    state.update(2)


def say_timeouts(key: str, value: int | None, state: State) -> Any:
    if state.isTimingOut():
        return key, value, "timed out", state.get()
    state.update(value)
    return key, value, "updated", state.get()


def what_was_before(key: str, value: int | None, state: State) -> Any:
    if state.isTimingOut():
        return key, "timed out", state.get()
    before = state.getOption()
    assert value is not None
    if value < 0:
        state.remove()
    else:
        state.update(value)
    return key, before, value


def only_touch(key: str, value: int | None, state: State) -> Any:
    if state.isTimingOut():
        return key, "timed out"
    if not state.exists():
        state.update("set")
    return key, "touched"


def update_in_timeout(key: str, value: int | None, state: State) -> Any:
    state.update(0)


def never_stored(key: str, value: int | None, state: State) -> Any:
    return key, state.exists(), state.getOption()


def get_absent(key: str, value: int | None, state: State) -> Any:
    return state.get()


INITIAL = [("a", 100), ("z", 26)]


def spec(function: Callable[..., Any]) -> StateSpec:
    return StateSpec.function(function)


def initial(s: Any, ssc: Any) -> Any:
    return s.mapWithState(spec(running).initialState(ssc.sparkContext.parallelize(INITIAL)))


def two_snapshots(s: Any, _: Any) -> Any:
    mapped = s.mapWithState(spec(running))
    first, second = mapped.stateSnapshots(), mapped.stateSnapshots()
    return first.union(second)


CASES = [
    Case("running", lambda s, _: s.mapWithState(spec(running)), PAIRS),
    Case("snapshots", lambda s, _: s.mapWithState(spec(running)).stateSnapshots(), PAIRS),
    Case("snapshots-twice", two_snapshots, PAIRS),
    Case("four-arguments", lambda s, _: s.mapWithState(spec(quiet_when_odd)), PAIRS),
    Case(
        "comes-back",
        lambda s, _: s.mapWithState(spec(what_was_before).timeout(2)),
        [[("a", 1)], [("a", -1)], [("a", 2)], [], [], [], [("a", 3)]],
        intervals=8,
    ),
    Case("remove", lambda s, _: s.mapWithState(spec(remove_when_negative)), PAIRS),
    Case(
        "remove-snapshots",
        lambda s, _: s.mapWithState(spec(remove_when_negative)).stateSnapshots(),
        PAIRS,
    ),
    Case("update-removed", lambda s, _: s.mapWithState(spec(update_after_remove)), PAIRS),
    Case("timeout", lambda s, _: s.mapWithState(spec(say_timeouts).timeout(2)), PAIRS, intervals=9),
    Case(
        "timeout-snapshots",
        lambda s, _: s.mapWithState(spec(say_timeouts).timeout(2)).stateSnapshots(),
        PAIRS,
        intervals=9,
    ),
    Case(
        "touch",
        lambda s, _: s.mapWithState(spec(only_touch).timeout(2)),
        [[("k", i)] for i in range(5)],
        intervals=9,
    ),
    Case(
        "update-timing-out",
        lambda s, _: s.mapWithState(spec(update_in_timeout).timeout(2)),
        [[("k", 1)]],
        intervals=9,
    ),
    Case("initial", initial, PAIRS),
    Case(
        "initial-timeout",
        lambda s, c: s.mapWithState(
            spec(say_timeouts).initialState([("a", 100), ("z", 26)]).timeout(2)
        ),
        PAIRS,
        intervals=9,
    ),
    Case("initial-snapshots", lambda s, c: initial(s, c).stateSnapshots(), PAIRS),
    Case("never-stored", lambda s, _: s.mapWithState(spec(never_stored)), PAIRS),
    Case("absent", lambda s, _: s.mapWithState(spec(get_absent)), PAIRS),
    Case("partitions", lambda s, _: s.mapWithState(spec(running).numPartitions(3)), PAIRS),
    Case(
        "partitioner",
        lambda s, _: s.mapWithState(spec(running).partitioner(2, lambda k: ord(k) - ord("a"))),
        PAIRS,
    ),
    Case("then-count", lambda s, _: s.mapWithState(spec(running)).count(), PAIRS),
]


@pytest.fixture(scope="module", params=PACES)
def outcomes(sc: SparkContext, request: pytest.FixtureRequest) -> Outcomes:
    return run_ours(sc, CASES, request.param)


def records(outcomes: Outcomes, name: str) -> list[Any]:
    """Return the records of each batch, sorted; partitions are flattened."""
    batches = outcomes[name].batches
    return [
        parts if isinstance(parts, str) else sorted((r for part in parts for r in part), key=repr)
        for _, parts in sorted(batches.items())
    ]


pytestmark = pytest.mark.slow


def test_runs_once_per_record_and_only_for_keys_with_data(outcomes: Outcomes) -> None:
    assert records(outcomes, "running")[:7] == [
        [("a", 1), ("a", 4), ("b", 2)],
        [("a", 14)],
        [],
        [("b", 0), ("c", 5)],
        [],
        [],
        [("d", 1)],
    ]


def test_records_of_a_key_come_in_their_order(sc: SparkContext) -> None:
    def listed(key: str, value: int, state: State) -> Any:
        state.update([*(state.getOption() or []), value])
        return key, state.get()

    numbers = range(600)
    with Run(sc) as run:
        rdd = sc.parallelize([("even" if i % 2 == 0 else "odd", i) for i in numbers], 8)
        run.keep("states", run.ssc.queueStream([rdd]).mapWithState(spec(listed)).stateSnapshots())
        run.start().advance()
        assert run.batches("states") == [
            [("even", [*numbers][::2]), ("odd", [*numbers][1::2])],
        ]


def test_snapshots_hold_every_key_in_every_batch(outcomes: Outcomes) -> None:
    assert records(outcomes, "snapshots")[:7] == [
        [("a", 4), ("b", 2)],
        [("a", 14), ("b", 2)],
        [("a", 14), ("b", 2)],
        [("a", 14), ("b", 0), ("c", 5)],
        [("a", 14), ("b", 0), ("c", 5)],
        [("a", 14), ("b", 0), ("c", 5)],
        [("a", 14), ("b", 0), ("c", 5), ("d", 1)],
    ]


def test_two_snapshots_are_equal(outcomes: Outcomes) -> None:
    once, twice = records(outcomes, "snapshots"), records(outcomes, "snapshots-twice")
    assert twice == [sorted(batch * 2, key=repr) for batch in once]


def test_four_arguments_get_the_batch_time_and_none_emits_nothing(outcomes: Outcomes) -> None:
    got = records(outcomes, "four-arguments")
    assert got[0] == [(START + 1.0, "a", 4), (START + 1.0, "b", 2)]
    assert got[1] == [(START + 2.0, "a", 14)]
    assert got[3] == [(START + 4.0, "b", 0)]


def test_removed_state_is_gone(outcomes: Outcomes) -> None:
    assert records(outcomes, "remove")[3] == [
        ("b", True, False, "State[N/A]"),
        ("c", False, True, "State[5]"),
    ]
    assert records(outcomes, "remove-snapshots")[3] == [("a", 10), ("c", 5)]


def test_a_key_that_comes_back_begins_anew(outcomes: Outcomes) -> None:
    """After it was removed, and after it has timed out."""
    assert records(outcomes, "comes-back")[:7] == [
        [("a", None, 1)],
        [("a", 1, -1)],
        [("a", None, 2)],
        [],
        [],
        [("a", "timed out", 2)],
        [("a", None, 3)],
    ]


def test_updating_removed_state_fails_the_batch(outcomes: Outcomes) -> None:
    message = "error: ValueError: Cannot update the state after it has been removed"
    assert records(outcomes, "update-removed")[0] == message


def test_times_out_in_the_first_batch_later_than_last_update_plus_timeout(
    outcomes: Outcomes,
) -> None:
    assert records(outcomes, "timeout") == [
        [("a", 1, "updated", 1), ("a", 3, "updated", 3), ("b", 2, "updated", 2)],
        [("a", 10, "updated", 10)],
        [],
        [("b", -2, "updated", -2), ("c", 5, "updated", 5)],
        [("a", None, "timed out", 10)],
        [],
        [("b", None, "timed out", -2), ("c", None, "timed out", 5), ("d", 1, "updated", 1)],
        [],
        [],
    ]
    assert records(outcomes, "timeout-snapshots")[6] == [("d", 1)]


def test_touching_a_key_puts_its_timeout_off(outcomes: Outcomes) -> None:
    got = records(outcomes, "touch")
    assert got[:5] == [[("k", "touched")]] * 5
    assert got[5:8] == [[], [], [("k", "timed out")]]


def test_updating_a_key_that_times_out_fails_the_batch(outcomes: Outcomes) -> None:
    message = "error: ValueError: Cannot update the state that is timing out"
    assert records(outcomes, "update-timing-out")[3] == message


def test_initial_state(outcomes: Outcomes) -> None:
    assert records(outcomes, "initial")[0] == [("a", 101), ("a", 104), ("b", 2)]
    assert records(outcomes, "initial-snapshots")[0] == [("a", 104), ("b", 2), ("z", 26)]


def test_initial_state_is_as_old_as_the_first_batch(outcomes: Outcomes) -> None:
    plain, got = (records(outcomes, name) for name in ("timeout", "initial-timeout"))
    assert got[3] == sorted([*plain[3], ("z", None, "timed out", 26)], key=repr)
    assert got[:3] + got[4:] == plain[:3] + plain[4:]


def test_state_that_is_not_updated_is_not_stored(outcomes: Outcomes) -> None:
    got = records(outcomes, "never-stored")
    assert got[0] == [("a", False, None)] * 2 + [("b", False, None)]
    assert got[1] == [("a", False, None)]


def test_reading_absent_state_fails_the_batch(outcomes: Outcomes) -> None:
    assert records(outcomes, "absent")[0] == "error: LookupError: State is not set"


def test_partitions(outcomes: Outcomes) -> None:
    assert len(outcomes["partitions"].batches[1.0]) == 3
    parts: Sequence[Any] = outcomes["partitioner"].batches[1.0]
    assert [sorted({key for key, _ in part}) for part in parts] == [["a"], ["b"]]


def test_count_of_the_result(outcomes: Outcomes) -> None:
    assert records(outcomes, "then-count")[:4] == [[3], [1], [0], [2]]
