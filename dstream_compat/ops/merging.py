"""Merging combined pairs: in a dict, or on disk when that would take too much memory."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from typing import Any, Final

from pyspark.shuffle import Aggregator, ExternalMerger

from ..engine.frames import Frame, decode, decode_all
from ..engine.memory import Watch, local_folders

_HELD_KEYS: Final = 200_000
"""Distinct keys that the map side combines before it sends them on."""
_FIRST_LOOK: Final = 100
_LAST_LOOK: Final = 10_000
"""After how many records the memory is looked at: soon at first, as records may be large."""

Merge = Callable[[Any, Any], Any]


def combine_pairs(
    records: Iterable[Any], create: Callable[[Any], Any], merge: Merge, memory: int
) -> Iterator[dict[Any, Any]]:
    """Combine (key, value) pairs into dicts of at most 200,000 keys, or fewer if they are large.

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
    watch = Watch(memory)
    records = iter(records)
    look = _FIRST_LOOK
    for first in records:
        for key, value in chain((first,), islice(records, look)):
            if key in held:
                held[key] = merge(held[key], value)
            else:
                held[key] = create(value)
        full = watch.exceeded()
        if full or len(held) >= _HELD_KEYS:
            yield held
            held = {}
            watch.released()
        look = look if full else min(2 * look, _LAST_LOOK)
    yield held


def merge_pairs(into: dict[Any, Any], pairs: Iterable[tuple[Any, Any]], merge: Merge) -> None:
    """Merge combined pairs into a dict of combiners."""
    for key, value in pairs:
        into[key] = merge(into[key], value) if key in into else value


@contextmanager
def merged_frames(
    frames: Sequence[Frame],
    merge: Merge,
    memory: int,
    external: type[ExternalMerger[Any, Any, Any]],
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
        PySpark's class that merges on disk
    """
    merged: dict[Any, Any] = {}
    watch = Watch(memory)
    rest = iter(frames)
    for frame in rest:
        merge_pairs(merged, decode(frame), merge)
        if watch.exceeded():
            break
    else:
        yield merged.items()
        return
    folders = [tempfile.mkdtemp(prefix="merging-", dir=folder) for folder in local_folders()]
    try:
        aggregator: Aggregator[Any, Any] = Aggregator(_unused, _unused, merge)
        merger = external(aggregator, watch.limit, localdirs=list(folders))
        merger.data = merged
        merger.mergeCombiners(decode_all(rest))
        yield merger.items()
    finally:
        for folder in filter(os.path.exists, folders):  # what is read to its end is gone
            shutil.rmtree(folder)


def _unused(*values: Any) -> Any:
    raise AssertionError("only combiners are merged")
