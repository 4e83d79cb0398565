"""Decompresses what Spark has written with one of its codecs, which the first bytes name."""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from typing import Final

import pyarrow as pa

from .java_stream import MAGIC, JavaStreamError

_LZ4: Final = b"LZ4Block"
_LZ4_STORED: Final = 0x10
_LZF: Final = b"ZV"
_SNAPPY: Final = b"\x82SNAPPY\x00"
_ZSTD: Final = b"\x28\xb5\x2f\xfd"


def decompress(data: bytes) -> bytes:
    """Return the stream of Java objects that is in a file.

    Raises
    ------
    JavaStreamError
        if it is damaged, or of a codec that Spark does not have
    """
    try:
        if data.startswith(MAGIC):
            return data
        if data.startswith(_LZ4):
            return b"".join(_lz4(data))
        if data.startswith(_LZF):
            return b"".join(_lzf_chunks(data))
        if data.startswith(_SNAPPY):
            return b"".join(_snappy(data))
        if data.startswith(_ZSTD):
            content: bytes = pa.CompressedInputStream(io.BytesIO(data), "zstd").read()
            return content
    except (struct.error, OSError, IndexError, pa.ArrowInvalid) as error:
        raise JavaStreamError(f"it is cut off or damaged: {error}") from error
    raise JavaStreamError(
        f"it begins with {data[:8]!r}, which no codec of Spark writes (lz4, lzf, snappy, zstd)"
        if data
        else "it is empty"
    )


def _lz4(data: bytes) -> Iterator[bytes]:
    """Yield the blocks of lz4-java's LZ4BlockOutputStream."""
    raw, at = pa.Codec("lz4_raw"), 0
    while at < len(data):
        method, packed, size = struct.unpack_from("<Bii", data, at + len(_LZ4))
        if data[at : at + len(_LZ4)] != _LZ4:
            raise JavaStreamError(f"byte {at} does not begin a block of lz4")
        at += len(_LZ4) + 13  # a checksum follows the sizes
        block = _whole(data[at : at + packed], packed)
        at += packed
        if size:
            stored = method & 0xF0 == _LZ4_STORED
            yield block if stored else raw.decompress(block, size).to_pybytes()


def _snappy(data: bytes) -> Iterator[bytes]:
    """Yield the chunks of snappy-java's SnappyOutputStream."""
    raw, at = pa.Codec("snappy"), 16
    while at < len(data):
        if data[at : at + 8] == _SNAPPY:
            at += 16  # streams may stand behind each other
            continue
        (packed,) = struct.unpack_from(">i", data, at)
        block = _whole(data[at + 4 : at + 4 + packed], packed)
        at += 4 + packed
        yield raw.decompress(block, _snappy_size(block)).to_pybytes()


def _snappy_size(block: bytes) -> int:
    size = shift = 0
    for byte in block:
        size |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return size
    raise JavaStreamError("a chunk of snappy has no length")


def _lzf_chunks(data: bytes) -> Iterator[bytes]:
    """Yield the chunks of compress-lzf's LZFOutputStream."""
    at = 0
    while at < len(data):
        sign, kind, packed = struct.unpack_from(">2sBH", data, at)
        if sign != _LZF:
            raise JavaStreamError(f"byte {at} does not begin a chunk of lzf")
        at += 5
        if kind == 0:
            yield _whole(data[at : at + packed], packed)
        else:
            (size,) = struct.unpack_from(">H", data, at)
            at += 2
            yield _lzf(_whole(data[at : at + packed], packed), size)
        at += packed


def _lzf(block: bytes, size: int) -> bytes:
    output, at = bytearray(), 0
    while at < len(block):
        control = block[at]
        at += 1
        if control < 32:  # so many bytes as they are
            output += block[at : at + control + 1]
            at += control + 1
            continue
        length = control >> 5
        if length == 7:
            length += block[at]
            at += 1
        start = len(output) - ((control & 31) << 8) - block[at] - 1
        at += 1
        for place in range(start, start + length + 2):  # what it copies may just have been made
            output.append(output[place])
    return bytes(_whole(bytes(output), size))


def _whole(data: bytes, size: int) -> bytes:
    if len(data) != size:
        raise JavaStreamError("it is cut off within a compressed block")
    return data
