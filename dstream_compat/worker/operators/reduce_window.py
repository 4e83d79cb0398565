"""reduceByKeyAndWindow: per-batch partial results, folded or maintained by the inverse function.

Decision 0047: Windows and state are read in pieces.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from ...wire import errors
from ...wire.frames import Frame, Stored, decode, dump_records
from .. import attempts
from ..dict_state import DictState
from .base import (
    MAIN,
    Context,
    Results,
    SlotOp,
    StateAccess,
    UpstreamError,
    by_part,
    lasting_error,
)
from .combiners import adder_of, way_of
from .constant_pairs import Pairs
from .hashing import key_hash, partition_pairs
from .merging import combine_pairs, first_pairs
from .moved_keys import Piece, errors_of, first_error, pieces_of, put_once

_INVERSE_PAYS: Final = 5
"""Spark uses the inverse function only when the window is at least this many slides long."""


def _identity(value: Any) -> Any:
    return value


@dataclass(frozen=True)
class ReduceByKeyAndWindow(SlotOp):
    """Reduces the values of each key over a sliding window.

    Parameters
    ----------
    func : callable
        associative reduce function
    inverse : callable, optional
        takes the old value out of a reduced one; used when length >= 5 x slide
    keep : callable, optional
        keeps a (key, value) pair of the result; ignored without an inverse
    length : int
        milliseconds that the window covers
    """

    func: Callable[[Any, Any], Any]
    inverse: Callable[[Any, Any], Any] | None
    keep: Callable[[tuple[Any, Any]], Any] | None
    length: int
    stateful: ClassVar[bool] = True

    @property
    def counts_keys(self) -> bool:  # type: ignore[override]
        """Whether it counts them: without the inverse function no result is kept."""
        return self.uses_inverse

    @property
    def uses_inverse(self) -> bool:
        """Whether results are maintained by the inverse function."""
        return self.inverse is not None and self.length >= _INVERSE_PAYS * self.slide

    @property
    def state_traits(self) -> str:
        inverse = "with" if self.uses_inverse else "without"
        return f", window of {self.length} ms {inverse} an inverse function"

    def write(self, records: Iterable[Any]) -> Iterator[tuple[int, int, bytes]]:
        for held in combine_pairs(records, _identity, self.func, self.memory):
            yield from partition_pairs(held, self.partitions)

    def map_side(self, pairs: Pairs | None) -> str:
        return way_of(_identity, self.func, pairs).text

    @property
    def slot_side(self) -> str:
        how = "updates its result by the inverse function" if self.uses_inverse else "reduces them"
        return f"keeps the result of each batch in the window in the state store and {how}"

    def run(self, at: Context, frames: list[Frame], error: bytes | None) -> Results:
        groups = by_part(frames)
        retained = self.length + (self.slide if self.uses_inverse else 0)
        for part in at.parts(self.partitions):
            self._keep_partial(at, part, groups.get(part, []), error)
            at.state.remove(self._name(part, at.tick - retained))
        keys = 0
        if at.tick <= self.restored_until or not at.intervals.is_valid(at.tick, self.slide):
            return keys
        for part in at.parts(self.partitions):
            if self.uses_inverse:
                result, blob = self._maintain(at, part)
            else:
                result, blob = self._fold_window(at, part), None
            keys += len(result)
            yield MAIN, (part,), Stored([(result, blob)])
        return keys

    def load_initial(self, frames: Sequence[Frame], state: StateAccess) -> None:
        """Take the results of the window that ended before the first batch with a result."""
        results: dict[int, dict[Any, Any]] = {}
        for frame in frames:
            results.setdefault(frame.part, {}).update(decode(frame))
        for part, result in results.items():
            pickled = dump_records(result)
            state.put(f"{self.number}/{part}/result", pickle.dumps((None, pickled), 5))

    def scatter(self, stored: DictState) -> Iterator[Piece]:
        for name, value in stored.items():
            _, part, what = name.split("/")
            error, blob = pickle.loads(value)
            if error is not None:
                yield from errors_of(error, what, self.partitions)
                continue
            yield Piece(int(part), what, None)  # results without keys are there, too
            pairs = pickle.loads(blob).items()
            yield from pieces_of(pairs, what, int(part), self.partitions, key_hash)

    def gather(self, part: int, what: str, pieces: Iterable[Piece]) -> Iterator[tuple[str, bytes]]:
        held = list(pieces)
        error = first_error(held)
        values: dict[Any, Any] = {}
        if error is None:
            for piece in held:
                put_once(values, piece.load_pairs())
        blob = b"" if error is not None else dump_records(values)
        yield f"{self.number}/{part}/{what}", pickle.dumps((error, blob), 5)

    def _keep_partial(
        self, at: Context, part: int, frames: list[Frame], error: bytes | None
    ) -> None:
        partial: dict[Any, Any] = {}
        blob = b""
        if error is None:
            try:
                add = adder_of(self.func)
                for frame in frames:
                    if partial:
                        add(partial, decode(frame))
                    else:
                        partial = first_pairs(decode(frame), add)
                blob = dump_records(partial)
            except errors.USER_ERRORS as failed:
                error = attempts.error_of(failed)
        if error is not None:
            error = lasting_error(error, at.tick)
        if error is not None or partial:
            at.state.put(self._name(part, at.tick), pickle.dumps((error, blob), 5))

    def _fold(self, at: Context, part: int, after: int, until: int) -> dict[Any, Any]:
        """Return the partial results of batches in (after, until] reduced by key."""
        result: dict[Any, Any] = {}
        add = adder_of(self.func)
        for tick in range(after + self.input_slide, until + 1, self.input_slide):
            blob = at.state.get(self._name(part, tick)) if tick > at.intervals.zero else None
            if blob is None:
                continue
            error, partial = pickle.loads(blob)
            if error is not None:
                raise UpstreamError(error)
            if result:
                add(result, pickle.loads(partial).items())
            else:
                result = pickle.loads(partial)
        return result

    def _filter(self, result: dict[Any, Any]) -> dict[Any, Any]:
        if self.inverse is None or self.keep is None:
            return result
        return {key: value for key, value in result.items() if self.keep((key, value))}

    def _fold_window(self, at: Context, part: int) -> dict[Any, Any]:
        return self._filter(self._fold(at, part, at.tick - self.length, at.tick))

    def _maintain(self, at: Context, part: int) -> tuple[dict[Any, Any], bytes]:
        """Return the results of a window by key, and their pickle."""
        name = f"{self.number}/{part}/result"
        blob = at.state.get(name)
        try:
            if blob is None:
                result = self._fold_window(at, part)
            else:
                error, previous = pickle.loads(blob)
                if error is not None:
                    raise UpstreamError(error)
                result = self._advance(at, part, pickle.loads(previous))
            pickled = dump_records(result)
            at.state.put(name, pickle.dumps((None, pickled), 5))
        except UpstreamError as failed:
            # As with DStreams, every later window builds on this one and fails likewise.
            at.state.put(name, pickle.dumps((failed.payload, b""), 5))
            raise
        except errors.USER_ERRORS as failed:
            payload = lasting_error(attempts.error_of(failed), at.tick)
            at.state.put(name, pickle.dumps((payload, b""), 5))
            raise UpstreamError(payload) from failed
        return result, pickled

    def _advance(self, at: Context, part: int, result: dict[Any, Any]) -> dict[Any, Any]:
        assert self.inverse is not None
        before = at.tick - self.slide
        gone = self._fold(at, part, before - self.length, at.tick - self.length)
        for key, value in gone.items():
            if key in result and value is not None:
                result[key] = self.inverse(result[key], value)
        adder_of(self.func)(result, self._fold(at, part, before, at.tick).items())
        return self._filter(result)

    def _name(self, part: int, tick: int) -> str:
        return f"{self.number}/{part}/{tick}"
