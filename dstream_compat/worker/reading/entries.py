"""Reads planned entries into frames, in a task."""

from __future__ import annotations

import codecs
import pickle
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, NamedTuple, Protocol

from ...wire import errors
from ...wire.frames import COUNT_OF, ERROR, FIXED, INITIAL, LINES, RECORDS, chunks, pack
from .. import attempts
from .codecs import BLOCK, Reader, blocks, is_compressed
from .kinesis_range import KinesisRange, read_range
from .remote import NO_READER, RemoteReader
from .splits import WHOLE, Split, within


class Chunk(NamedTuple):
    """Records that are part of the planned input."""

    kind: int
    count: int  # type: ignore[assignment]
    payload: bytes


class Pickled(NamedTuple):
    """Records of an RDD that are part of the planned input, in batches that PySpark has pickled."""

    batches: tuple[bytes, ...]


class Numbers(NamedTuple):
    """Numbers that the task makes."""

    values: range


class TextFile(NamedTuple):
    """A local text file, or a part of it, that the task reads line by line."""

    path: str
    split: Split = WHOLE


class FixedFile(NamedTuple):
    """A local file, or a part of it, of records of ``length`` bytes."""

    path: str
    length: int
    split: Split = WHOLE


class HadoopFile(NamedTuple):
    """A file that only the JVM can read, or a part of it; ``length`` None reads lines of text."""

    path: str
    length: int | None
    split: Split = WHOLE


def RemoteFile(
    path: str, length: int | None, address: object = None, split: Split = WHOLE
) -> HadoopFile:
    """Return a file of an input that an earlier version has planned; drivers served it then."""
    return HadoopFile(path, length, split)


File = TextFile | FixedFile | HadoopFile
Carried = Chunk | Pickled | Numbers
"""What is counted when it is planned, if at all."""
Item = Carried | File | KinesisRange


class Partition(NamedTuple):
    """One logical partition of one source in one interval."""

    node: int
    tick: int
    part: int
    items: tuple[Item, ...]

    def __reduce__(self) -> tuple[Any, ...]:
        # on its way to a task; what is kept of a plan are the items alone
        items = (item.for_task() if isinstance(item, KinesisRange) else item for item in self.items)
        return Partition, (self.node, self.tick, self.part, tuple(items))


class StoredPairs(Protocol):
    """(key, state) pairs that are stored somewhere, such as those of a file."""

    @property
    def by_jvm(self) -> bool:
        """Whether only a JVM can read them."""

    def read(self, reader: RemoteReader) -> Iterable[Any]:
        """Return the pairs, in a task."""


class InitialPart(NamedTuple):
    """A part of an operator's initial state, which the task reads."""

    node: int
    part: int
    pairs: StoredPairs


Entry = Partition | InitialPart | bytes
"""What a task reads: planned or stored somewhere, or a frame that is ready."""


def read_entries(entries: Iterable[Entry], reader: RemoteReader = NO_READER) -> Iterator[bytes]:
    """Yield the frames of planned entries; entries that are frames already pass through.

    Parameters
    ----------
    entries : iterable of Entry
        what a task reads
    reader : RemoteReader
        of the task
    """
    for entry in entries:
        if isinstance(entry, bytes):
            yield entry
        elif isinstance(entry, InitialPart):  # without it all batches would be wrong: it may raise
            for seq, (count, payload) in enumerate(chunks(entry.pairs.read(reader))):
                yield pack(INITIAL, entry.node, 0, (entry.part,), payload, seq=seq, count=count)
        else:
            try:
                yield from _read(entry, reader)
            except errors.USER_ERRORS as error:  # a bad or vanished file fails its batch only
                payload = attempts.error_of(error)
                yield pack(ERROR, entry.node, entry.tick, (), payload)


def _read(entry: Partition, reader: RemoteReader) -> Iterator[bytes]:
    seq = read = 0
    for item in entry.items:
        for kind, size, count, payload in _chunks(item, reader):
            read += 0 if isinstance(item, Carried) else count
            yield pack(
                kind,
                entry.node,
                entry.tick,
                (entry.part,),
                payload,
                part=size,
                seq=seq,
                count=count,
            )
            seq += 1
    if seq == 0:
        yield pack(RECORDS, entry.node, entry.tick, (entry.part,))
    if read:  # what travels with the plan was counted then, and nobody is told about queues
        yield pack(RECORDS, entry.node | COUNT_OF, entry.tick, (entry.part,), count=read)


def _chunks(item: Item, reader: RemoteReader) -> Iterator[tuple[int, int, int, bytes]]:
    match item:
        case Chunk():
            if item.count:
                yield item.kind, 0, item.count, item.payload
        case Pickled(batches):
            # as PySpark loads them: the JVM may have pickled them, too
            loaded = (pickle.loads(batch, encoding="bytes") for batch in batches)
            for count, payload in chunks(chain.from_iterable(loaded)):
                yield RECORDS, 0, count, payload
        case Numbers(values):
            for count, payload in chunks(values):
                yield RECORDS, 0, count, payload
        case KinesisRange():
            for count, payload in chunks(read_range(item)):
                yield RECORDS, 0, count, payload
        case TextFile(path, split):
            with open(path, "rb") as stream:
                stream.seek(split.start)
                yield from _lines(stream, path, split)
        case FixedFile(path, length, split):
            with open(path, "rb") as stream:
                stream.seek(split.start)
                yield from _fixed_records(stream, path, length, split)
        case HadoopFile(path, length, split):
            with reader.open(path, split, lines=length is None) as stream:
                if length is None:
                    yield from _lines(stream, path, split)
                else:
                    yield from _fixed_records(stream, path, length, split)


def _lines(stream: Reader, path: str, split: Split) -> Iterator[tuple[int, int, int, bytes]]:
    content = within(blocks(stream, path), split)
    for payload, count in line_blocks(content if split.start else without_mark(content)):
        yield LINES, 0, count, payload


def _fixed_records(
    stream: Reader, path: str, length: int, split: Split
) -> Iterator[tuple[int, int, int, bytes]]:
    if is_compressed(path):
        raise ValueError(f"{path}: records of a fixed length cannot be read from compressed files")
    rest, left = b"", float("inf") if split.end is None else split.end - split.start
    while left and (block := stream.read(int(min(max(BLOCK, length), left)))):
        rest += block
        left -= len(block)
        end = len(rest) // length * length
        if end:
            yield FIXED, length, end // length, rest[:end]
            rest = rest[end:]
    if rest:
        raise ValueError(f"{path}: size is not a multiple of the record length of {length} bytes")


def without_mark(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the blocks of a text file without its byte order mark, as Hadoop reads it."""
    rest, head = iter(blocks), b""
    while len(head) < len(codecs.BOM_UTF8) and (block := next(rest, b"")):
        head += block
    yield head.removeprefix(codecs.BOM_UTF8)
    yield from rest


def line_blocks(blocks: Iterable[bytes]) -> Iterator[tuple[bytes, int]]:
    """Cut bytes into blocks of whole lines; yields (lines joined by line feeds, their number).

    Lines end with a line feed, a carriage return or both, as in Hadoop's and Java's readers.
    """
    rest, ended = b"", False
    for block in blocks:
        if ended:  # a carriage return has ended the line, so its line feed ends no other one
            ended, block = not block, block.removeprefix(b"\n")
        if b"\r" in block:
            ended = block.endswith(b"\r")
            block = block.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        data = rest + block
        end = data.rfind(b"\n")
        if end < 0:
            rest = data
            continue
        yield data[:end], data.count(b"\n", 0, end) + 1
        rest = data[end + 1 :]
    if rest:
        yield rest, 1
