"""mapWithState: the function runs once per record and touches only keys with data."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

from ..engine import errors
from ..engine.frames import Frame, decode_all, dumps
from ..state import State
from .base import MAIN, SNAPSHOTS, Context, Result, StateAccess, by_part
from .hashing import partition_pairs
from .keyed_state import KeyedStateOp

Entry = tuple[Any, int]
"""A key's state and the batch time (milliseconds) of its last update."""


@dataclass
class MapWithState(KeyedStateOp):
    """``function(time, key, value or None, State)`` gives a result per record.

    Parameters
    ----------
    function : callable
        takes four arguments, or three without the time
    timed : bool
        True for four arguments: a None result emits nothing
    timeout : int, optional
        milliseconds without an update after which a key is dropped
    partition_of : callable
        key to partition
    """

    function: Callable[..., Any]
    timed: bool
    timeout: int | None
    partition_of: Callable[[Any], int]
    snapshots: bool = False
    buckets: ClassVar[int] = 32

    def write(self, records: Iterable[Any]) -> Iterator[tuple[int, int, bytes]]:
        """See the base class."""
        yield from partition_pairs(records, self.partitions, self.partition_of)

    def load_initial(self, frames: Sequence[Frame], state: StateAccess) -> None:
        """See the base class; an initial state counts as updated at the zero time."""
        oldest: dict[int, dict[int, int]] = {}
        for part, bucket, pairs in self.initial_buckets(frames):
            self.save(state, part, bucket, {key: (value, frames[0].tick) for key, value in pairs})
            oldest.setdefault(part, {})[bucket] = frames[0].tick
        for part, ages in oldest.items():
            self._save_ages(state, part, ages)

    def run(self, at: Context, frames: list[Frame], error: bytes | None) -> Iterator[Result]:
        """See the base class."""
        groups = by_part(frames)
        for part in at.parts(self.partitions):
            self.check_poison(at.state, part, error)
            try:
                emitted = self._run_part(at, part, decode_all(groups.get(part, ())))
            except errors.USER_ERRORS as failed:
                payload = errors.dump(errors.capture(failed))
                raise self.poison(at.state, part, payload) from failed
            yield MAIN, (part,), emitted
            if self.snapshots:
                yield SNAPSHOTS, (part,), self._snapshot(at, part)

    def _run_part(self, at: Context, part: int, pairs: Iterator[Any]) -> list[Any]:
        time = datetime.fromtimestamp(at.tick / 1000)
        buckets: dict[int, dict[Any, Entry]] = {}
        emitted: list[Any] = []
        for key, value in pairs:
            number = self.bucket_of(key)
            if number not in buckets:
                buckets[number] = self.load(at.state, part, number)
            entries = buckets[number]
            state = State.of(entries[key][0]) if key in entries else State.absent()
            self._call(emitted, time, key, value, state)
            if state.is_removed:
                entries.pop(key, None)
            elif state.is_updated or (state.exists() and self.timeout is not None):
                entries[key] = (state.get(), at.tick)
        ages = self._ages(at.state, part) if self.timeout is not None else {}
        self._drop_timed_out(at, part, buckets, ages, emitted, time)
        blobs = {n: dumps(entries) if entries else None for n, entries in buckets.items()}
        for number, blob in blobs.items():
            self.save_blob(at.state, part, number, blob)
        if self.timeout is not None:
            self._save_ages(at.state, part, ages)
        return emitted

    def _drop_timed_out(
        self,
        at: Context,
        part: int,
        buckets: dict[int, dict[Any, Entry]],
        ages: dict[int, int],
        emitted: list[Any],
        time: datetime,
    ) -> None:
        if self.timeout is None:
            return
        threshold = at.tick - self.timeout
        for number, age in list(ages.items()):
            if age < threshold and number not in buckets:
                buckets[number] = self.load(at.state, part, number)
        for number, entries in buckets.items():
            for key in [k for k, (_, updated) in entries.items() if updated < threshold]:
                self._call(emitted, time, key, None, State.timing_out(entries.pop(key)[0]))
            if entries:
                ages[number] = min(updated for _, updated in entries.values())
            else:
                ages.pop(number, None)

    def _call(self, emitted: list[Any], time: datetime, key: Any, value: Any, state: State) -> None:
        if self.timed:
            result = self.function(time, key, value, state)
            if result is None:
                return
        else:
            result = self.function(key, value, state)
        emitted.append(result)

    def _snapshot(self, at: Context, part: int) -> Iterator[tuple[Any, Any]]:
        for bucket in range(self.buckets):
            for key, (value, _) in self.load(at.state, part, bucket).items():
                yield key, value

    def _ages(self, state: StateAccess, part: int) -> dict[int, int]:
        blob = state.get(f"{self.node}/{part}/ages")
        return {} if blob is None else pickle.loads(blob)

    def _save_ages(self, state: StateAccess, part: int, ages: dict[int, int]) -> None:
        state.put(f"{self.node}/{part}/ages", pickle.dumps(ages))
