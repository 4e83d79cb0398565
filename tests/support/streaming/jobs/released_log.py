"""Outputs of the job that releases run, in a module of their own: checkpoints hold them by name."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from typing import Any

from dstream_compat.testing import ManualClock

results: dict[tuple[str, int], list[Any]] = {}
_changed = threading.Condition()


def _save(name: str, time: Any, rdd: Any) -> None:
    second = round(time.timestamp())
    records = sorted(rdd.collect())
    if os.environ.get("RELEASED_DEATH") == str(second):
        os.kill(os.getpid(), signal.SIGKILL)
    if "RELEASED_LOG" in os.environ:
        with open(os.environ["RELEASED_LOG"], "a") as log:
            log.write(json.dumps([name, second, records]) + "\n")
    with _changed:
        results[name, second] = records
        _changed.notify_all()


def save_totals(time: Any, rdd: Any) -> None:
    _save("totals", time, rdd)


def save_windows(time: Any, rdd: Any) -> None:
    _save("windows", time, rdd)


def save_tracked(time: Any, rdd: Any) -> None:
    _save("tracked", time, rdd)


def wait_for_batch(second: int, deadline: float) -> bool:
    """Wait until the last output has had a batch; returns whether it has."""
    with _changed:
        return _changed.wait_for(lambda: ("tracked", second) in results, deadline)


def advance(ssc: Any, last: int) -> None:
    """Let one batch after the other run, until the last has."""
    clock = ManualClock(ssc)
    for second in range(round(clock.now()) + 1, last + 1):
        clock.advance(1)
        if not wait_for_batch(second, 600.0):
            sys.exit(f"the batch of {second} s has not run")
