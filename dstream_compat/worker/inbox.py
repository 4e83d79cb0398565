"""Buffers the frames of a stage until they are used: in memory, or in a file if too many.

Decision 0064: Tasks read their entries and report their frames.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing

from ..wire.frames import Frame
from .spill import SHARE, Extent, Spill

_Key = tuple[int, int]


class StoredFrame(Frame):
    """A frame whose payload is read from the inbox's file whenever it is asked for."""

    @property
    def payload(self) -> bytes | memoryview:
        """The payload, fresh from the file."""
        held = self[-1]
        return held.read() if isinstance(held, Extent) else held


def size_of(frame: Frame) -> int:
    """Return the bytes of a frame's payload without reading it from a file."""
    held = frame[-1]
    return held.size if isinstance(held, Extent) else len(held)


class Inbox:
    """Frames by operator and batch time.

    Parameters
    ----------
    memory : int
        bytes of payloads that it holds at most before it writes them to its file
    """

    def __init__(self, memory: int) -> None:
        self._memory = memory
        self._held = 0
        self._spill = Spill()
        self._frames: dict[_Key, list[Frame]] = {}
        self._on_disk: dict[_Key, int] = {}  # how many of the first ones

    def add(self, frame: Frame) -> None:
        """Keep a frame."""
        self._frames.setdefault((frame.node, frame.tick), []).append(frame)
        self._held += len(frame.payload)
        if self._held > self._memory:
            self._write()

    def take(self, node: int, tick: int) -> list[Frame]:
        """Return the frames of an operator's batch, which are then no longer kept."""
        self._on_disk.pop((node, tick), None)
        return self._frames.pop((node, tick), [])

    def of_kind(self, node: int, kind: int) -> list[Frame]:
        """Return the frames of one kind of an operator, of all batches."""
        return [
            frame
            for (owner, _), frames in self._frames.items()
            for frame in frames
            if owner == node and frame.kind == kind
        ]

    def __len__(self) -> int:
        return sum(map(len, self._frames.values()))

    def close(self) -> None:
        """Give up the file."""
        self._spill.close()

    def _write(self) -> None:
        for key, frames in self._frames.items():
            first = self._on_disk.get(key, 0)
            frames[first:] = [self._store(frame) for frame in frames[first:]]
            self._on_disk[key] = len(frames)
        self._held = 0

    def _store(self, frame: Frame) -> StoredFrame:
        return StoredFrame(*frame[:-1], self._spill.write(frame.payload))  # type: ignore[arg-type]


def in_order(frames: Iterable[Frame], memory: int) -> Iterator[Frame]:
    """Yield frames of one stream and batch, by partition and number.

    Parameters
    ----------
    frames : iterable of Frame
        in any order
    memory : int
        MiB that the worker may use
    """
    with closing(Inbox((memory << 20) // SHARE)) as inbox:
        key = None
        for frame in frames:
            key = frame.node, frame.tick
            inbox.add(frame)
        if key is not None:
            yield from sorted(inbox.take(*key), key=lambda frame: (frame.src, frame.seq))
