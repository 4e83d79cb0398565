"""Moves the state of a stage to other slots, and keys to the partitions that they are in now."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import chain, groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..wire.byte_code import has_byte_code
from ..wire.frames import RECORDS, Frame, decode
from .dict_state import DictState
from .operators.base import SlotOp
from .operators.hashing import partition_pairs
from .operators.kept_batches import KeptBatches
from .operators.moved_keys import MovedKeyError, Piece
from .state_rows import key_row, name_of, value_of, value_row

if TYPE_CHECKING:
    import pyarrow as pa

ArrowFunction = Callable[["Iterator[pa.RecordBatch]"], "Iterator[pa.RecordBatch]"]
PlacedBy = tuple[int, Callable[[Any], int]]
"""A number of partitions, and the function of keys that says in which of them they are."""

_FRAMES: Final = "frames"
"""Begins the names of rows that are a frame of a window's batch."""
_KEYS: Final = "keys"
"""Begins the names of rows that are a piece of an operator's state by key."""
_FAMILY: Final = "state"
_ROWS: Final = 64


@dataclass(frozen=True)
class Move:
    """What becomes of the state of one query.

    Parameters
    ----------
    slots : sequence of int
        the new ones
    windows : mapping
        numbers of the operators that keep batches as a whole; others keep values by partition. If
        keys are to move, how the batches are partitioned, unless they are not by key
    keyed : mapping
        numbers to operators whose keys are to move, from ``without_functions``; empty where hashes
        are as they were
    other_python : bool
        whether functions and classes in the state are of a Python with another byte code
    """

    slots: Sequence[int]
    windows: Mapping[int, PlacedBy | None]
    keyed: Mapping[int, SlotOp] = field(default_factory=dict)
    other_python: bool = False

    def slot_of(self, partition: int) -> int:
        """Return the slot of an operator's partition."""
        return self.slots[partition % len(self.slots)]


def without_functions(op: SlotOp) -> SlotOp:
    """Return an operator without the functions that batches call; moving its keys needs none.

    Those that a checkpoint has of another Python cannot even be sent to executors.
    """
    functions = {each.name for each in fields(op) if callable(getattr(op, each.name))}
    changes: dict[str, Any] = dict.fromkeys(functions - {"partition_of"})
    return replace(op, **changes)


class Moved(NamedTuple):
    """A value on its way to another slot; ``keys`` counts those that change their partition."""

    slot: int
    name: str
    value: bytes
    keys: int = 0


def leave(rows: Iterable[tuple[int, str, bytes]], move: Move) -> Iterator[Moved]:
    """Yield the values of one old slot with the slots that they go to.

    Parameters
    ----------
    rows : iterable of (int, str, bytes)
        slot, name and value, in any order
    move : Move
        where they go

    Raises
    ------
    MovedKeyError
        if keys cannot be moved
    """
    together: dict[int, DictState] = {}
    for _, name, value in rows:
        begin, second, *_ = name.split("/")
        number = int(begin)
        op = move.keyed.get(number)
        moves_keys = op is not None or move.windows.get(number) is not None
        if moves_keys and move.other_python and has_byte_code(value):
            raise MovedKeyError(_OTHER_CODE)
        if number in move.windows or (op is not None and op.stored_together):
            together.setdefault(number, DictState())[name] = value
        elif op is not None:
            yield from _pieces(op, DictState({name: value}), move)
        else:
            yield Moved(move.slot_of(int(second)), name, value)
    for number, state in together.items():
        if number in move.windows:
            yield from _frames(number, state, move)
        else:
            yield from _pieces(move.keyed[number], state, move)


_OTHER_CODE: Final = (
    "the state has objects of classes that the job's main file defines. They are stored with the "
    "byte code of the Python that wrote them, which this Python cannot run: run this with the old "
    "Python, or move the state by hand: see docs/production/upgrading.md"
)


