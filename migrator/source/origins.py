"""Maps places in a converted text back to the file that it was made from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from migrator.source.tracked_text import Tracked


class Origin(Protocol):
    """The text that another one was made of."""

    def place(self, line: int, column: int) -> tuple[int, int]:
        """Return the place in the old text of one in the new one; lines from 1, columns from 0."""

    def restore(self, edited: str) -> str:
        """Return the old text with the edits that were done to the new one."""


@dataclass(frozen=True, slots=True)
class ChainedOrigin:
    """A text that was converted in two steps, which are undone in reverse order."""

    last: Origin
    first: Origin

    def place(self, line: int, column: int) -> tuple[int, int]:
        """Return the place in the text before both steps."""
        return self.first.place(*self.last.place(line, column))

    def restore(self, edited: str) -> str:
        """Return the text before both steps, with the edits."""
        return self.first.restore(self.last.restore(edited))


@dataclass(frozen=True, slots=True)
class Replaced:
    """A text that has taken the place of another one, which is not restored.

    Parameters
    ----------
    original : str
        The text before.
    before, after : Origin, optional
        What the text before and this one were made of, if they were.
    """

    original: str
    places: Tracked
    before: Origin | None = None
    after: Origin | None = None

    def place(self, line: int, column: int) -> tuple[int, int]:
        """Return the place in the file before."""
        line, column = self.places.old_place(line, column)
        return (line, column) if self.before is None else self.before.place(line, column)

    @property
    def is_file(self) -> bool:
        """Whether both texts are those of the files."""
        return self.before is None and self.after is None

    def restore(self, edited: str) -> str:
        """Return the text as the new file has it."""
        return edited if self.after is None else self.after.restore(edited)


@dataclass(frozen=True, slots=True)
class DedentedLines:
    """Lines of a file without their first columns, from a line on; they are never edited."""

    line: int
    width: int

    def place(self, line: int, column: int) -> tuple[int, int]:
        """Return the place in the file."""
        return line + self.line - 1, column + self.width

    def restore(self, edited: str) -> str:
        """Return the part itself."""
        return edited
