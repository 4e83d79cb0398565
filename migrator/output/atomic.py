"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from migrator.errors import MigrateError


@dataclass(slots=True)
class Replacement:
    """A file to replace: what it held when it was read, and what it is to hold."""

    path: Path
    original: bytes
    content: bytes


def stage(path: Path, content: bytes, like: Path) -> Path:
    """Writes a temporary file beside a path, with the mode of another file."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".migrating", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        shutil.copymode(like, name)
    except BaseException:
        os.unlink(name)
        raise
    return Path(name)


def replace_all(replacements: Iterable[Replacement]) -> None:
    """Replaces several files: all of them, or none.

    Every new file is written before the first is put in place; if one cannot be, those that were
    are put back.

    Raises
    ------
    MigrateError
        If a file changed since it was read.
    """
    staged: list[tuple[Replacement, Path]] = []
    done: list[Replacement] = []
    try:
        for item in replacements:
            if item.path.read_bytes() != item.original:
                raise MigrateError(
                    f"{item.path} changed during the run; nothing was written, run migrate again"
                )
            staged.append((item, stage(item.path, item.content, item.path)))
        for item, temporary in staged:
            # listed first: an interrupt after the replace must find it
            done.append(item)
            os.replace(temporary, item.path)
    except BaseException:
        for item in done:
            if item.path.read_bytes() != item.original:
                os.replace(stage(item.path, item.original, item.path), item.path)
        raise
    finally:
        for _, temporary in staged:
            with suppress(FileNotFoundError):
                temporary.unlink()
