"""Outputs of the recovery job, in a module of their own: a checkpoint holds them by name."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from datetime import datetime
from typing import Any

_changed = threading.Condition()
_done: set[float] = set()


def _log(what: str, time: datetime, rdd: Any) -> None:
    records = sorted(list(pair) for pair in rdd.collect())
    # Spark's number of the micro-batch; a replayed one has the same
    number = rdd.context.getLocalProperty("streaming.sql.batchId")
    with open(sys.argv[3], "a") as stream:
        stream.write(json.dumps([what, time.timestamp(), records, int(number)]) + "\n")


def counts(time: datetime, rdd: Any) -> None:
    _log("counts", time, rdd)
    if time.timestamp() == float(sys.argv[5]):
        os.kill(os.getpid(), signal.SIGKILL)


def windows(time: datetime, rdd: Any) -> None:
    _log("windows", time, rdd)


def whole_windows(time: datetime, rdd: Any) -> None:
    _log("whole windows", time, rdd)


def merged_windows(time: datetime, rdd: Any) -> None:
    _log("merged windows", time, rdd)
    assert rdd.getNumPartitions() == 2, "the parallelism of the process that made the graph"


def reduced_windows(time: datetime, rdd: Any) -> None:
    _log("reduced windows", time, rdd)


def expiring(time: datetime, rdd: Any) -> None:
    _log("expiring", time, rdd)


def snapshots(time: datetime, rdd: Any) -> None:
    _log("snapshots", time, rdd)


def tracked(time: datetime, rdd: Any) -> None:
    _log("tracked", time, rdd)
    with _changed:
        _done.add(time.timestamp())
        _changed.notify_all()


def wait(time: float, seconds: float) -> bool:
    with _changed:
        return _changed.wait_for(lambda: time in _done, seconds)
