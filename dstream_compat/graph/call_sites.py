"""Where in the user's program a call stands."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import FrameType
from typing import Final, NamedTuple

import pyspark

_OWN: Final = tuple(
    str(folder) + os.sep
    for folder in (Path(__file__).resolve().parent.parent, Path(pyspark.__file__).resolve().parent)
)


class CallSite(NamedTuple):
    """Lines of the user's program, innermost first; each is ``file:line`` with the whole path."""

    lines: tuple[str, ...]

    def name(self, operator: str) -> str:
        """Return a text such as ``foreachRDD at job.py:12``."""
        return f"{operator} at {os.path.basename(self.lines[0])}" if self.lines else operator

    def description(self) -> str:
        """Return all lines."""
        return "\n".join(self.lines)


def call_site() -> CallSite:
    """Return the lines of the caller's stack that are neither this package's nor PySpark's."""
    frame: FrameType | None = sys._getframe(1)
    lines = []
    while frame is not None:
        filename = frame.f_code.co_filename
        if not filename.startswith(_OWN) and not filename.startswith("<frozen"):
            lines.append(f"{filename}:{frame.f_lineno}")
        frame = frame.f_back
    return CallSite(tuple(lines))
