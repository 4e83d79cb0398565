"""StateSpec and State by themselves."""

from __future__ import annotations

import pytest

from dstream_compat import State, StateSpec
from dstream_compat.api.stateful import takes_four


def test_absent_state() -> None:
    state = State.absent()
    assert not state.exists()
    assert state.getOption() is None
    with pytest.raises(LookupError, match="State is not set"):
        state.get()
    state.update(None)
    assert state.exists()
    assert state.get() is None


def test_a_removed_state_is_gone_for_good() -> None:
    state = State.of(1)
    state.remove()
    assert not state.exists()
    assert state.getOption() is None
    with pytest.raises(LookupError, match="State is not set"):
        state.get()
    with pytest.raises(ValueError, match="already been removed"):
        state.remove()
    with pytest.raises(ValueError, match="update the state after it has been removed"):
        state.update(2)


def test_timing_out_state_cannot_change() -> None:
    state = State.timing_out(1)
    assert state.isTimingOut()
    assert state.exists()
    assert state.get() == state.getOption() == 1
    with pytest.raises(ValueError, match="update the state that is timing out"):
        state.update(2)
    with pytest.raises(ValueError, match="remove the state that is timing out"):
        state.remove()


def test_spec_needs_a_callable() -> None:
    with pytest.raises(TypeError):
        StateSpec.function("f")  # type: ignore[arg-type]


def test_number_of_arguments() -> None:
    assert not takes_four(lambda key, value, state: None)
    assert takes_four(lambda time, key, value, state: None)
    with pytest.raises(TypeError, match="time, key, value, state"):
        takes_four(lambda key, value: None)
