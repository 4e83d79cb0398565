"""Gives the sources of DStreams recorded batches, whatever the job calls to make them."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterable
from typing import Any

from pyspark import StorageLevel

from .errors import RecordingError
from .recordings import Recording


class Sources:
    """The sources of the job that runs now, which read a recording.

    Parameters
    ----------
    recording : Recording
        what they give
    queue : callable
        makes a stream of a context and a queue of RDDs
    """

    def __init__(self, recording: Recording, queue: Callable[[Any, list[Any]], Any]) -> None:
        self._queue = queue
        self._recording = recording
        self.read: set[str] = set()
        self._new: list[str] = []

    def batches(self, names: Iterable[str], interval: float) -> list[list[list[Any]]]:
        """Return for each batch of an interval the partitions of what sources gave."""
        count = self._recording.length_in(interval)
        batches: list[list[list[Any]]] = [[] for _ in range(count)]
        for name in names:
            for number, rows in self._recording.of(self.known_source(name), interval):
                files = rows if isinstance(rows, dict) else {"": rows}
                # no stream of files reads a hidden one
                parts = [list(part) for file, part in files.items() if not file.startswith(".")]
                batches[number - 1] += parts
        return batches

    def known_source(self, name: str) -> str:
        """Return a source that the recording has, and note that the job reads it."""
        if name not in self._recording.sources:
            raise unknown_source(name, self._recording)
        self.read.add(name)
        self._new.append(name)
        return name

    def take_new(self) -> list[str]:
        """Return the sources that were read for the first time since the last call."""
        new, self._new = self._new, []
        return new

    def has(self, name: str) -> bool:
        """Return whether the recording has a source."""
        return name in self._recording.sources

    def stream(self, ssc: Any, *names: str) -> Any:
        """Return a stream of recorded batches."""
        return self.of_batches(ssc, self.batches(names, ssc._recorded_interval))

    def of_batches(self, ssc: Any, batches: list[list[list[Any]]]) -> Any:
        """Return a stream of the partitions of each batch."""
        sc = ssc.sparkContext
        rdds = [_rdd(sc, parts) for parts in batches]
        return self._queue(ssc, rdds or [sc.emptyRDD()])


def _rdd(sc: Any, parts: list[list[Any]]) -> Any:
    if not parts:
        return sc.emptyRDD()  # as a receiver that has nothing: no partition
    rdds = [sc.parallelize(part, 1) for part in parts]
    return rdds[0] if len(rdds) == 1 else sc.union(rdds)


def replace_sources(context: Any, sources: Sources) -> None:
    """Let the sources of a class of contexts read recorded batches."""
    make, queue = context.__init__, context.queueStream
    queues = iter(range(10**6))

    @functools.wraps(make)
    def __init__(
        self: Any, sparkContext: Any, batchDuration: Any = None, *args: Any, **more: Any
    ) -> None:
        # as an argument that some jobs give by name
        make(self, sparkContext, batchDuration, *args, **more)
        self._recorded_interval = batchDuration

    def socketTextStream(
        self: Any,
        hostname: str,
        port: int,
        storageLevel: StorageLevel = StorageLevel.MEMORY_AND_DISK_2,
    ) -> Any:
        return sources.stream(self, f"socket:{int(port)}")

    def textFileStream(self: Any, directory: str) -> Any:
        return sources.stream(self, file_source(directory, sources.has))

    def binaryRecordsStream(self: Any, directory: str, recordLength: int) -> Any:
        return sources.stream(self, file_source(directory, sources.has))

    @functools.wraps(queue)
    def queueStream(self: Any, rdds: Any, *args: Any, **more: Any) -> Any:
        name = f"queue:{next(queues)}"
        return sources.stream(self, name) if sources.has(name) else queue(self, rdds, *args, **more)

    context.__init__ = __init__
    for method in (socketTextStream, textFileStream, binaryRecordsStream, queueStream):
        setattr(context, method.__name__, method)


def unknown_source(name: str, recording: Recording) -> RecordingError:
    """Return the error of a job that reads what is not recorded."""
    have = ", ".join(recording.sources) or "none"
    return RecordingError(
        f"the job reads {name}, which the recorded batches do not have: they have {have}. "
        "Record it too, or name it in the first line as a source without input"
    )


def file_source(directory: str, has: Callable[[str], bool]) -> str:
    """Return the source of a folder: as the job names it, else by its whole path."""
    plain = directory.removeprefix("file://").removeprefix("file:").rstrip("/") or "/"
    for name in (directory, plain, os.path.abspath(plain)):
        if has(f"file:{name}"):
            return f"file:{name}"
    return f"file:{plain}"
