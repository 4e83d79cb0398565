"""The command that a list of packages belongs to: where it begins and ends in a text."""

from __future__ import annotations

import re
from functools import lru_cache

from migrator.model.requirement_events import Surroundings
from migrator.rules.call_arguments import argument_at
from migrator.rules.workflow_lists import options_around

# arguments in brackets: strings, names and calls of a program, with comments between them
_BLANKS = r"(?>(?:\s|\#[^\n]*\n)*)"
_ELEMENT = (
    r"(?>(?:[A-Za-z]?\"(?:[^\"\\\n]|\\.)*\"|[A-Za-z]?'(?:[^'\\\n]|\\.)*'"
    r"|[\w*./:$@=-]+(?:\([^()\n]*\))?)(?:[ \t]*[%+][ \t]*[\w.]+)?)"
)
_ARRAY = re.compile(rf"\[{_BLANKS}(?>(?:{_ELEMENT}{_BLANKS},{_BLANKS})*)(?:{_ELEMENT}{_BLANKS})?\]")
_SEPARATOR = re.compile(r"\s(?:&&|\|\|)\s|;\s")
_OF_STRINGS = re.compile(rf"{_SEPARATOR.pattern}|[\"']\s*,\s*[\"']")
# a text of YAML whose lines are one line
_FOLDED = re.compile(r"(?:^|[:-][ \t]+)>[-+]?\d?[ \t]*(?:#.*)?\r?$")
_ITEM = re.compile(r"(?P<indent>[ \t]*)-[ \t]+\S")


def command_around(around: Surroundings, offset: int, form: str = "command") -> tuple[int, int]:
    """Return where the command around an offset begins and ends.

    Of a program, this is the call that submits a job; of a workflow, its options; otherwise the
    line with those that belong to it.

    Parameters
    ----------
    form : str
        How the list at the offset is written: one in brackets, and one in items of YAML, belongs to
        all of these.
    """
    text = around.text
    argument = argument_at(text, offset) if around.language == "python" else None
    if argument is not None:
        return argument.call
    options = options_around(text, offset) if around.language == "xml" else None
    if options is not None:
        return options
    found = None
    if form in ("elements", "sequence"):
        found = next((array for array in _arrays(text) if array[0] < offset < array[1]), None)
    elif form == "lines":
        found = _items_around(text, offset)
    if found is not None:
        return found
    if around.language == "shell":
        found = folded_around(text, offset)
    start, end = found or _line_around(text, offset)
    # where a command is one string, the next string is another one
    separator = _OF_STRINGS if form == "command" else _SEPARATOR
    ends = [match.span() for match in separator.finditer(text, start, end)]
    first = max((after for _, after in ends if after <= offset), default=start)
    return first, min((before for before, _ in ends if before >= offset), default=end)


def folded_around(text: str, offset: int) -> tuple[int, int] | None:
    """Return the text of YAML that an offset lies in, if its lines are one: `command: >`."""
    start = text.rfind("\n", 0, offset) + 1
    depth = _depth(text, start)
    while start:
        before = text.rfind("\n", 0, start - 1) + 1
        if text[before:start].strip() and _depth(text, before) < depth:
            if _FOLDED.search(text[before : start - 1].rstrip("\r")) is None:
                return None
            return start, _end_of_block(text, start, depth)
        if _depth(text, before) > depth and text[before:start].strip():
            # such lines are not joined
            return None
        start = before
    return None


def _end_of_block(text: str, start: int, depth: int) -> int:
    end = start
    while end < len(text):
        after = _line_end(text, end) + 1
        if text[end:after].strip() and _depth(text, end) != depth:
            break
        end = after
    return min(end, len(text))


def _items_around(text: str, offset: int) -> tuple[int, int] | None:
    """Return the items of YAML that an offset lies in one of."""
    start = text.rfind("\n", 0, offset) + 1
    item = _ITEM.match(text, start)
    if item is None:
        return None
    end = _line_end(text, offset)
    while start:
        before = text.rfind("\n", 0, start - 1) + 1
        if not _is_beside(text, before, item["indent"]):
            break
        start = before
    while end < len(text) and _is_beside(text, end + 1, item["indent"]):
        end = _line_end(text, end + 1)
    return start, end


def _is_beside(text: str, start: int, indent: str) -> bool:
    found = _ITEM.match(text, start)
    return found is not None and found["indent"] == indent


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


def _depth(text: str, start: int) -> int:
    line = text[start : _line_end(text, start)]
    return len(line) - len(line.lstrip(" "))


def _is_continued(text: str) -> bool:
    body = text[-40:].removesuffix("\r")
    return (len(body) - len(body.rstrip("\\"))) % 2 == 1


def _line_end(text: str, offset: int) -> int:
    end = text.find("\n", offset)
    return len(text) if end < 0 else end
