"""Takes an option with all its packages or jars out of a command or a file of settings."""

from __future__ import annotations

import re

from migrator.model.requirement_events import Surroundings
from migrator.rules.call_arguments import argument_at
from migrator.rules.jar_lists import JarList

_BLANKS = " \t"
_NEXT_ELEMENT = re.compile(r"\s*,\s*(?=[\"'\w$/.-])")
_LAST_ELEMENT = re.compile(r",\s*\Z")
_CONTINUATION = re.compile(r"[ \t]*\\\r?\n\Z")


def removed_span(around: Surroundings, found: JarList) -> tuple[int, int] | None:
    """Return the part of the text that goes with an option, or None if something could break.

    Parameters
    ----------
    around : Surroundings
        The text.
    found : JarList
        The list whose items all go.
    """
    text = around.text
    if found.form in ("command", "setting"):
        return _of_command(text, found)
    if found.form == "elements":
        return _of_elements(text, found)
    if found.form == "argument":
        argument = argument_at(text, found.option)
        return None if argument is None else argument.removal
    if found.form == "line":
        return _of_lines(text, found)
    return None


def _of_command(text: str, found: JarList) -> tuple[int, int] | None:
    """Return an option of a command: with its line if it has one, else with a blank."""
    start, end = found.option, found.end
    line = text.rfind("\n", 0, start) + 1
    after = re.compile(r"[ \t]*(\\?)\r?(?:\n|\Z)").match(text, end)
    if not text[line:start].strip(_BLANKS) and after is not None:
        if after[1]:
            return line, after.end()
        before = _CONTINUATION.search(text, 0, line)
        # the command now ends with the line before
        return None if before is None else (before.start(), end)
    rest = end + len(text[end:]) - len(text[end:].lstrip(_BLANKS))
    if rest > end and text[rest : rest + 1] not in ("\\", "\n", "\r", ""):
        return start, rest
    blank = len(text[:start].rstrip(_BLANKS))
    return (blank, end) if blank < start and text[blank - 1 : blank] not in ("", "\n") else None


def _of_elements(text: str, found: JarList) -> tuple[int, int] | None:
    """Return two elements of a list, with the comma behind or before them."""
    following = _NEXT_ELEMENT.match(text, found.end)
    if following is not None:
        return found.option, following.end()
    before = _LAST_ELEMENT.search(text, max(found.option - 200, 0), found.option)
    return None if before is None else (before.start(), found.end)


def _of_lines(text: str, found: JarList) -> tuple[int, int] | None:
    """Return whole lines, if there is nothing else in the last one."""
    line = text.rfind("\n", 0, found.option) + 1
    after = re.compile(r"[ \t]*\r?(?:\n|\Z)").match(text, found.end)
    return None if after is None else (line, after.end())
