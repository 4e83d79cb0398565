"""updateStateByKey's operator without Spark: what it reads, writes and calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from dstream_compat.wire.frames import RECORDS, Frame, Intervals, dumps
from dstream_compat.worker.operators.base import Context
from dstream_compat.worker.operators.update_state import UpdateStateByKey
from tests.support.streaming.counting import Counting

ZERO = 1_800_000_000_000


def run(op: Any, state: Counting, number: int, pairs: Sequence[tuple[Any, list[Any]]]) -> Any:
    """Run one batch of one partition; returns its records."""
    state.forget()
    tick = ZERO + 1000 * number
    frames = [Frame(RECORDS, 2, tick, 0, 0, len(pairs), (0,), dumps(list(pairs)))]
    at = Context(tick, 0, Intervals(tick - 1000, tick, ZERO, 1000), state, 1)
    ((_, _, records),) = op.run(at, frames, None)
    return dict(records)


def operator(update: Any) -> Any:
    return UpdateStateByKey(2, 1, 1000, 1000, update)


def buckets(state: Counting) -> set[str]:
    return {name for name in state.wrote if not name.endswith("error")}


def running_sum(new: list[int], old: int | None) -> int:
    return sum(new) + (old or 0)


def last_or_none(new: list[Any], old: Any) -> Any:
    return new[-1] if new else old


KEYS: list[tuple[Any, list[Any]]] = [(f"key-{number}", [number]) for number in range(200)]


@pytest.mark.parametrize("update", [running_sum, last_or_none])
def test_only_what_changed_is_written(update: Any) -> None:
    op, state = operator(update), Counting()
    first = run(op, state, 1, KEYS)
    assert first == {f"key-{number}": number for number in range(200)}
    assert len(buckets(state)) == op.buckets
    assert run(op, state, 2, []) == first
    assert not state.wrote
    found = run(op, state, 3, [("key-7", [1000])])
    assert found == first | {"key-7": update([1000], 7)}
    assert len(buckets(state)) == 1


def test_an_empty_bucket_is_never_removed() -> None:
    op, state = operator(last_or_none), Counting()
    assert run(op, state, 1, []) == {}
    assert not state.wrote


def test_a_bucket_that_loses_its_last_key_is_removed() -> None:
    op, state = operator(lambda new, old: new[-1] if new else None), Counting()
    run(op, state, 1, [("a", [1])])
    assert run(op, state, 2, []) == {}
    assert list(state.wrote.values()) == [None]
    assert not state.values


def test_a_running_sum_is_called_where_not_all_states_are_ints() -> None:
    op, state = operator(running_sum), Counting()
    assert repr(run(op, state, 1, [("a", [0.0])])) == "{'a': 0.0}"
    assert repr(run(op, state, 2, [])) == "{'a': 0}", "0 + (0.0 or 0) is an int"


def test_what_consumers_change_is_not_stored() -> None:
    op, state = operator(lambda new, old: (old or []) + new), Counting()
    found = run(op, state, 1, [("a", [1])])
    found["a"].append("changed")
    assert run(op, state, 2, []) == {"a": [1]}
