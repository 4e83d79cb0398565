"""Moves the state of a stage to another number of slots."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..wire.frames import Frame
from .operators.kept_batches import KeptBatches
from .state_rows import key_row, name_of, value_of, value_row

if TYPE_CHECKING:
    import pyarrow as pa

ArrowFunction = Callable[["Iterator[pa.RecordBatch]"], "Iterator[pa.RecordBatch]"]
_FRAMES: Final = "frames"
"""Begins the names of rows that are a frame of a window's batch."""
_FAMILY: Final = "state"
_ROWS: Final = 64


class Moved(NamedTuple):
    """A value on its way to another slot."""

    slot: int
    name: str
    value: bytes


class DictState(dict[str, bytes]):
    """The state of one slot in memory."""

    def put(self, name: str, value: bytes) -> None:
        """Set a value."""
        self[name] = value

    def remove(self, name: str) -> None:
        """Remove a value if it is there."""
        self.pop(name, None)

    def get_many(self, names: Sequence[str]) -> list[bytes | None]:
        """Return several values."""
        return [self.get(name) for name in names]

    def put_many(self, values: Mapping[str, bytes | None]) -> None:
        """Set several values; None removes one."""
        for name, value in values.items():
            if value is None:
                self.remove(name)
            else:
                self.put(name, value)


def leave(
    rows: Iterable[tuple[int, str, bytes]], slots: Sequence[int], windows: Collection[int]
) -> Iterator[Moved]:
    """Yield the values of one old slot with the slots that they go to.

    Parameters
    ----------
    rows : iterable of (int, str, bytes)
        slot, name and value, in any order
    slots : sequence of int
        the new ones
    windows : collection of int
        numbers of the operators that keep batches as a whole; others keep values by partition
    """
    kept = DictState()
    for _, name, value in rows:
        number, second, *_ = name.split("/")
        if int(number) in windows:
            kept[name] = value
        else:
            yield Moved(slots[int(second) % len(slots)], name, value)
    for name in [name for name in kept if name.count("/") == 1]:
        operator, tick = map(int, name.split("/"))
        label = f"{_FRAMES}/{name}"
        for _, batch in KeptBatches(kept, operator).get([tick]):
            if batch.error is not None:
                for slot in slots:
                    yield Moved(slot, label, pickle.dumps((batch.error, None), 5))
            for src, frames in batch.partitions():
                slot = slots[sum(src) % len(slots)]
                for frame in frames:
                    plain = (*frame[:-1], bytes(frame.payload))
                    yield Moved(slot, label, pickle.dumps((None, plain), 5))


def arrive(rows: Iterable[Moved]) -> Iterator[Moved]:
    """Yield the values of one new slot, for what ``leave`` gave of all old ones."""
    batches: dict[str, list[bytes]] = {}
    slot = 0
    for row in rows:
        slot = row.slot
        if row.name.startswith(_FRAMES):
            batches.setdefault(row.name, []).append(row.value)
        else:
            yield row
    for label in sorted(batches):
        number, tick = map(int, label.split("/")[1:])
        found = [pickle.loads(value) for value in batches.pop(label)]
        frames = [Frame(*plain) for _, plain in found if plain is not None]
        error = next((error for error, _ in found if error is not None), None)
        state = DictState()
        frames.sort(key=lambda frame: (frame.src, frame.seq))
        KeptBatches(state, number).put(tick, frames, error)
        for name, value in state.items():
            yield Moved(slot, name, value)


def leaving(slots: Sequence[int], windows: Collection[int]) -> ArrowFunction:
    """Return what turns Spark's rows of an old slot into those of ``leave``."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return _to_batches(leave(_read(batches), slots, windows))

    return run


def arriving(key: str) -> ArrowFunction:
    """Return what turns rows of ``leave`` into Spark's rows of a new slot.

    Parameters
    ----------
    key : str
        Spark's name of the slot
    """

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        rows = (
            Moved(*row)
            for batch in batches
            for row in zip(*(column.to_pylist() for column in batch.columns), strict=True)
        )
        return _to_spark(arrive(rows), key)

    return run


def _read(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[int, str, bytes]]:
    for batch in batches:
        columns = [column.to_pylist() for column in batch.columns]
        for key, key_bytes, value_bytes, family in zip(*columns, strict=True):
            if family != _FAMILY:
                raise RuntimeError(f"the state has an unknown part {family!r}")
            (slot,) = key.values()
            yield slot, name_of(slot, key_bytes), value_of(value_bytes)


def _to_batches(rows: Iterator[Moved]) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa

    for some in _some(rows):
        slots, names, values = zip(*some, strict=True)
        columns = [pa.array(slots, pa.int32()), pa.array(names), pa.array(values, pa.binary())]
        yield pa.RecordBatch.from_arrays(columns, ["slot", "name", "value"])


def _to_spark(rows: Iterator[Moved], key: str) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa

    for some in _some(rows):
        columns = [
            pa.array([{key: row.slot} for row in some], pa.struct([(key, pa.int32())])),
            pa.array([key_row(row.slot, row.name) for row in some], pa.binary()),
            pa.array([value_row(row.value) for row in some], pa.binary()),
            pa.array([_FAMILY] * len(some)),
        ]
        names = ["partition_key", "key_bytes", "value_bytes", "column_family_name"]
        yield pa.RecordBatch.from_arrays(columns, names)


def _some(rows: Iterator[Any]) -> Iterator[list[Any]]:
    held: list[Any] = []
    for row in rows:
        held.append(row)
        if len(held) == _ROWS:
            yield held
            held = []
    if held:
        yield held
