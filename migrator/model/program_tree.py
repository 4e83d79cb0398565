"""The Python programs of a tree, as steps after its reading may ask for them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from migrator.model.locate import ModuleIndex


@dataclass(slots=True)
class ProgramTree:
    """How the programs of a tree hang together.

    Parameters
    ----------
    index : callable
        Where their imports lead.
    importers : callable
        The files that import a file.
    read : callable
        The bytes of a file, empty if it cannot be read.
    """

    index: Callable[[], ModuleIndex] = lambda: ModuleIndex(())
    importers: Callable[[str], list[str]] = lambda path: []
    read: Callable[[str], bytes] = lambda path: b""
