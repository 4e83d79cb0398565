"""Compressed files as Hadoop writes them, recognised by the ends of their names as by Hadoop.

Decision 0038: Hadoop's compression is read in Python.
"""

from __future__ import annotations

import bz2
import gzip
import zlib
from collections.abc import Callable, Iterator
from typing import Protocol

BLOCK = 1 << 20
_REFUSED = (".lzo", ".xz")


class Reader(Protocol):
    """The interface of files and sockets."""

    def read(self, size: int = -1, /) -> bytes:
        """Return at most that many bytes; none at the end."""


def is_compressed(path: str) -> bool:
    """Return whether Hadoop takes a file for compressed, by its name."""
    return path.endswith(tuple(_CODECS))


def blocks(stream: Reader, path: str) -> Iterator[bytes]:
    """Yield the content of a file in pieces of about a megabyte, decompressed.

    Raises
    ------
    ValueError
        if the file is damaged, or compressed in a way that this package cannot read
    """
    if path.endswith(_REFUSED):
        raise ValueError(
            f"{path}: files compressed in this way cannot be read; plain text can, and "
            + ", ".join(_CODECS)
        )
    for ending, codec in _CODECS.items():
        if path.endswith(ending):
            try:
                yield from codec(stream)
            except (EOFError, OSError, zlib.error) as error:
                raise ValueError(f"{path}: the file is damaged: {error}") from error
            return
    while block := stream.read(BLOCK):
        yield block


def _gzip(stream: Reader) -> Iterator[bytes]:
    with gzip.GzipFile(fileobj=stream) as file:  # type: ignore[call-overload]
        while block := file.read(BLOCK):
            yield block


def _bzip2(stream: Reader) -> Iterator[bytes]:
    with bz2.BZ2File(stream) as file:  # type: ignore[call-overload]
        while block := file.read(BLOCK):
            yield block


def _deflate(stream: Reader) -> Iterator[bytes]:
    decompressor, data, started = zlib.decompressobj(), b"", False
    while data := data or stream.read(BLOCK):
        yield decompressor.decompress(data, BLOCK)
        data = decompressor.unconsumed_tail
        if decompressor.eof:  # another stream may follow
            decompressor, data = zlib.decompressobj(), decompressor.unused_data
            started = bool(data)
        else:
            started = True
    if started:
        raise EOFError("it ends too early")


def _zstandard(stream: Reader) -> Iterator[bytes]:
    import pyarrow as pa  # as long to import as all the rest, and rarely needed

    file = pa.CompressedInputStream(pa.PythonFile(stream, "r"), "zstd")
    while block := file.read(BLOCK):
        yield block


def _frame_reader(inflate: Callable[[bytes, int], bytes]) -> Callable[[Reader], Iterator[bytes]]:
    """Return the reader of Hadoop's own frames: blocks of a known size, cut into chunks."""

    def read(stream: Reader) -> Iterator[bytes]:
        while (head := _exactly(stream, 4, may_end=True)) is not None:
            left = int.from_bytes(head, "big")
            while left > 0:
                size = int.from_bytes(_exactly(stream, 4) or b"", "big")
                data = inflate(_exactly(stream, size) or b"", left)
                if not data:
                    raise EOFError("a chunk is empty")
                left -= len(data)
                yield data

    return read


def _exactly(stream: Reader, size: int, may_end: bool = False) -> bytes | None:
    """Return so many bytes; None at the end of the file, if it may end here."""
    data = b""
    while len(data) < size:
        part = stream.read(size - len(data))
        if not part:
            if may_end and not data:
                return None
            raise EOFError("it ends too early")
        data += part
    return data


def _snappy(chunk: bytes, left: int) -> bytes:
    size = shift = 0
    for byte in chunk[:5]:  # the chunk begins with its size
        size |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            break
    return _decompress("snappy", chunk, size, left)


def _lz4(chunk: bytes, left: int) -> bytes:
    return _decompress("lz4_raw", chunk, _size_of_lz4(chunk), left)


def _decompress(codec: str, chunk: bytes, size: int, left: int) -> bytes:
    if size > left:
        raise EOFError("a chunk is larger than its block")
    import pyarrow as pa

    data: bytes = pa.Codec(codec).decompress(chunk, size, asbytes=True)
    return data


def _size_of_lz4(chunk: bytes) -> int:
    """Return the size of a decompressed chunk, which stands nowhere."""
    size = at = 0
    try:
        while True:
            token = chunk[at]
            literals, at = _length(chunk, at + 1, token >> 4)
            at += literals
            size += literals
            if at >= len(chunk):
                return size
            matched, at = _length(chunk, at + 2, token & 15)
            size += matched + 4
    except IndexError:
        raise EOFError("a chunk ends too early") from None


def _length(chunk: bytes, at: int, length: int) -> tuple[int, int]:
    if length == 15:
        while (more := chunk[at]) == 255:
            length += 255
            at += 1
        length += more
        at += 1
    return length, at


_CODECS: dict[str, Callable[[Reader], Iterator[bytes]]] = {
    ".gz": _gzip,
    ".bz2": _bzip2,
    ".deflate": _deflate,
    ".snappy": _frame_reader(_snappy),
    ".lz4": _frame_reader(_lz4),
    ".zst": _zstandard,
}
