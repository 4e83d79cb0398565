"""What the user asked for."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


class Mode(StrEnum):
    """What a run does with its edits."""

    WRITE = "write"
    IN_PLACE = "in-place"
    CHECK = "check"
    DIFF = "diff"


@dataclass(frozen=True, slots=True)
class Options:
    """A run: what to migrate (patterns are still to be expanded), where to, and how to report."""

    paths: tuple[Path, ...]
    mode: Mode = Mode.WRITE
    output: Path | None = None
    format: str = "text"
    color: bool = True
    quiet: bool = False
    cache: bool = True
