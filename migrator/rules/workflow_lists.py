"""Lists of packages and jars in the XML of an Oozie workflow.

An action of Spark has a text of options (`<spark-opts>`), that of a shell an element for each
argument (`<argument>`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_ACTION = re.compile(r"<(?:\w+:)?action\b")
_ACTION_END = re.compile(r"</(?:\w+:)?action\s*>")
_OPENING = re.compile(r"<(?:\w+:)?(?P<name>[\w-]+)(?:\s[^<>]*)?>\Z")
_WITH_OPTIONS = frozenset({"spark-opts", "args", "value"})
_OPTION = re.compile(
    r"<(?P<tag>argument|arg)>\s*--(?P<kind>packages|jars)\s*</(?P=tag)>\s*<(?P=tag)>\s*"
    r"(?P<list>[^<>]*?)\s*</(?P=tag)>"
)
_ELEMENT_START = re.compile(r"<(?:\w+:)?spark-opts\s*>\s*\Z")
_ELEMENT_END = re.compile(r"\s*</(?:\w+:)?spark-opts\s*>")
_REST_OF_LINE = re.compile(r"[ \t]*\r?\n")


def action_around(text: str, offset: int) -> str:
    """Return the action that an offset lies in, without
    comments; the whole text if there is none.
    """
    start, end = _action(text, offset)
    return _without_comments(text[start:end])


def options_around(text: str, offset: int) -> tuple[int, int] | None:
    """Return the text of options that an offset lies in: where it begins and ends."""
    start, end = text.rfind(">", 0, offset) + 1, text.find("<", offset)
    opening = _OPENING.search(text, max(start - 200, 0), start)
    if opening is None or opening["name"] not in _WITH_OPTIONS:
        return None
    return start, end


def argument_lists(text: str, offset: int) -> Iterator[re.Match[str]]:
    """Return the lists that are arguments of the action that an offset lies in.

    The groups are `kind` and `list`; the match is all that goes if the list goes.
    """
    start, end = _action(text, offset)
    return _OPTION.finditer(_without_comments(text), start, end)


def new_argument(text: str, start: int, *values: str) -> str:
    """Return elements for more arguments before one, in the same layout."""
    tag = text[start + 1 : text.index(">", start)]
    blank = text[len(text[:start].rstrip()) : start]
    return "".join(f"<{tag}>{value}</{tag}>{blank}" for value in values)


def removed_argument(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the part of the text that goes with the two
    elements of an option, lines of their own.
    """
    line = text.rfind("\n", 0, start) + 1
    rest = _REST_OF_LINE.match(text, end)
    return (start, end) if text[line:start].strip() or rest is None else (line, rest.end())


def removed_option(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return the part of the text that goes with an option:
    the whole element if it has no other.
    """
    first = _ELEMENT_START.search(text, max(start - 400, 0), start)
    last = _ELEMENT_END.match(text, end)
    if first is not None and last is not None:
        return removed_argument(text, first.start(), last.end())
    after = re.compile(r"\s*").match(text, end)
    if last is None and after is not None and text[after.end() : after.end() + 1] not in ("<", ""):
        return start, after.end()
    before = len(text[:start].rstrip())
    return (before, end) if before < start and text[before - 1] != ">" else None


def _action(text: str, offset: int) -> tuple[int, int]:
    """Return where the action around an offset begins and ends; the whole text if it is in none."""
    plain = _without_comments(text)
    start = max((m.start() for m in _ACTION.finditer(plain, 0, offset)), default=-1)
    end = -1 if start < 0 else next((m.end() for m in _ACTION_END.finditer(plain, start)), -1)
    return (start, end) if offset < end else (0, len(text))


def _without_comments(text: str) -> str:
    return _COMMENT.sub(lambda match: " " * len(match.group()), text)
