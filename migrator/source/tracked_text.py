"""A text that is edited in steps, and knows for each character where it stood at first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from migrator.source.lines import TextLines
from migrator.source.spans import Span, minimal_span, with_spans

# the origin of a character that was put in
_NEW = -1


class Tracked:
    """A text after some edits.

    Parameters
    ----------
    original : str
        The text before all edits, whose lines end with a line feed.

    Attributes
    ----------
    origins : list of int
        The offset in the original of each character, -1 for those that were put in.
    lines : TextLines
        The lines of the text.
    """

    def __init__(self, original: str) -> None:
        self.original = original
        self.text = original
        self.origins = list(range(len(original)))
        self.lines = self.old_lines = TextLines(original)

    def edit(self, spans: Iterable[Span]) -> None:
        """Put spans of the text as it is now in, which must not overlap."""
        ordered_spans = sorted(spans)
        self.text = with_spans(self.text, ordered_spans)
        for start, end, new in reversed(ordered_spans):
            # what takes the place of something stands where that stood
            first = self.origins[start:end][:1] if new else []
            self.origins[start:end] = [*first, *[_NEW] * (len(new) - len(first))]
        self.lines = TextLines(self.text)

    def rewrite(self, text: str, origins: Iterable[tuple[int, int, int]]) -> None:
        """Take another text, of which some parts are the same.

        Parameters
        ----------
        origins : iterable of (int, int, int)
            Where such a part stands in the old text and in the new one, and how long it is.
        """
        spans = []
        old_end = new_end = 0
        for old, new, length in [*origins, (len(self.text), len(text), 0)]:
            if old < old_end or new < new_end:
                # it has moved in front of another part
                continue
            before, after = self.text[old_end:old], text[new_end:new]
            # blanks alone are not changed
            if before.split() != after.split() or bool(before) is not bool(after):
                spans.append(minimal_span(old_end, before, after))
            old_end, new_end = old + length, new + length
        self.edit(spans)

    def spans(self) -> Iterator[Span]:
        """Yield the edits of the original that lead to the text."""
        old = new = 0
        for offset, origin in enumerate([*self.origins, len(self.original)]):
            if origin == _NEW or not self._is_unchanged(offset, origin):
                continue
            if origin > old or offset > new:
                yield Span(old, origin, self.text[new:offset])
            old, new = origin + 1, offset + 1

    def _is_unchanged(self, offset: int, origin: int) -> bool:
        return self.text[offset : offset + 1] == self.original[origin : origin + 1]

    def offset(self, line: int, column: int) -> int:
        """Return the offset in the text of a place; lines count from 1, columns from 0."""
        return self.lines.starts[line - 1] + column

    def old_place(self, line: int, column: int) -> tuple[int, int]:
        """Return the place in the original of one in the text: for new text, where it was put."""
        starts = self.lines.starts
        if not 0 < line < len(starts):
            return line, column
        offset = self.offset(line, column)
        end = starts[line] - (line < len(starts) - 1)
        following = (n for n in range(offset, end) if self.origins[n] != _NEW)
        found_offset = next(following, None)
        if found_offset is not None:
            return self.old_lines.place(self.origins[found_offset])
        before = range(min(offset, len(self.text)) - 1, -1, -1)
        found_offset = next((n for n in before if self.origins[n] != _NEW), None)
        if found_offset is None:
            return 1, 0
        behind = self.text[found_offset] != "\n" or found_offset == offset - 1
        return self.old_lines.place(self.origins[found_offset] + behind)

    def old_place_of(self, offset: int) -> tuple[int, int]:
        """Return the same for an offset in the text."""
        return self.old_place(*self.lines.place(offset))

    def before(self, line: int, column: int) -> str:
        """Return the original from a place in the text on."""
        old_line, old_column = self.old_place(line, column)
        return self.original[self.old_lines.starts[old_line - 1] + old_column :]

    def old_end(self, line: int) -> int | None:
        """Return the line of the original whose end a line has, None if its end was put in."""
        if line >= len(self.lines.starts) - 1:
            return len(self.old_lines.starts) - 1
        origin = self.origins[self.lines.starts[line] - 1]
        return None if origin == _NEW else self.old_lines.place(origin)[0]


# Maps places in a converted text back to the file that it was made from.


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
