"""Merging combined pairs: in a dict, or on disk when that would take too much memory.

Decision 0043: Partitions of unions and windows are merged where the graph knows that they are
alike.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, islice, repeat
from typing import Any, Final

from pyspark.serializers import FlattenedValuesSerializer
from pyspark.shuffle import Aggregator

from ...version_differences import GroupMerger, PairMerger, merger_limit
from ...wire.frames import Frame, decode, decode_all
from ..columns.records import Texts
from ..inbox import size_of
from ..memory import Watch, give_back, local_folders
from ..spill import disk
from .combiners import Adder, Combining, adder_of, way_for
from .recognised import Merge
from .record_functions import Paired

_HELD_KEYS: Final = 200_000
"""Distinct keys that the map side combines before it sends them on."""
_FIRST_LOOK: Final = 100
_LAST_LOOK: Final = 10_000
"""After how many records the memory is looked at: soon at first, as records may be large."""

_PIECE: Final = 20
_PIECE_BYTES: Final = 2_000
"""Of a large group, what is in memory for each of PySpark's pieces: values and bytes at most."""


class OnDisk(PairMerger):
    """Merges by key; what does not fit into memory goes to disk, a part of the keys at a time.

    Parameters
    ----------
    merge : callable
        two combiners to one
    limit : float
        MiB that the process may use
    folders : list of str
        where to write
    merged : dict
        what was merged in memory
    size : int
        bytes of pickles that it was merged from
    """

    def __init__(
        self, merge: Merge, limit: float, folders: list[str], merged: dict[Any, Any], size: int
    ) -> None:
        aggregator: Aggregator[Any, Any] = Aggregator(_refuse_values, _refuse_values, merge)
        super().__init__(aggregator, merger_limit(limit), localdirs=list(folders))
        self.data = merged

    def _next_limit(self) -> float:
        give_back()  # else what was freed would count as used, and raise the limit
        return super()._next_limit()

    def _spill(self) -> None:
        with disk("write to"):
            super()._spill()


class GroupsOnDisk(OnDisk, GroupMerger):
    """Merges lists; a group that does not fit into memory is read from disk.

    PySpark holds 10,240 pieces of such a group in memory, each of 20 values. Here a piece is fewer
    values, if they are large. The parameters are those of ``OnDisk``.
    """

    def __init__(
        self, merge: Merge, limit: float, folders: list[str], merged: dict[Any, Any], size: int
    ) -> None:
        super().__init__(merge, limit, folders, merged, size)
        values = sum(map(len, merged.values()))
        self._piece = max(1, min(_PIECE, values * _PIECE_BYTES // max(size, 1)))

    def flattened_serializer(self) -> FlattenedValuesSerializer:
        """Return PySpark's serializer of pieces (called by PySpark)."""
        flattened = super().flattened_serializer()
        flattened.batchSize = self._piece
        return flattened


def combine_pairs(
    records: Iterable[Any], create: Callable[[Any], Any], merge: Merge, memory: int
) -> Iterator[Iterable[tuple[Any, Any]]]:
    """Combine (key, value) pairs, some 200,000 keys at a time, or fewer if they are large.

    What was combined is gone when the next keys are asked for.

    Parameters
    ----------
    records : iterable
        pairs
    create, merge : callable
        first value to combiner; combiner and value to combiner
    memory : int
        MiB that the process may use
    """
    way = way_for(create, merge, records)
    if way.counts and isinstance(records, Paired) and isinstance(records.parts, Texts):
        yield from _count_texts(records.parts, way, memory)
        return
    add, most = way.add, way.most
    held: dict[Any, Any] = {}
    watch: Watch | None = None
    # A function's StopIteration is the end: asked again, its iterator would go on.
    rest = chain(way.taken(records))
    look = _FIRST_LOOK
    added = 0
    for first in rest:
        # Whoever comes back here has more records: what is small is never looked at.
        if held:
            watch = watch or Watch(memory)
            full = watch.is_exceeded()
            if full or len(held) >= _HELD_KEYS or (most is not None and added >= most):
                yield way.pairs(held)
                held.clear()  # a new dict would leave this one alive in the caller's hands
                added = 0
                watch.begin_anew()
            look = look if full else min(2 * look, _LAST_LOOK)
        add(held, (first,))
        add(held, islice(rest, look))
        added += look + 1
    yield way.pairs(held)


def _count_texts(texts: Texts, way: Combining, memory: int) -> Iterator[Iterable[tuple[Any, Any]]]:
    """Combine pairs of texts and one value, which are counted by blocks; see ``combine_pairs``."""
    held: dict[Any, int] = {}
    watch = Watch(memory)
    added = 0
    for block_texts, numbers in texts.count_distinct():
        if numbers is None:
            numbers = repeat(1)
        get = held.get
        for text, number in zip(block_texts, numbers, strict=False):
            held[text] = get(text, 0) + number
            added += number
        full = len(held) >= _HELD_KEYS or (way.most is not None and added >= way.most)
        if full or watch.is_exceeded():
            yield way.pairs(held)
            held.clear()
            added = 0
            watch.begin_anew()
    yield way.pairs(held)


def first_pairs(pairs: Sequence[tuple[Any, Any]], add: Adder) -> dict[Any, Any]:
    """Return a dict of combined pairs, of which nearly always each has its own key.

    Parameters
    ----------
    pairs : sequence
        (key, combiner)
    add : callable
        merges pairs whose keys have become equal on their way here
    """
    first = dict(pairs)
    if len(first) < len(pairs):
        first = {}
        add(first, pairs)
    return first


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
    add = adder_of(merge)
    watch: Watch | None = None
    rest = iter(frames)
    size = 0
    for frame in rest:
        watch = watch or Watch(memory)
        if merged and watch.is_exceeded():
            rest = chain((frame,), rest)
            break
        if merged:
            add(merged, decode(frame))
        else:
            merged = first_pairs(decode(frame), add)
        size += size_of(frame)
    else:
        yield merged.items()
        return
    with disk("make"):
        folders = [tempfile.mkdtemp(prefix="merging-", dir=folder) for folder in local_folders()]
    try:
        assert watch is not None
        merger = external(merge, watch.limit, folders, merged, size)
        merger.mergeCombiners(decode_all(rest))
        yield merger.items()
    finally:
        for folder in filter(os.path.exists, folders):  # what is read to its end is gone
            shutil.rmtree(folder)


def _refuse_values(*values: Any) -> Any:
    raise AssertionError("only combiners are merged")
