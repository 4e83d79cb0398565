"""Files of the user that are read line by line, and files that appear whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def entries(path: Path) -> list[tuple[int, str]]:
    """Return the lines of a file with their numbers, without empty ones and comments.

    Raises
    ------
    OSError, UnicodeDecodeError
        If it cannot be read.
    """
    lines = (line.strip() for line in path.read_text("utf-8").splitlines())
    return [(n, text) for n, text in enumerate(lines, 1) if text and not text.startswith("#")]


def write_whole(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Write a file, which may be there.

    Raises
    ------
    OSError
        If it cannot be written; what was there stays.
    """
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        os.chmod(name, mode)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
