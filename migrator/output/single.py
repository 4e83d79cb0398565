"""Writes the migrated copy of a single file."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

from migrator.errors import MigrateError
from migrator.output.atomic import write_new


def output_file(source: Path, output: Path) -> Path:
    """Return the file to write: under the source's own name if the output is a folder."""
    return output / source.name if output.is_dir() else output


def check_output_file(source: Path, output: Path) -> None:
    """Refuse a destination that cannot be written.

    Raises
    ------
    MigrateError
        If it is the source or its folder does not exist.
    """
    if os.path.realpath(source) == os.path.realpath(output):
        raise MigrateError(f"the output {output} is the file itself; use --in-place to rewrite it")
    if not output.parent.is_dir():
        raise MigrateError(f"cannot write to {output}: the folder {output.parent} does not exist")


def write_file(source: Path, output: Path, content: bytes) -> None:
    """Write a file that must not exist yet, or already holds what is to be written.

    Raises
    ------
    MigrateError
        If it holds something else: nothing shows that this tool made it.
    """
    temporary = output.with_name(f".{secrets.token_hex(8)}.migrating")
    write_new(temporary, content, source)
    try:
        try:
            # fails if it exists, unlike a rename
            os.link(temporary, output)
        except FileExistsError:
            if not output.is_file() or output.read_bytes() != content:
                raise MigrateError(
                    f"{output} exists; remove it or choose another --output"
                ) from None
    finally:
        with suppress(FileNotFoundError):
            temporary.unlink()
