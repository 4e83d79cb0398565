"""State by key in buckets: each value of the state store is the pickled dict of one bucket."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from ...wire.frames import Frame, decode, dump_records
from ..dict_state import DictState
from .base import Context, SlotOp, StateAccess, UpstreamError, lasting_error
from .hashing import key_hash
from .moved_keys import Piece, errors_of, first_error, pieces_of, put_once

ERROR: Final = "error"
"""Ends the name of the error that a partition's state has ended with."""


@dataclass(frozen=True)
class KeepsErrors(SlotOp):
    """A slot operator whose results depend on all earlier ones, hence on all earlier errors."""

    counts_keys: ClassVar[bool] = True

    def check_poison(self, at: Context, part: int, error: bytes | None) -> None:
        """Raise the error that this partition's state depends on, now and in every later batch."""
        name = f"{self.number}/{part}/{ERROR}"
        poison = at.state.get(name)
        if poison is None and error is not None:
            poison = lasting_error(error, at.tick)
            at.state.put(name, poison)
        if poison is not None:
            raise UpstreamError(poison)

    def poison(self, at: Context, part: int, payload: bytes) -> UpstreamError:
        """Remember an error of user code; returns the exception to raise."""
        at.state.put(f"{self.number}/{part}/{ERROR}", lasting_error(payload, at.tick))
        return UpstreamError(payload)


@dataclass(frozen=True)
class KeyedStateOp(KeepsErrors):
    """A slot operator that visits all keys: its state is in ``buckets`` large dicts per partition.

    Rewriting one key rewrites its bucket, so the number of buckets trades calls of the state store
    against bytes.
    """

    stateful: ClassVar[bool] = True
    buckets: ClassVar[int] = 8

    def bucket_of(self, key: Any) -> int:
        """Return the bucket of a key within its partition."""
        return (key_hash(key) // self.partitions) % self.buckets

    def load(self, state: StateAccess, part: int, bucket: int) -> dict[Any, Any]:
        """Return a bucket's dict, fresh from the store."""
        blob = self.load_blob(state, part, bucket)
        return {} if blob is None else pickle.loads(blob)

    def load_blob(self, state: StateAccess, part: int, bucket: int) -> bytes | None:
        """Return a bucket as it is stored; None for an empty one."""
        return state.get(self._name(part, bucket))

    def save(self, state: StateAccess, part: int, bucket: int, values: dict[Any, Any]) -> None:
        """Write a bucket's dict."""
        self.save_blob(state, part, bucket, dump_records(values) if values else None)

    def save_blob(self, state: StateAccess, part: int, bucket: int, blob: bytes | None) -> None:
        """Write a bucket that is already pickled; None removes it."""
        if blob is None:
            state.remove(self._name(part, bucket))
        else:
            state.put(self._name(part, bucket), blob)

    def initial_buckets(
        self, frames: Sequence[Frame]
    ) -> Iterator[tuple[int, int, Iterable[tuple[Any, Any]]]]:
        """Yield (partition, bucket, (key, state) pairs) of the initial state."""
        buckets: dict[tuple[int, int], list[tuple[Any, Any]]] = {}
        for frame in frames:
            for key, value in decode(frame):
                buckets.setdefault((frame.part, self.bucket_of(key)), []).append((key, value))
        for (part, bucket), pairs in buckets.items():
            yield part, bucket, pairs

    def scatter(self, stored: DictState) -> Iterator[Piece]:
        """Cut buckets by the partitions and buckets that their keys are in now."""
        for name, value in stored.items():
            _, part, what = name.split("/")
            if what == ERROR:
                yield from errors_of(value, what, self.partitions)
                continue
            before = int(part) * self.buckets + int(what)
            both = self.partitions * self.buckets
            for piece in pieces_of(pickle.loads(value).items(), "", before, both, self._place):
                to, bucket = divmod(piece.part, self.buckets)
                yield piece._replace(part=to, what=str(bucket))

    def gather(self, part: int, what: str, pieces: Iterable[Piece]) -> Iterator[tuple[str, bytes]]:
        """Yield a bucket, or the error of the partition."""
        if what == ERROR:
            error = first_error(pieces)
            assert error is not None
            yield f"{self.number}/{part}/{ERROR}", error
            return
        values: dict[Any, Any] = {}
        for piece in pieces:
            put_once(values, piece.load_pairs())
        yield self._name(part, int(what)), dump_records(values)

    def _place(self, key: Any) -> int:
        return key_hash(key) % self.partitions * self.buckets + self.bucket_of(key)

    def _name(self, part: int, bucket: int) -> str:
        return f"{self.number}/{part}/{bucket}"
