"""The command that a list of packages belongs to: where it begins and ends in a text."""

from __future__ import annotations

import re
from functools import lru_cache

from migrator.model.requirement_events import Surroundings
from migrator.rules.call_arguments import argument_at

# arguments in brackets: strings, names and calls of a program, with comments between them
_BLANKS = r"(?>(?:\s|\#[^\n]*\n)*)"
_ELEMENT = (
    r"(?>(?:[A-Za-z]?\"(?:[^\"\\\n]|\\.)*\"|[A-Za-z]?'(?:[^'\\\n]|\\.)*'"
    r"|[\w*./:$@=-]+(?:\([^()\n]*\))?)(?:[ \t]*[%+][ \t]*[\w.]+)?)"
)
_ARRAY = re.compile(rf"\[{_BLANKS}(?>(?:{_ELEMENT}{_BLANKS},{_BLANKS})*)(?:{_ELEMENT}{_BLANKS})?\]")
_SEPARATOR = re.compile(r"\s(?:&&|\|\|)\s|;\s")
_OF_STRINGS = re.compile(rf"{_SEPARATOR.pattern}|[\"']\s*,\s*[\"']")


def command_around(around: Surroundings, offset: int, form: str = "command") -> tuple[int, int]:
    """Return where the command around an offset begins and ends.

    Of a program, this is the call that submits a job; otherwise the line with those that belong to
    it.

    Parameters
    ----------
    form : str
        How the list at the offset is written: one in brackets belongs to all of these.
    """
    text = around.text
    argument = argument_at(text, offset) if around.language == "python" else None
    if argument is not None:
        return argument.call
    arrays = _arrays(text) if form == "elements" else ()
    array_found = next((array for array in arrays if array[0] < offset < array[1]), None)
    if array_found is not None:
        return array_found
    start, end = _line_around(text, offset)
    # where a command is one string, the next string is another one
    separator = _OF_STRINGS if form == "command" else _SEPARATOR
    ends = [match.span() for match in separator.finditer(text, start, end)]
    first = max((after for _, after in ends if after <= offset), default=start)
    return first, min((before for before, _ in ends if before >= offset), default=end)


def _line_around(text: str, offset: int) -> tuple[int, int]:
    """Return the line around an offset, with those that backslashes join to it."""
    start = text.rfind("\n", 0, offset) + 1
    while start and _is_continued(text[: start - 1]):
        start = text.rfind("\n", 0, start - 1) + 1
    end = _line_end(text, offset)
    while end < len(text) and _is_continued(text[:end]):
        end = _line_end(text, end + 1)
    return start, end


@lru_cache(maxsize=8)
def _arrays(text: str) -> tuple[tuple[int, int], ...]:
    return tuple(match.span() for match in _ARRAY.finditer(text))


def _is_continued(text: str) -> bool:
    body = text[-40:].removesuffix("\r")
    return (len(body) - len(body.rstrip("\\"))) % 2 == 1


def _line_end(text: str, offset: int) -> int:
    end = text.find("\n", offset)
    return len(text) if end < 0 else end
