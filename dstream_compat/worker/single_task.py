"""All stages of a small micro-batch without state in one task, with the shuffles in memory.

Decision 0065: A small batch without state is one task.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from ..wire.frames import INTERVALS, TOO_LARGE, pack, unpack
from ..wire.reports import add_duration
from ..wire.task_properties import changed_stage, task_batch_number
from .chain import Layout, Tagged
from .setup import set_up_worker

if TYPE_CHECKING:
    from .reading.entry_place import EntryPlace
    from .reading.remote import RemoteReader

MOST_BYTES: Final = 32 << 20
"""Of frames between two stages, or for the driver: what is more is computed in several tasks."""


@dataclass(eq=False)
class AllStages:
    """Runs all stages one after another, in one task.

    Parameters
    ----------
    layout : Layout
        the slots of the query
    place : EntryPlace
        where the task finds what it reads
    source : (str, bytes)
        name and pickle of the first stage
    stages : sequence of (str, bytes)
        those of the others, in order
    """

    layout: Layout
    place: EntryPlace
    source: tuple[str, bytes]
    stages: Sequence[tuple[str, bytes]]

    def __call__(self, partition: Iterable[str | None]) -> Iterator[bytes]:
        """Yield the frames that leave the query, or one of the kind TOO_LARGE.

        Parameters
        ----------
        partition : iterable of str or None
            the address of the server of the task, if it has one
        """
        from .reading.remote import RemoteReader

        # Spark uses a worker again only if it has read its input to the end.
        (address,) = partition
        set_up_worker()
        frames: list[bytes] = []
        try:
            with closing(RemoteReader(address)) as reader:
                for _, frame in add_duration(self._run(reader), self.layout.slot(0)):
                    frames.append(frame)
        except _TooLarge:
            return iter([pack(TOO_LARGE, 0, 0)])
        return iter(frames)

    def _run(self, reader: RemoteReader) -> Iterator[Tagged]:
        from .reading.entries import read_entries

        number = task_batch_number()
        tasks = [self.place.read(number, task, reader) for task in range(self.place.slots)]
        rows: Iterator[Tagged] = chain.from_iterable(
            # each task has functions of its own, with what they note
            _fresh(self.source).process((0, frame) for frame in read_entries(entries, reader))
            for entries in tasks
            if entries
        )
        for stage in self.stages:
            rows = self._shuffle(stage, rows)
        return self._check_size(rows)

    def _shuffle(self, stage: tuple[str, bytes], rows: Iterable[Tagged]) -> Iterator[Tagged]:
        slots: dict[int, list[Tagged]] = {slot: [] for slot in self.layout.slots}
        for row in self._check_size(rows):
            slots[row[0]].append(row)
        idle = _fresh(stage)
        for slot in self.layout.slots:
            mine = slots.pop(slot)
            busy = any(unpack(data).kind != INTERVALS for _, data in mine)
            yield from (_fresh(stage) if busy else idle).process(mine)

    def _check_size(self, rows: Iterable[Tagged]) -> Iterator[Tagged]:
        size = 0
        for row in rows:
            size += len(row[1])
            if size > MOST_BYTES:
                raise _TooLarge
            yield row


class _TooLarge(Exception):
    """The micro-batch is not small after all."""


def _fresh(part: tuple[str, bytes]) -> Any:
    name, begun = part
    return changed_stage(name) or pickle.loads(begun)
