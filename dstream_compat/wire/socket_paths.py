"""Paths of Unix sockets, which operating systems keep shorter than those of files."""

from __future__ import annotations

import os
import sys
import tempfile
from typing import Final

_LONGEST: Final = 107 if sys.platform == "linux" else 103
"""Bytes of a path, without the one that ends it."""

SPARKS_NAME: Final = ".00000000-0000-0000-0000-000000000000.sock"
"""What Spark's names of sockets look like."""

_PREFIX: Final = "dstream-compat-"
_RANDOM: Final = 8
"""Characters that ``mkdtemp`` appends."""


def fits(folder: str, name: str = SPARKS_NAME) -> bool:
    """Return whether a socket of a name can be in a folder."""
    return len(os.fsencode(os.path.join(folder, name))) <= _LONGEST


def is_private_folder(folder: str) -> bool:
    """Return whether a folder is one that ``private_folder`` has made."""
    return os.path.basename(folder).startswith(_PREFIX)


def private_folder(name: str = SPARKS_NAME, first: str | None = None) -> str:
    """Return a new folder that only this user can open, short enough for a socket.

    Parameters
    ----------
    name : str
        of the socket
    first : str, optional
        where to make it, if that is short enough; else in a temporary folder

    Raises
    ------
    OSError
        if no temporary folder is short enough
    """
    inside = os.path.join(_PREFIX + "x" * _RANDOM, name)
    places = [first] if first else []
    for place in (*places, tempfile.gettempdir(), "/tmp", "/var/tmp"):
        if fits(place, inside) and os.access(place, os.W_OK | os.X_OK):
            return tempfile.mkdtemp(prefix=_PREFIX, dir=place)
    longest = _LONGEST - len(inside) - 1
    raise OSError(
        "no temporary folder that can be written has a path short enough for a Unix socket: "
        f"{tempfile.gettempdir()}. Set TMPDIR to a folder of at most {longest} characters"
    )
