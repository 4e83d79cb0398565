"""A signal ends a wait whenever it comes, and other waits go on."""

from __future__ import annotations

import random
import signal
import time

import pytest

from migrator.verify.signals import wait_for_signals

# of waits that an event ended, some 1 in 100 did not see a signal that came just before them
WAITS = 2_000


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_before_the_wait_ends_it(number: signal.Signals) -> None:
    with wait_for_signals() as wait:
        assert not wait(0.0)
        signal.raise_signal(number)
        assert wait(600.0)
        # what was asked for stays so
        assert wait(600.0)


def test_a_signal_at_any_moment_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    moments = random.Random(1)
    monkeypatch.setattr(signal, "SIGTERM", signal.SIGALRM)
    for _ in range(WAITS):
        with wait_for_signals() as wait:
            signal.setitimer(signal.ITIMER_REAL, moments.uniform(3e-6, 6e-5))
            assert wait(600.0)


def test_handlers_are_the_same_afterwards() -> None:
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    began = time.monotonic()
    with wait_for_signals() as wait:
        assert not wait(0.01)
    assert time.monotonic() - began >= 0.01
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before
    assert signal.set_wakeup_fd(-1) == -1
