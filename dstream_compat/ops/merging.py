"""Merging combined pairs: in a dict, or on disk when that would take too much memory."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from typing import Any, Final

from pyspark.serializers import FlattenedValuesSerializer
from pyspark.shuffle import Aggregator, ExternalGroupBy, ExternalMerger

from ..engine.frames import Frame, decode, decode_all
from ..engine.inbox import size_of
from ..engine.memory import Watch, give_back, local_folders
from ..engine.spill import disk

_HELD_KEYS: Final = 200_000
"""Distinct keys that the map side combines before it sends them on."""
_FIRST_LOOK: Final = 100
_LAST_LOOK: Final = 10_000
"""After how many records the memory is looked at: soon at first, as records may be large."""

_PIECE_BYTES: Final = 2_000

Merge = Callable[[Any, Any], Any]


class OnDisk(ExternalMerger[Any, Any, Any]):
    """Merges by key; what does not fit into memory goes to disk, a part of the keys at a time."""

    def begin(self, merged: dict[Any, Any], size: int) -> None:
        """Take over what was merged in memory from ``size`` bytes of pickles."""
        self.data = merged

    def _next_limit(self) -> float:
        give_back()  # else what was freed would count as used, and raise the limit
        return super()._next_limit()

    def _spill(self) -> None:
        with disk("write to"):
            super()._spill()


class GroupsOnDisk(OnDisk, ExternalGroupBy[Any, Any]):
    """Merges lists; a group that does not fit into memory is read from disk.

    PySpark holds 10,240 pieces of such a group in memory, each of 20 values. Here a piece is fewer
    values, if they are large.
    """

    _piece = 20

    def begin(self, merged: dict[Any, Any], size: int) -> None:
        """See the base class."""
        super().begin(merged, size)
        values = sum(map(len, merged.values()))
        self._piece = max(1, min(self._piece, values * _PIECE_BYTES // max(size, 1)))

    def flattened_serializer(self) -> FlattenedValuesSerializer:
        """Return PySpark's serializer of pieces (called by PySpark)."""
        flattened = super().flattened_serializer()
        flattened.batchSize = self._piece
        return flattened


def combine_pairs(
    records: Iterable[Any], create: Callable[[Any], Any], merge: Merge, memory: int
) -> Iterator[dict[Any, Any]]:
    """Combine (key, value) pairs into dicts of about 200,000 keys, or fewer if they are large.

    Each dict is emptied when the next one is asked for.

    Parameters
    ----------
    records : iterable
        pairs
    create, merge : callable
        first value to combiner; combiner and value to combiner
    memory : int
        MiB that the process may use
    """
    held: dict[Any, Any] = {}
    watch: Watch | None = None
    # A function's StopIteration is the end: asked again, its iterator would go on.
    records = chain(records)
    look = _FIRST_LOOK
    for first in records:
        # Whoever comes back here has more records: what is small is never looked at.
        if held:
            watch = watch or Watch(memory)
            full = watch.exceeded()
            if full or len(held) >= _HELD_KEYS:
                yield held
                held.clear()  # a new dict would leave this one alive in the caller's hands
                watch.released()
            look = look if full else min(2 * look, _LAST_LOOK)
        _combine(held, (first,), create, merge)
        _combine(held, islice(records, look), create, merge)
    yield held


def _combine(
    held: dict[Any, Any], pairs: Iterable[Any], create: Callable[[Any], Any], merge: Merge
) -> None:
    for key, value in pairs:
        if key in held:
            held[key] = merge(held[key], value)
        else:
            held[key] = create(value)


def merge_pairs(into: dict[Any, Any], pairs: Iterable[tuple[Any, Any]], merge: Merge) -> None:
    """Merge combined pairs into a dict of combiners."""
    for key, value in pairs:
        into[key] = merge(into[key], value) if key in into else value


@contextmanager
def merged_frames(
    frames: Sequence[Frame],
    merge: Merge,
    memory: int,
    external: type[OnDisk],
) -> Iterator[Iterable[tuple[Any, Any]]]:
    """Give the pairs of frames merged by key; what went to disk is removed at the end.

    Parameters
    ----------
    frames : sequence of Frame
        of combined pairs
    merge : callable
        two combiners to one
    memory : int
        MiB that the process may use before pairs go to disk
    external : type
        how to merge on disk
    """
    merged: dict[Any, Any] = {}
    watch: Watch | None = None
    rest = iter(frames)
    size = 0
    for frame in rest:
        watch = watch or Watch(memory)
        if merged and watch.exceeded():
            rest = chain((frame,), rest)
            break
        merge_pairs(merged, decode(frame), merge)
        size += size_of(frame)
    else:
        yield merged.items()
        return
    with disk("make"):
        folders = [tempfile.mkdtemp(prefix="merging-", dir=folder) for folder in local_folders()]
    try:
        assert watch is not None
        aggregator: Aggregator[Any, Any] = Aggregator(_unused, _unused, merge)
        merger = external(aggregator, watch.limit, localdirs=list(folders))
        merger.begin(merged, size)
        merger.mergeCombiners(decode_all(rest))
        yield merger.items()
    finally:
        for folder in filter(os.path.exists, folders):  # what is read to its end is gone
            shutil.rmtree(folder)


def _unused(*values: Any) -> Any:
    raise AssertionError("only combiners are merged")
