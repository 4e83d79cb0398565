"""Places in files, and how a report shows them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Spot:
    """A place in a file: lines and columns count from 1; `cell` is a notebook's cell, from 1."""

    line: int
    column: int
    cell: int | None = None

    @property
    def order(self) -> tuple[int, int, int]:
        """Sorts by cell, then line, then column."""
        return (self.cell or 0, self.line, self.column)


def shown_place(at: Spot) -> str:
    """Return the line of a place in words, with its cell."""
    return f"line {at.line}" if at.cell is None else f"cell {at.cell}, line {at.line}"


@dataclass(frozen=True, slots=True)
class StreamOrigin:
    """Where a stream was made: a call in a file, whose path is as in the report."""

    path: str
    at: Spot
