"""How far from a file others are read: no farther than the folder that `MIGRATE_WITHIN` names.

Without that variable there is no such limit. `migrate mcp` sets it for the commands that it runs.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

WITHIN = "MIGRATE_WITHIN"
"""The environment variable with the folder; a real path."""


def is_within(path: Path) -> bool:
    """Return whether a path, with its symlinks followed, is in the folder; True without one."""
    folder = os.environ.get(WITHIN)
    return not folder or Path(os.path.realpath(path)).is_relative_to(folder)


def with_parents(path: Path) -> Iterator[Path]:
    """Yield a path and the folders above it that may be read, the nearest first."""
    for place in (path, *path.parents):
        if not is_within(place):
            return
        yield place
