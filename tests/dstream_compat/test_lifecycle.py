"""The phases of a context: only forward, and whoever waits for one is woken."""

from __future__ import annotations

import threading

import pytest

from dstream_compat.lifecycle import BatchAborted, Lifecycle, Phase
from tests.support.streaming.differential import DEADLINE


def test_phases_only_go_forward() -> None:
    life = Lifecycle()
    assert life.phase is Phase.NEW
    life.advance(Phase.HALTING)
    life.advance(Phase.RUNNING)
    assert life.phase is Phase.HALTING


def test_began_is_kept_however_it_ends() -> None:
    life = Lifecycle()
    life.advance(Phase.STARTING)
    assert not life.began
    life.advance(Phase.STOPPED)
    assert not life.began
    life.advance(Phase.RUNNING)  # its thread learns of the stop later
    assert life.began and life.phase is Phase.STOPPED


@pytest.mark.parametrize("phase", list(Phase))
def test_only_what_is_dropped_is_aborted(phase: Phase) -> None:
    life = Lifecycle()
    life.advance(phase)
    if phase < Phase.ABORTING:
        life.check()
        return
    with pytest.raises(BatchAborted):
        life.check()


def test_a_later_phase_ends_a_wait() -> None:
    life = Lifecycle()
    assert not life.wait_for(Phase.RUNNING, 0)
    thread = threading.Thread(target=life.wait_for, args=(Phase.RUNNING, DEADLINE), daemon=True)
    thread.start()
    life.advance(Phase.DRAINING)
    thread.join(DEADLINE)
    assert not thread.is_alive()


def test_an_error_of_an_output_is_reported_before_the_end() -> None:
    life = Lifecycle()
    assert not life.wait_for_end_or_error(0)
    life.report(ValueError("one"))
    assert not life.wait_for_end_or_error(DEADLINE)
    life.report(ValueError("two"))
    assert str(life.error) == "two"


def test_the_error_of_a_query_comes_before_those_of_outputs() -> None:
    life = Lifecycle()
    life.advance(Phase.RUNNING)
    life.fail(None)
    life.fail(ValueError("a query"))
    life.fail(ValueError("another query"))
    life.report(ValueError("an output"))
    life.end()
    assert life.phase is Phase.FAILED and str(life.error) == "a query"


@pytest.mark.parametrize(
    ("asked", "ends"),
    [
        (Phase.RUNNING, Phase.FAILED),
        (Phase.DRAINING, Phase.STOPPED),
        (Phase.ABORTING, Phase.STOPPED),
    ],
)
def test_an_end_that_nobody_asked_for_is_a_failure(asked: Phase, ends: Phase) -> None:
    life = Lifecycle()
    life.advance(asked)
    life.end()
    assert life.phase is ends and life.has_ended and life.wait_for_end_or_error(0)


def test_one_thread_cleans_up_and_others_wait_for_it() -> None:
    life = Lifecycle()
    assert life.begin_end()
    assert not life.begin_end()  # a signal handler of the same thread does not wait for itself
    answers: list[tuple[bool, bool]] = []
    thread = threading.Thread(
        target=lambda: answers.append((life.begin_end(), life.has_ended)), daemon=True
    )
    thread.start()
    thread.join(0.1)
    assert not answers
    life.end()
    thread.join(DEADLINE)
    assert answers == [(False, True)]
