"""The states of operators, from what the state store has."""

from __future__ import annotations

import pickle

import pytest

from dstream_compat.exceptions import CheckpointError
from dstream_compat.worker.dict_state import DictState
from dstream_compat.worker.operators.base import SlotOp
from dstream_compat.worker.operators.map_with_state import MapWithState
from dstream_compat.worker.operators.update_state import UpdateStateByKey
from dstream_compat.worker.stored_states import stored_pairs


def operator(kind: type[SlotOp], timeout: int | None = None) -> SlotOp:
    op = object.__new__(kind)
    for name, value in {"number": 1, "timeout": timeout}.items():
        object.__setattr__(op, name, value)
    return op


def test_states_of_one_operator() -> None:
    state = DictState()
    state.put("1/0/3", pickle.dumps({"a": 1}))
    state.put("1/2/0", pickle.dumps({"b": (2, 3)}))
    state.put("2/0/0", pickle.dumps({"other": 1}))
    state.put("0/5000", b"a batch of a window")
    state.put("1/0/size", b"no dict")
    state.put("1/0/ages/0", b"no dict")
    assert [*stored_pairs(operator(UpdateStateByKey), state)] == [("a", 1), ("b", (2, 3))]


def test_states_that_may_time_out() -> None:
    state = DictState()
    state.put("1/0/0", pickle.dumps({"a": ("state", 5000)}))
    assert [*stored_pairs(operator(MapWithState, 10), state)] == [("a", "state")]
    assert [*stored_pairs(operator(MapWithState), state)] == [("a", ("state", 5000))]


def test_a_state_that_has_failed_is_none() -> None:
    state = DictState()
    state.put("1/3/error", b"")
    with pytest.raises(CheckpointError, match="the state of partition 3 has ended with an error"):
        [*stored_pairs(operator(UpdateStateByKey), state)]
