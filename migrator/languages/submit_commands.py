"""Finds the `spark-submit` commands of a text that start a Python job."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrator.languages.readme import commands
from migrator.languages.text import uncommented_lines
from migrator.model.report import Spot, TextEdit
from migrator.model.requirement_events import SubmitCommand

# a path to it may be quoted as a whole, or the variable that it begins with
SUBMIT = re.compile(
    r"(?<![\w./$}-])(?:(?P<quote>[\"'])(?:[^\s\"']*/)?spark[123]?-submit(?P=quote)"
    r"|(?:(?:\"\$\{?\w+\}?\"|\$\(\w+\)|\$\{[^\s\"'`{}]*\}|(?!\$\{)[^\s\"'`(,=<>])*/)?"
    r"spark[123]?-submit)"
    r"(?=[ \t<]|\s*,|\\?\r?\n|\r?\Z)"
)
_APPLICATION = re.compile(r"(?P<path>[^\s\"'=,<>]+\.py)(?=[\s\"',`\])<]|\Z)")
_FILES_OPTION = re.compile(r"--(?:py-files|files|archives|jars)(?:=|[\s\"',-]+)[\"']?\Z")
_ITEM = re.compile(r"^(?P<indent>[ \t]*-[ \t]+)\Z", re.MULTILINE)
# systemd takes the path of a program, and does not look for a bare name in a virtual environment;
# an action of Oozie takes one program, too
_UNIT = re.compile(r"[ \t]*(?:Exec\w+=|<exec>\s*)\Z")
_NEW = ("python", "-m", "dstream_compat", "submit")


def submit_commands(text: str, style: str, jobs: frozenset[str]) -> Iterator[SubmitCommand]:
    """Yield the commands that start one of some jobs.

    Parameters
    ----------
    style : str
        What a comment is, see `migrator.languages.text.without_comment`.
    jobs : frozenset of str
        The names of the files with DStream code.
    """
    lines = uncommented_lines(text, style)
    if style in ("prose", "document"):
        lines = commands(lines, True)
    for number, line in enumerate(lines, 1):
        for match in SUBMIT.finditer(line):
            job = job_of(line[match.end() :], lines[number:])
            if job is None or job.rpartition("/")[2] not in jobs:
                continue
            at = Spot(number, match.start() + 1)
            new = replacement(line, match)
            if new is not None:
                yield SubmitCommand(at, job, TextEdit(at, match.group(), new))


def job_of(rest: str, following: list[str]) -> str | None:
    """Return the Python file that a command starts; None if it is not seen."""
    parts = [rest]
    for line in following:
        listed = parts[-1].rstrip().endswith(",") or re.match(r"[ \t]*(?:-[ \t]|<arg)", line)
        if not parts[-1].endswith("\\") and not listed:
            break
        parts.append(line)
    command = " ".join(part.removesuffix("\\") for part in parts)
    for match in _APPLICATION.finditer(command):
        if _FILES_OPTION.search(command, 0, match.start()) is None:
            return match["path"]
    return None


def needs_path(line: str, match: re.Match[str]) -> bool:
    """Return whether a command has to begin with the path of a program, as in a unit of systemd."""
    return _UNIT.match(line[: match.start()]) is not None


def replacement(line: str, match: re.Match[str]) -> str | None:
    """Return the new start of a command in the old form: words, elements or items of YAML."""
    if needs_path(line, match):
        return None
    quote = match["quote"] or ""
    if line[match.end() :].lstrip()[:1] == ",":
        return ", ".join(f"{quote}{word}{quote}" for word in _NEW)
    item = _ITEM.match(line[: match.start()])
    if item is not None and not line[match.end() :].strip():
        return f"\n{item['indent']}".join(_NEW)
    return " ".join(_NEW)