def _pieces(op: SlotOp, state: DictState, move: Move) -> Iterator[Moved]:
    for piece in op.scatter(state):
        label = f"{_KEYS}/{op.number}/{piece.part}/{piece.what}"
        value = pickle.dumps(tuple(piece), 5)
        yield Moved(move.slot_of(piece.part), label, value, piece.moved)


def _frames(number: int, state: DictState, move: Move) -> Iterator[Moved]:
    placed_by = move.windows[number]
    for tick in [int(name.partition("/")[2]) for name in state if name.count("/") == 1]:
        label = f"{_FRAMES}/{number}/{tick}"
        for _, batch in KeptBatches(state, number).get([tick]):
            if batch.error is not None:
                for slot in move.slots:
                    yield Moved(slot, label, pickle.dumps((batch.error, None), 5))
            for _, frames in batch.partitions():
                for frame in frames:
                    for part, moved in _cut(frame, placed_by):
                        plain = (*part[:-1], bytes(part.payload))
                        value = pickle.dumps((None, plain), 5)
                        yield Moved(move.slot_of(sum(part.src)), label, value, moved)


def _cut(frame: Frame, placed_by: PlacedBy | None) -> Iterator[tuple[Frame, int]]:
    """Yield a frame, or those of the partitions that its keys belong to, with the keys moved."""
    if placed_by is None:
        yield frame, 0
        return
    partitions, function = placed_by
    yield frame._replace(kind=RECORDS, count=0, payload=b""), 0  # empty ones are partitions, too
    for part, count, data in partition_pairs(decode(frame), partitions, function):
        src = (part,)
        cut = frame._replace(kind=RECORDS, src=src, count=count, payload=data)
        yield cut, count if src != frame.src else 0


def arrive(rows: Iterable[Moved], keyed: Mapping[int, SlotOp]) -> Iterator[Moved]:
    """Yield the values of one new slot, for what ``leave`` gave of all old ones.

    Parameters
    ----------
    rows : iterable of Moved
        ordered by name
    keyed : mapping
        see ``Move``
    """
    for name, same in groupby(rows, attrgetter("name")):
        kind, *rest = name.split("/")
        if kind == _FRAMES:
            number, tick = map(int, rest)
            slot, state = _batch(number, tick, list(same))
            for key, value in state.items():
                yield Moved(slot, key, value)
        elif kind == _KEYS:
            first = next(same)
            pieces = (Piece(*pickle.loads(row.value)) for row in chain((first,), same))
            op = keyed[int(rest[0])]
            for key, value in op.gather(int(rest[1]), rest[2], pieces):
                yield Moved(first.slot, key, value)
        else:
            yield from same


def _batch(number: int, tick: int, rows: Sequence[Moved]) -> tuple[int, DictState]:
    values = [pickle.loads(row.value) for row in rows]
    frames = [Frame(*plain) for _, plain in values if plain is not None]
    error = next((error for error, _ in values if error is not None), None)
    state = DictState()
    frames.sort(key=lambda frame: (frame.src, frame.seq))
    KeptBatches(state, number).put(tick, frames, error)
    return rows[0].slot, state


def leave_function(move: Move) -> ArrowFunction:
    """Return what turns Spark's rows of an old slot into those of ``leave``."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return _to_batches(leave(_read(batches), move))

    return run


def arrive_function(key: str, keyed: Mapping[int, SlotOp]) -> ArrowFunction:
    """Return what turns rows of ``leave`` into Spark's rows of a new slot.

    Parameters
    ----------
    key : str
        Spark's name of the slot
    keyed : mapping
        see ``Move``
    """

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        rows = (
            Moved(*row)
            for batch in batches
            for row in zip(*(column.to_pylist() for column in batch.columns), strict=True)
        )
        return _to_spark(arrive(rows, keyed), key)

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
        slots, names, values, keys = zip(*some, strict=True)
        columns = [
            pa.array(slots, pa.int32()),
            pa.array(names),
            pa.array(values, pa.binary()),
            pa.array(keys, pa.int64()),
        ]
        yield pa.RecordBatch.from_arrays(columns, list(Moved._fields))


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
