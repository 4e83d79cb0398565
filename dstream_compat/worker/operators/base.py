"""What every slot operator is: a map side, a slot side, and access to state."""

from __future__ import annotations

import errno
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, NamedTuple, Protocol

from pyspark.core.rdd import portable_hash

from ...wire import errors
from ...wire.frames import Frame, Intervals
from ..dict_state import DictState
from .constant_pairs import Pairs
from .moved_keys import Piece

MAIN: Final = 0
SNAPSHOTS: Final = 1

Result = tuple[int, tuple[int, ...], Iterable[Any]]
"""A logical partition that an operator produced: (port, src, records)."""

Results = Generator[Result, None, int | None]
"""What an operator makes of one interval; then the number of its keys, if it counts them."""


class UpstreamError(Exception):
    """An input of the operator failed; ``payload`` is the captured error to pass on."""

    def __init__(self, payload: bytes) -> None:
        super().__init__("an input of this operator failed")
        self.payload = payload


class StateStoreError(errors.InternalError):
    """The state store failed. Not an Exception: it must never be taken for a user's error."""


_LACKING: Final = frozenset(
    (errno.ENOSPC, errno.EDQUOT, errno.ENOMEM, errno.EMFILE, errno.ENFILE, errno.EROFS, errno.EIO)
)


def lasting_error(payload: bytes, tick: int) -> bytes:
    """Return a captured error that state may keep, so that later batches fail likewise.

    Parameters
    ----------
    payload : bytes
        the captured error
    tick : int
        time of the batch in milliseconds, which is noted unless another batch had the error before

    Raises
    ------
    errors.WorkerLacksError
        if the error will pass: state that depends on it would be lost for good
    """
    captured = errors.load(payload)
    error = captured.exception()
    lacking = isinstance(error, OSError) and error.errno in _LACKING
    if lacking or isinstance(error, MemoryError):
        raise errors.WorkerLacksError(
            f"a worker lacked memory or disk while state was made, which is not kept as the "
            f"batch's error: {captured.text}"
        ) from error
    return payload if captured.since else errors.dump(captured._replace(since=tick))


class StateAccess(Protocol):
    """The state of one slot: binary values by name, kept by Spark's state store."""

    def get(self, name: str) -> bytes | None:
        """Return a value, or None."""

    def put(self, name: str, value: bytes) -> None:
        """Set a value."""

    def remove(self, name: str) -> None:
        """Remove a value if it is there."""

    def get_many(self, names: Sequence[str]) -> list[bytes | None]:
        """Return several values, which costs much less than one by one."""

    def put_many(self, values: Mapping[str, bytes | None]) -> None:
        """Set several values; None removes one."""


class _NoState:
    def __getattr__(self, name: str) -> Any:
        raise StateStoreError(f"a stateless stage used the method {name}() of its state")


NO_STATE: Final[Any] = _NoState()


class Context(NamedTuple):
    """Where an operator runs: one interval of one slot."""

    tick: int
    slot: int
    intervals: Intervals
    state: StateAccess
    slots: int
    absent: bool = False
    """Whether its input, a stream of the driver, has no RDD in this interval."""

    def parts(self, partitions: int) -> range:
        """Return the logical partitions of an operator that live in this slot."""
        return range(self.slot, partitions, self.slots)


@dataclass(frozen=True)
class SlotOp(ABC):
    """An operator behind a shuffle.

    Parameters
    ----------
    node : int
        id of its graph node
    partitions : int
        number of logical partitions of its result
    input_slide, slide : int
        milliseconds between two batches of its input and of its result
    number : int
        of a stateful operator in a plan: its number there, by which its state is stored
    restored_until : int
        batch time as of which an initial state is: batches until then leave it as it is
    memory : int
        MiB that a worker may use before data goes to disk
    """

    node: int
    partitions: int
    input_slide: int
    slide: int
    stateful: ClassVar[bool] = False
    by_partition: ClassVar[bool] = False
    counts_keys: ClassVar[bool] = False
    stored_together: ClassVar[bool] = False
    """Whether values of its state can be read only with all others of their slot."""
    number: int = field(default=0, kw_only=True, compare=False)
    restored_until: int = field(default=0, kw_only=True, compare=False)
    memory: int = field(default=512, kw_only=True, compare=False)

    @abstractmethod
    def write(self, records: Iterable[Any]) -> Iterator[tuple[int, int, bytes]]:
        """Cut records by target partition (map side); yields (partition, count, pickle)."""

    def write_from(
        self, src: tuple[int, ...], records: Iterable[Any]
    ) -> Iterator[tuple[int, int, bytes]]:
        """Cut the records of the partition ``src``; see ``write``."""
        return self.write(records)

    @abstractmethod
    def run(self, at: Context, frames: list[Frame], error: bytes | None) -> Results:
        """Yield the logical partitions of one interval.

        An operator that counts its keys returns how many its slot has then.

        Parameters
        ----------
        at : Context
            the interval and the slot
        frames : list of Frame
            this slot's input of the interval, ordered by source partition and sequence
        error : bytes, optional
            the captured error, when an input failed in this interval
        """

    def map_side(self, pairs: Pairs | None) -> str:
        """Return what it does before the shuffle, for users to read.

        Parameters
        ----------
        pairs : ConstantValue or ConstantKey, optional
            what all records have in common
        """
        return "sends each record to the partition of its key"

    @property
    @abstractmethod
    def slot_side(self) -> str:
        """What it does behind the shuffle, for users to read."""

    @property
    def state_traits(self) -> str:
        """What its stored state depends on beside partitions and slides, for users to read."""
        return ""

    def partitioner(self) -> Callable[[Any], int] | None:
        """Return the function of keys that says which partition of the result they are in.

        None stands for a result that DStreams do not know to be partitioned by key.
        """
        return portable_hash

    def load_initial(self, frames: Sequence[Frame], state: StateAccess) -> None:
        """Take over the initial state; its frames bear the time of the first batch."""
        raise StateStoreError(f"{type(self).__name__} takes no initial state")

    def scatter(self, stored: DictState) -> Iterator[Piece]:
        """Cut stored values by the partitions that their keys are in by today's hashes."""
        raise StateStoreError(f"{type(self).__name__} keeps no state by key")

    def gather(self, part: int, what: str, pieces: Iterable[Piece]) -> Iterator[tuple[str, bytes]]:
        """Yield names and values of a partition's state.

        Parameters
        ----------
        part : int
            the partition
        what : str
            of the pieces
        pieces : iterable of Piece
            all that ``scatter`` has made for this partition with that name, in any order

        Raises
        ------
        MovedKeyError
            if a key is there twice
        """
        raise StateStoreError(f"{type(self).__name__} keeps no state by key")


def by_part(frames: Iterable[Frame]) -> dict[int, list[Frame]]:
    """Return frames grouped by target partition, order kept."""
    groups: dict[int, list[Frame]] = {}
    for frame in frames:
        groups.setdefault(frame.part, []).append(frame)
    return groups
