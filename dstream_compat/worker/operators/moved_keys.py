"""State on its way to the partitions that keys are in by today's hashes."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from .hashing import partition_pairs


class MovedKeyError(Exception):
    """State cannot be moved by its keys; the message says why and what to do."""


class Piece(NamedTuple):
    """A part of a stored value.

    Parameters
    ----------
    part : int
        the partition that it goes to
    what : str
        the rest of the value's name there
    error : bytes, optional
        the captured error of a partition that failed, which is stored instead of pairs
    pairs : bytes
        a pickled list of (key, state)
    moved : int
        how many of them were in another partition
    """

    part: int
    what: str
    error: bytes | None
    pairs: bytes = b""
    moved: int = 0

    def load_pairs(self) -> Iterable[tuple[Any, Any]]:
        """Return the pairs."""
        return pickle.loads(self.pairs) if self.pairs else ()


def errors_of(error: bytes, what: str, partitions: int) -> Iterator[Piece]:
    """Yield the error of a partition for all of them: any may get keys that it is about."""
    return (Piece(part, what, error) for part in range(partitions))


def pieces_of(
    pairs: Iterable[tuple[Any, Any]],
    what: str,
    before: int,
    partitions: int,
    partition_of: Callable[[Any], int],
) -> Iterator[Piece]:
    """Cut the pairs of a partition by those that they belong to.

    Parameters
    ----------
    pairs : iterable of (key, state)
        what is stored
    what : str
        the rest of the value's name
    before : int
        the partition
    partitions : int
        how many there are
    partition_of : callable
        key to partition, modulo their number
    """
    for part, count, data in partition_pairs(pairs, partitions, partition_of):
        yield Piece(part, what, None, data, count if part != before else 0)


def put_once(states: dict[Any, Any], pairs: Iterable[tuple[Any, Any]]) -> None:
    """Add pairs to states by key.

    Raises
    ------
    MovedKeyError
        if a key has a state already
    """
    for key, state in pairs:
        if key in states:
            raise MovedKeyError(
                f"the key {key!r} has two states, which were in two partitions: its hash differed "
                "from process to process. Which state counts is not known, so the state has to be "
                "moved by hand: see docs/production/upgrading.md"
            )
        states[key] = state


def first_error(pieces: Iterable[Piece]) -> bytes | None:
    """Return the error of a partition, if it has one."""
    return next((piece.error for piece in pieces if piece.error is not None), None)
