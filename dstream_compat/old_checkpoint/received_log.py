"""What receivers of DStreams have in their write-ahead log: the records of each batch."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from ..exceptions import CheckpointError
from ..storage.files import join
from .compression import decompress
from .folder import OldCheckpoint, explain_read_errors
from .java_stream import JavaObject, JavaStream, JavaStreamError
from .scala_values import items, millis, pairs, plain

Block = list[str]
"""The lines that a receiver stored at once."""

_EVENTS: Final = "receivedBlockMetadata"
_FILE: Final = re.compile(r"log-(\d+)-\d+")


class _Segment(NamedTuple):
    """Where a block is: the path of a file that may have been moved, and a place in it."""

    path: str
    offset: int


def logged_blocks(old: OldCheckpoint, since: int, last: int) -> dict[int, dict[int, list[Block]]]:
    """Return the blocks that receivers have logged for the batches after a time.

    What no batch had yet comes behind the last one, as DStreams do it after a restart.

    Parameters
    ----------
    old : OldCheckpoint
        whose folder has the log
    since, last : int
        batch times (milliseconds): blocks after the first one are wanted, the other is the last

    Returns
    -------
    dict
        number of the input stream to batch time to blocks

    Raises
    ------
    CheckpointError
        if the log is damaged, incomplete, or of a receiver of something else than lines
    """
    blocks_of: dict[int, dict[int, list[Block]]] = {}
    for stream, tick, segment in _segments(old, since, last):
        if tick > since:
            blocks = blocks_of.setdefault(stream, {}).setdefault(tick, [])
            blocks.append(_block(old, segment))
    return blocks_of


def _segments(old: OldCheckpoint, since: int, last: int) -> Iterator[tuple[int, int, _Segment]]:
    """Yield stream, batch and place of each block, as Spark's ReceivedBlockTracker finds them."""
    waiting: dict[_Segment, int] = {}
    batches: dict[int, list[tuple[int, _Segment]]] = {}
    for event in _events(old):
        if event.is_a("BlockAdditionEvent"):
            info = event.get("receivedBlockInfo")
            waiting[_segment(old, info)] = int(info.get("streamId"))
        elif event.is_a("BatchAllocationEvent"):
            tick = millis(event.get("time"))
            blocks = pairs(event.get("allocatedBlocks").get("streamIdToAllocatedBlocks"))
            assert tick is not None
            batches[tick] = [
                (int(plain(stream)), _segment(old, info))
                for stream, infos in blocks
                for info in items(infos)
            ]
            for _, segment in batches[tick]:
                waiting.pop(segment, None)
        elif event.is_a("BatchCleanupEvent"):
            times = [tick for time in items(event.get("times")) if (tick := millis(time))]
            if any(tick > since for tick in times):
                raise CheckpointError(
                    f"{old.folder}: the log of the batch of {max(times)} ms was deleted, whose "
                    "records have to be processed again"
                )
            for tick in times:
                batches.pop(tick, None)
    for tick in sorted(batches):
        for stream, segment in batches[tick]:
            yield stream, tick, segment
    behind = max([last, *batches]) + old.content.interval
    for segment, stream in waiting.items():
        yield stream, behind, segment


def _segment(old: OldCheckpoint, info: JavaObject) -> _Segment:
    handle = info.get("blockStoreResult").get("walRecordHandle")
    if handle is None or handle.get("path") is None:
        raise CheckpointError(
            f"{old.folder}: a receiver had a write-ahead log of its own class, which is not read"
        )
    return _Segment(str(handle.get("path")), int(handle.get("offset")))


def _events(old: OldCheckpoint) -> Iterator[JavaObject]:
    folder = join(old.folder, _EVENTS)
    try:
        with explain_read_errors(folder):
            entries = old.storage.list(folder)
    except FileNotFoundError:
        return  # nothing was received
    files = [(int(match[1]), entry) for entry in entries if (match := _FILE.fullmatch(entry.name))]
    for _, entry in sorted(files):
        with explain_read_errors(entry.path):
            data = old.storage.read(entry.path)
        try:
            for record in _records(data):
                for event in JavaStream(record).objects():
                    yield from _unpack_events(event)
        except JavaStreamError as error:
            raise CheckpointError(f"{entry.path} cannot be read: {error}") from error


def _unpack_events(written: Any) -> Iterator[JavaObject]:
    """Yield an event, or those that were written together."""
    if isinstance(written, list):
        for data in written:
            yield from (each for each in JavaStream(data).objects() if isinstance(each, JavaObject))
    elif isinstance(written, JavaObject):
        yield written


def _records(data: bytes) -> Iterator[bytes]:
    """Yield the records of a file; the last one may be cut off, as the writer was killed."""
    at = 0
    while at + 4 <= len(data):
        (size,) = struct.unpack_from(">i", data, at)
        if size < 0:
            raise JavaStreamError(f"the record at {at} has a length of {size}")
        if at + 4 + size > len(data):
            return
        yield data[at + 4 : at + 4 + size]
        at += 4 + size


def _block(old: OldCheckpoint, segment: _Segment) -> Block:
    inside = join(old.folder, *segment.path.split("/")[-3:])
    with explain_read_errors(inside):
        path = inside if old.storage.exists(inside) else segment.path
    try:
        with explain_read_errors(path):
            data = old.storage.read(path)
        record = next(_records(data[segment.offset :]), None)
        if record is None:
            raise JavaStreamError("it ends before")
        lines = list(JavaStream(decompress(record)).objects())
    except (FileNotFoundError, JavaStreamError) as error:
        raise CheckpointError(
            f"what a receiver has logged in {path} at {segment.offset} cannot be read: {error}"
        ) from error
    if not all(isinstance(line, str) for line in lines):
        raise CheckpointError(
            f"{path} has records of a receiver that are no lines of text: they are not read"
        )
    return lines


def count_records(blocks: Mapping[int, list[Block]]) -> int:
    """Return how many records there are."""
    return sum(len(block) for of_batch in blocks.values() for block in of_batch)
