"""What a task reads: planned entries become frames, in the worker."""

from __future__ import annotations

import codecs
import gzip
import io
from collections.abc import Iterable, Iterator
from typing import IO, NamedTuple

from ..engine import errors
from ..engine.frames import COUNT_OF, ERROR, FIXED, LINES, RECORDS, pack

_BLOCK = 1 << 20
_CODECS = (".bz2", ".deflate", ".lz4", ".lzo", ".snappy", ".xz", ".zst")


class Chunk(NamedTuple):
    """Records that travel with the plan; ``size`` is the bytes per record of a FIXED chunk."""

    kind: int
    count: int  # type: ignore[assignment]
    payload: bytes
    size: int = 0


class TextFile(NamedTuple):
    """A local text file that the task reads line by line."""

    path: str


class FixedFile(NamedTuple):
    """A local file of records of ``length`` bytes."""

    path: str
    length: int


class Partition(NamedTuple):
    """One logical partition of one source in one interval."""

    node: int
    tick: int
    part: int
    items: tuple[Chunk | TextFile | FixedFile, ...]


def read_entries(entries: Iterable[Partition | bytes]) -> Iterator[bytes]:
    """Yield the frames of planned entries; entries that are frames already pass through."""
    for entry in entries:
        if isinstance(entry, bytes):
            yield entry
        else:
            try:
                yield from _read(entry)
            except errors.USER_ERRORS as error:  # a bad or vanished file fails its batch only
                payload = errors.dump(errors.capture(error))
                yield pack(ERROR, entry.node, entry.tick, (), payload)


def _read(entry: Partition) -> Iterator[bytes]:
    seq = read = 0
    for item in entry.items:
        for kind, size, count, payload in _chunks(item):
            read += 0 if isinstance(item, Chunk) else count
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
    if read:  # what travels with the plan was counted when it was planned
        yield pack(RECORDS, entry.node | COUNT_OF, entry.tick, (entry.part,), count=read)


def _chunks(item: Chunk | TextFile | FixedFile) -> Iterator[tuple[int, int, int, bytes]]:
    match item:
        case Chunk():
            if item.size and len(item.payload) % item.size:
                raise ValueError(
                    f"a file's size is not a multiple of the record length of {item.size} bytes"
                )
            if item.count:
                yield item.kind, item.size, item.count, item.payload
        case TextFile():
            with _open(item.path) as stream:
                blocks = without_mark(iter(lambda: stream.read(_BLOCK), b""))
                for payload, count in line_blocks(blocks):
                    yield LINES, 0, count, payload
        case FixedFile():
            with _open(item.path) as stream:
                size = max(_BLOCK // item.length, 1) * item.length
                while block := stream.read(size):
                    if len(block) % item.length:
                        raise ValueError(
                            f"{item.path}: size is not a multiple of the record length "
                            f"of {item.length} bytes"
                        )
                    yield FIXED, item.length, len(block) // item.length, block


def _open(path: str) -> IO[bytes]:
    check_codec(path)
    if path.endswith(".gz"):
        return io.BufferedReader(gzip.GzipFile(path, "rb"))
    return open(path, "rb")


def check_codec(path: str) -> None:
    """Refuse a compressed file that would be read as if it were text.

    Raises
    ------
    ValueError
        for the endings that Hadoop would decompress and this package cannot
    """
    if path.endswith(_CODECS):
        raise ValueError(
            f"{path}: files compressed in this way cannot be read yet; .gz can, and plain text"
        )


def without_mark(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the blocks of a text file without its byte order mark, as Hadoop reads it."""
    first = True
    for block in blocks:
        yield block.removeprefix(codecs.BOM_UTF8) if first else block
        first = False


def line_blocks(blocks: Iterable[bytes]) -> Iterator[tuple[bytes, int]]:
    """Cut bytes into blocks of whole lines; yields (lines joined by line feeds, their number).

    Lines end with a line feed, a carriage return or both, as in Hadoop's and Java's readers.
    """
    rest = b""
    for block in blocks:
        data = rest + block
        if b"\r" in data:
            held = data.endswith(b"\r")  # its line feed may be in the next block
            if held:
                data = data[:-1]
            data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
            if held:
                data += b"\r"
        end = data.rfind(b"\n")
        if end < 0:
            rest = data
            continue
        yield data[:end], data.count(b"\n", 0, end) + 1
        rest = data[end + 1 :]
    if rest:
        rest = rest[:-1] if rest.endswith(b"\r") else rest
        yield rest, 1
