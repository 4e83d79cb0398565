"""Ctrl-C while a job starts, without Spark."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from types import FrameType

import pytest

from dstream_compat.spark.interrupts import interrupts_held_back


def interrupt() -> None:
    os.kill(os.getpid(), signal.SIGINT)


@pytest.fixture
def handled() -> Iterator[list[int]]:
    """A handler like PySpark's, which first does something, and what it was called with."""
    calls: list[int] = []

    def handler(number: int, frame: FrameType | None) -> None:
        calls.append(number)
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, handler)
    yield calls
    signal.signal(signal.SIGINT, before)


def test_takes_effect_at_the_end(handled: list[int]) -> None:
    reached = False
    with pytest.raises(KeyboardInterrupt), interrupts_held_back():
        interrupt()
        assert not handled
        reached = True
    assert reached
    assert handled == [signal.SIGINT]


def test_second_one_takes_effect_at_once(handled: list[int]) -> None:
    reached = False
    with pytest.raises(KeyboardInterrupt), interrupts_held_back():
        interrupt()
        interrupt()
        reached = True
    assert not reached
    assert handled == [signal.SIGINT]


def test_first_one_is_told_at_once(handled: list[int]) -> None:
    told: list[list[int]] = []
    with pytest.raises(KeyboardInterrupt), interrupts_held_back(lambda: told.append([*handled])):
        interrupt()
        assert told == [[]]
    assert handled == [signal.SIGINT]


def test_is_not_lost_to_an_error_of_the_block(handled: list[int]) -> None:
    with pytest.raises(KeyboardInterrupt) as caught, interrupts_held_back():
        interrupt()
        raise ValueError("no")
    assert isinstance(caught.value.__context__, ValueError)


def test_handler_is_the_same_afterwards(handled: list[int]) -> None:
    before = signal.getsignal(signal.SIGINT)
    with interrupts_held_back():
        assert signal.getsignal(signal.SIGINT) is not before
    assert signal.getsignal(signal.SIGINT) is before
    with pytest.raises(KeyboardInterrupt):
        interrupt()


def test_who_ignores_it_goes_on_ignoring_it(handled: list[int]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with interrupts_held_back():
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
        interrupt()


def test_other_threads_leave_it_alone(handled: list[int]) -> None:
    seen = []

    def look() -> None:
        with interrupts_held_back():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=look)
    thread.start()
    thread.join(30)
    assert seen == [signal.getsignal(signal.SIGINT)]
