"""The Python programs of a tree, as steps after its reading may ask for them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(slots=True)
class ProgramTree:
    """How the programs of a tree hang together.

    Parameters
    ----------
    resolve : callable
        The file that an import leads to, None if it is not in the tree: given the file with the
        import, its dots, and the name behind them.
    importers : callable
        The files that import a file.
    read : callable
        The bytes of a file, empty if it cannot be read.
    """

    resolve: Callable[[str, int, str], str | None] = lambda importer, level, dotted: None
    importers: Callable[[str], list[str]] = lambda path: []
    read: Callable[[str], bytes] = lambda path: b""
