"""mapWithState: the function runs once per record and touches only keys with data.

Decision 0045: mapWithState touches only keys with data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar, Final

from ...state import ABSENT, State
from ...wire import errors
from ...wire.frames import Frame, decode
from .. import attempts
from ..dict_state import DictState
from .ages import Ages
from .base import MAIN, SNAPSHOTS, Context, Results, StateAccess, by_part
from .buckets import Buckets, place
from .hashing import key_hash, partition_pairs
from .keyed_state import ERROR, KeepsErrors
from .moved_keys import Piece, errors_of, first_error, pieces_of, put_once

_BUCKET_BYTES: Final = 512
"""Measured: smaller buckets cost more calls of the state store, larger ones more bytes."""
_SNAPSHOT_BUCKET_BYTES: Final = 8192
"""Where every bucket is read in every batch, fewer calls are worth more bytes."""


@dataclass(frozen=True)
class MapWithState(KeepsErrors):
    """``function(time, key, value or None, State)`` gives a result per record.

    What is stored of a key is its state, or with a timeout (state, batch time of its last update in
    milliseconds).

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
    snapshots : bool
        whether anything reads all states after each batch
    """

    function: Callable[..., Any]
    timed: bool
    timeout: int | None
    partition_of: Callable[[Any], int]
    snapshots: bool = False
    stateful: ClassVar[bool] = True
    stored_together: ClassVar[bool] = True

    def partitioner(self) -> None:
        """Return None: its records need not have the keys of the input."""

    @property
    def state_traits(self) -> str:
        return "" if self.timeout is None else ", with a timeout"

    def write(self, records: Iterable[Any]) -> Iterator[tuple[int, int, bytes]]:
        yield from partition_pairs(records, self.partitions, self.partition_of)

    @property
    def slot_side(self) -> str:
        return "keeps states in the state store and calls the function for each record"

    def load_initial(self, frames: Sequence[Frame], state: StateAccess) -> None:
        """Take over the initial state; as in Spark, it is as old as the first batch."""
        for part, group in by_part(frames).items():
            table = self._open(state, part)
            for frame in group:
                pairs = decode(frame)
                numbers = [self._bucket(table, key) for key, _ in pairs]
                table.fetch(numbers)
                for (key, value), number in zip(pairs, numbers, strict=True):
                    table.loaded[number][key] = self._entry(value, frame.tick)
            if table.ages is not None:
                table.ages.add(table.loaded, group[0].tick)
            state.put_many(table.pack(self._spread))

    def run(self, at: Context, frames: list[Frame], error: bytes | None) -> Results:
        groups = by_part(frames)
        keys = 0
        for part in at.parts(self.partitions):
            self.check_poison(at, part, error)
            try:
                emitted, entries = self._run_part(at, part, groups.get(part, ()))
            except errors.USER_ERRORS as failed:
                payload = attempts.error_of(failed)
                raise self.poison(at, part, payload) from failed
            keys += entries
            yield MAIN, (part,), emitted
            if self.snapshots:
                yield SNAPSHOTS, (part,), self._snapshot(at, part)
        return keys

    def scatter(self, stored: DictState) -> Iterator[Piece]:
        for part in sorted({int(name.split("/")[1]) for name in stored}):
            error = stored.get(f"{self.number}/{part}/{ERROR}")
            if error is not None:
                yield from errors_of(error, ERROR, self.partitions)
            table = self._open(stored, part)
            for number, entries in table.read_buckets():
                # a key may be in its partition, and yet in another bucket of it
                gone = sum(self._bucket(table, key) != number for key in entries)
                pairs = entries.items()
                for piece in pieces_of(pairs, "", part, self.partitions, self.partition_of):
                    yield piece._replace(moved=max(piece.moved, gone))
                    gone = 0

    def gather(self, part: int, what: str, pieces: Iterable[Piece]) -> Iterator[tuple[str, bytes]]:
        if what == ERROR:
            error = first_error(pieces)
            assert error is not None
            yield f"{self.number}/{part}/{ERROR}", error
            return
        state = DictState()
        for piece in pieces:
            table = self._open(state, part)
            placed: dict[int, dict[Any, Any]] = {}
            for key, entry in piece.load_pairs():
                placed.setdefault(self._bucket(table, key), {})[key] = entry
            table.fetch(placed)
            for number, entries in placed.items():
                put_once(table.loaded[number], entries.items())
                if table.ages is not None:
                    table.ages.add([number], min(updated for _, updated in entries.values()))
            state.put_many(table.pack(self._spread))
        yield from state.items()

    def _run_part(self, at: Context, part: int, frames: Sequence[Frame]) -> tuple[list[Any], int]:
        """Return what the function gave, and the number of keys."""
        table = self._open(at.state, part)
        emitted: list[Any] = []
        emit = self._caller(at, emitted)
        for frame in frames:
            self._feed(table, decode(frame), emit, at.tick)
        if table.ages is not None:
            self._drop_timed_out(table, table.ages, emit, at)
        at.state.put_many(table.pack(self._spread))
        return emitted, table.entries

    def _feed(
        self, table: Buckets, pairs: Sequence[Any], emit: Callable[..., None], tick: int
    ) -> None:
        numbers = [self._bucket(table, key) for key, _ in pairs]
        table.fetch(numbers)
        aged = self.timeout is not None
        for (key, value), number in zip(pairs, numbers, strict=True):
            entries = table.loaded[number]
            old = entries.get(key, ABSENT)
            state = State(old[0] if aged and old is not ABSENT else old, False)
            emit(key, value, state)
            if state.is_removed:
                entries.pop(key, None)
            elif state.is_updated or (aged and state.exists()):
                entries[key] = self._entry(state.get(), tick)

    def _drop_timed_out(
        self, table: Buckets, ages: Ages, emit: Callable[..., None], at: Context
    ) -> None:
        assert self.timeout is not None
        threshold = at.tick - self.timeout
        # What was loaded before the zero time was known bears an earlier time than the first batch.
        due = ages.due(threshold) if threshold > at.intervals.zero + self.input_slide else []
        table.fetch(due)
        times: dict[int, int | None] = {}
        for number in due:
            entries = table.loaded[number]
            for key in [k for k, (_, updated) in entries.items() if updated < threshold]:
                emit(key, None, State(entries.pop(key)[0], True))
            times[number] = min((updated for _, updated in entries.values()), default=None)
        ages.update(times)
        ages.add(table.newly_filled(), at.tick)

    def _caller(self, at: Context, emitted: list[Any]) -> Callable[..., None]:
        function, append = self.function, emitted.append
        time = datetime.fromtimestamp(at.tick / 1000)

        def call(key: Any, value: Any, state: State) -> None:
            append(function(key, value, state))

        def call_with_time(key: Any, value: Any, state: State) -> None:
            result = function(time, key, value, state)
            if result is not None:
                append(result)

        return call_with_time if self.timed else call

    def _snapshot(self, at: Context, part: int) -> Iterator[tuple[Any, Any]]:
        items = self._open(at.state, part).items()
        return items if self.timeout is None else ((key, entry[0]) for key, entry in items)

    def _open(self, state: StateAccess, part: int) -> Buckets:
        size = _SNAPSHOT_BUCKET_BYTES if self.snapshots else _BUCKET_BYTES
        return Buckets(state, f"{self.number}/{part}", size, self.timeout is not None)

    def _entry(self, value: Any, tick: int) -> Any:
        return value if self.timeout is None else (value, tick)

    def _bucket(self, table: Buckets, key: Any) -> int:
        return place(self._spread(key), table.count)

    def _spread(self, key: Any) -> int:
        return key_hash(key) // self.partitions
