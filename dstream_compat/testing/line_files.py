"""Reads and writes files of lines as Hadoop's text input does: by their suffix they are packed."""

from __future__ import annotations

import bz2
import gzip
import zlib
from collections.abc import Callable, Sequence
from typing import Final

from dstream_compat.wire.text import REPLACE

from .errors import RecordingError

_UNPACK: Final[dict[str, Callable[[bytes], bytes]]] = {
    ".gz": gzip.decompress,
    ".bz2": bz2.decompress,
    ".deflate": zlib.decompress,
}
_PACK: Final[dict[str, Callable[[bytes], bytes]]] = {
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".deflate": zlib.compress,
}
_UNKNOWN: Final = (".zst", ".lz4", ".snappy", ".lzo", ".lzo_deflate")


def lines_of_file(name: str, data: bytes) -> tuple[list[str], int]:
    """Return the lines of a file, and how many of them are not UTF-8.

    Parameters
    ----------
    name : str
        of the file
    data : bytes
        what it has

    Raises
    ------
    RecordingError
        if it cannot be unpacked, or is no file of text
    """
    suffix = _suffix(name)
    if suffix in _UNKNOWN:
        raise RecordingError(
            f"{name} is packed as {suffix}, which cannot be unpacked here: only "
            f"{', '.join(_UNPACK)} can"
        )
    if suffix in _UNPACK:
        try:
            data = _UNPACK[suffix](data)
        except (OSError, EOFError, zlib.error, ValueError) as error:
            raise RecordingError(f"{name} cannot be unpacked: {error}") from None
    if not data:
        return [], 0
    lines, broken = decode_lines(data.removesuffix(b"\n").split(b"\n"))
    if broken and b"\0" in data:
        raise RecordingError(f"{name} is a binary file, which has no lines")
    return lines, broken


def decode_lines(lines: Sequence[bytes]) -> tuple[list[str], int]:
    """Return lines as a job reads them, and how many of them are not UTF-8.

    Parameters
    ----------
    lines : sequence of bytes
        without the line feeds
    """
    texts, broken = [], 0
    for line in lines:
        text = line.removesuffix(b"\r")
        try:
            texts.append(text.decode("utf-8"))
        except UnicodeDecodeError:
            texts.append(text.decode("utf-8", REPLACE))
            broken += 1
    return texts, broken


def file_of_lines(name: str, lines: Sequence[str]) -> bytes:
    """Return what a file of a name has to have so that these lines are read from it.

    Parameters
    ----------
    name : str
        of the file
    lines : sequence of str
        without the line feeds
    """
    data = "".join(f"{line}\n" for line in lines).encode("utf-8")
    pack = _PACK.get(_suffix(name))
    return data if pack is None else pack(data)


def _suffix(name: str) -> str:
    stem, dot, suffix = name.rpartition(".")
    return dot + suffix if stem else ""
