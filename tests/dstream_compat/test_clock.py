"""Clocks: whom they wake, and which one a setting names."""

from __future__ import annotations

import threading

import pytest

from dstream_compat.clock import SettableClock, SystemClock, clock_for


def test_manual_clock_wakes_who_waits() -> None:
    clock = SettableClock(1000)
    condition = threading.Condition()
    woken = threading.Event()

    def wait() -> None:
        with condition:
            while clock.now() < 3000:
                clock.wait(condition, 3000)
        woken.set()

    threading.Thread(target=wait, daemon=True).start()
    clock.advance(500)
    assert clock.now() == 1500
    clock.advance(1500)
    assert woken.wait(30)
    clock.jump(2000)
    assert clock.now() == 3000


def test_clock_by_setting() -> None:
    assert isinstance(clock_for(None), SystemClock)
    assert isinstance(clock_for("org.apache.spark.util.ManualClock"), SettableClock)
    with pytest.raises(ValueError, match=r"my\.Clock"):
        clock_for("my.Clock")
