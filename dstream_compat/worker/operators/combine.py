"""combineByKey per batch: map-side combine, shuffle, merge. Needs no state store."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

from ...wire.frames import Frame
from .base import MAIN, Context, Results, SlotOp, UpstreamError, by_part
from .combiners import merging_text, way_of
from .constant_pairs import Pairs
from .hashing import partition_pairs
from .merging import GroupsOnDisk, OnDisk, combine_pairs, merged_frames


@dataclass(frozen=True)
class CombineByKey(SlotOp):
    """``combineByKey`` and everything made of it (``reduceByKey``, ``reduce``, ``count``...)."""

    create: Callable[[Any], Any]
    merge_value: Callable[[Any, Any], Any]
    merge_combiners: Callable[[Any, Any], Any]
    external: ClassVar[type[OnDisk]] = OnDisk

    def write(self, records: Iterable[Any]) -> Iterator[tuple[int, int, bytes]]:
        for held in combine_pairs(records, self.create, self.merge_value, self.memory):
            yield from partition_pairs(held, self.partitions)

    def map_side(self, pairs: Pairs | None) -> str:
        return way_of(self.create, self.merge_value, pairs).text

    @property
    def slot_side(self) -> str:
        return f"merges what was combined of each key {merging_text(self.merge_combiners)}"

    def run(self, at: Context, frames: list[Frame], error: bytes | None) -> Results:
        if error is not None:
            raise UpstreamError(error)
        groups = by_part(frames)
        for part in at.parts(self.partitions):
            mine = groups.pop(part, [])
            with merged_frames(mine, self.merge_combiners, self.memory, self.external) as merged:
                yield MAIN, (part,), merged
        return None


def one_item_list(value: Any) -> list[Any]:
    """Return a list of one value."""
    return [value]


def append_to(values: list[Any], value: Any) -> list[Any]:
    """Return a list with one more value."""
    values.append(value)
    return values


# Saved graphs have them by these names.
listed, appended = one_item_list, append_to


def _extend(values: list[Any], more: list[Any]) -> list[Any]:
    values.extend(more)
    return values


@dataclass(frozen=True)
class GroupByKey(CombineByKey):
    """``groupByKey``: lists of values, or what PySpark gives for groups that went to disk."""

    create: Callable[[Any], Any] = field(default_factory=lambda: one_item_list, init=False)
    merge_value: Callable[[Any, Any], Any] = field(default_factory=lambda: append_to, init=False)
    merge_combiners: Callable[[Any, Any], Any] = field(default_factory=lambda: _extend, init=False)
    external: ClassVar[type[OnDisk]] = GroupsOnDisk
