"""mapWithState on either engine: in Python Spark's own has only updateStateByKey to make it of.

The emulated state of a key is what updateStateByKey keeps of it. Its function sees all values of a
batch at once, so what it emits is the same only if the order of a key's records does not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import dstream_compat as ours
from tests.support.streaming.differential import START
from tests.support.streaming.pipelines import BOTH, RESULTS, SNAPSHOTS


class Cell:
    """What the function sees of a state; it holds nothing or one value."""

    def __init__(self, held: tuple[Any, ...], timing_out: bool) -> None:
        self.held = held
        self.changed = False
        self._timing_out = timing_out

    def exists(self) -> bool:
        return bool(self.held)

    def get(self) -> Any:
        (value,) = self.held
        return value

    def getOption(self) -> Any:
        return self.held[0] if self.held else None

    def isTimingOut(self) -> bool:
        return self._timing_out

    def update(self, value: Any) -> None:
        assert not self._timing_out
        self.held, self.changed = (value,), True

    def remove(self) -> None:
        assert not self._timing_out
        self.held, self.changed = (), True


class Kept(NamedTuple):
    """A key's state after a batch: times are in milliseconds."""

    key: Any
    held: tuple[Any, ...]
    updated: int
    now: int
    emitted: Sequence[Any] = ()


def map_with_state(
    stream: Any,
    ssc: Any,
    function: Callable[..., Any],
    partitions: int | None,
    timeout: float | None,
    initial: Sequence[tuple[Any, Any]],
    what: str,
) -> Any:
    """Return the results of mapWithState, its snapshots, or the union of both."""
    own = isinstance(ssc, ours.StreamingContext)
    make = _ours if own else _emulated
    results, snapshots = make(stream, ssc, function, partitions, timeout, initial)
    return {
        RESULTS: lambda: results,
        SNAPSHOTS: snapshots,
        BOTH: lambda: results.union(snapshots()),
    }[what]()


def _ours(
    stream: Any, ssc: Any, function: Any, partitions: Any, timeout: Any, initial: Any
) -> tuple[Any, Callable[[], Any]]:
    spec = ours.StateSpec.function(function)
    if partitions is not None:
        spec = spec.numPartitions(partitions)
    if timeout is not None:
        spec = spec.timeout(timeout)
    if initial:
        spec = spec.initialState(ssc.sparkContext.parallelize(initial))
    mapped = stream.mapWithState(spec)
    return mapped, mapped.stateSnapshots


def _emulated(
    stream: Any, ssc: Any, function: Any, partitions: Any, timeout: Any, initial: Any
) -> tuple[Any, Callable[[], Any]]:
    slide = int(stream._jdstream.dstream().slideDuration().milliseconds())
    idle = None if timeout is None else int(timeout * 1000)
    # An initial state is as old as the first batch.
    zero = START * 1000
    first = [(key, Kept(key, (value,), zero + slide, zero)) for key, value in initial]
    states = stream.transform(_stamped).updateStateByKey(
        _batch_function(function, slide, idle), partitions, first or None
    )
    results = states.flatMap(lambda pair: pair[1].emitted)
    held = states.filter(lambda pair: pair[1].held)
    return results, lambda: held.map(lambda pair: (pair[0], pair[1].held[0]))


def _stamped(time: datetime, rdd: Any) -> Any:
    now = round(time.timestamp() * 1000)
    return rdd.map(lambda pair: (pair[0], (now, pair[0], pair[1])))


def _batch_function(function: Any, slide: int, timeout: int | None) -> Callable[..., Any]:
    timed = function.__code__.co_argcount == 4

    def emit(now: int, key: Any, value: Any, cell: Cell) -> list[Any]:
        if not timed:
            return [function(key, value, cell)]
        result = function(datetime.fromtimestamp(now / 1000), key, value, cell)
        return [] if result is None else [result]

    def update(new: list[tuple[int, Any, Any]], old: Kept | None) -> Kept | None:
        key, held, updated, now, _ = old or Kept(new[0][1], (), 0, 0)
        now = new[0][0] if new else now + slide
        emitted = []
        for _, record_key, value in new:
            cell = Cell(held, False)
            emitted += emit(now, record_key, value, cell)
            held = cell.held
            if cell.changed or timeout is not None:
                updated = now
        if held and timeout is not None and now > updated + timeout:
            emitted += emit(now, key, None, Cell(held, True))
            held = ()
        return Kept(key, held, updated, now, emitted) if held or emitted else None

    return update
