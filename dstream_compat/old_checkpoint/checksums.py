"""Hadoop's checksums beside local files: a file that is cut between records looks whole."""

from __future__ import annotations

import struct
import zlib
from typing import Final

from ..storage.files import Storage, join
from .java_stream import JavaStreamError

_SIGN: Final = b"crc\x00"


def read_whole(storage: Storage, path: str) -> bytes:
    """Return a file's bytes, compared with its checksums where there are some.

    Other file systems than local ones check what they read by themselves.

    Raises
    ------
    JavaStreamError
        if they are not those that were written
    """
    data = storage.read(path)
    folder, _, name = path.rpartition("/")
    beside = join(folder or "/", f".{name}.crc")
    if storage.local(path) is None or not storage.exists(beside):
        return data
    sums = storage.read(beside)
    if sums[:4] != _SIGN or len(sums) < 8:
        raise JavaStreamError(f"its checksums in .{name}.crc are damaged")
    (size,) = struct.unpack_from(">i", sums, 4)
    chunks = [data[at : at + size] for at in range(0, len(data), size)]
    checksums = b"".join(struct.pack(">I", zlib.crc32(chunk)) for chunk in chunks)
    if checksums != sums[8:]:
        raise JavaStreamError(f"it does not match its checksums in .{name}.crc: cut off or changed")
    return data
