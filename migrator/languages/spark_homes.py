"""Finds where commands and settings name an old Spark: scripts, Dockerfiles, YAML, texts.

Exports of `SPARK_HOME` and `PYTHONPATH` are dropped; `SPARK_HOME` stays as long as something else
needs it: a command whose path begins with a variable that is not set would fail.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from migrator.languages.text import NamedValue, commands, named_values, uncommented_lines, variables
from migrator.model.events import Event, SparkHome, SparkHomeRead, SubmitCommand
from migrator.model.report import Spot, TextEdit
from migrator.source.lines import keep_ends
from migrator.spark.versions import describe_home, home_of, names_old, old_py4j

# Finds the `spark-submit` commands of a text that start a Python job.


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
_OUR_COMMAND = ("python", "-m", "dstream_compat", "submit")


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
        return ", ".join(f"{quote}{word}{quote}" for word in _OUR_COMMAND)
    item = _ITEM.match(line[: match.start()])
    if item is not None and not line[match.end() :].strip():
        return f"\n{item['indent']}".join(_OUR_COMMAND)
    return " ".join(_OUR_COMMAND)


_NEEDLES = (b"SPARK_HOME", b"py4j-", b"-submit", b"SPARK_MAJOR_VERSION", b"PATH")
_MENTION = re.compile(r"(?<!\w)SPARK_HOME(?!\w)")
_ASSIGNMENT = re.compile(
    r"(?<![\w${])(?P<name>SPARK_HOME|SPARK_MAJOR_VERSION)[\"']?"
    r"(?:[ \t]*[:?+]?=[ \t]*|:[ \t]+|(?<=ENV SPARK_HOME)[ \t]+)[\"']?"
    r"(?P<value>(?:\$\{[^{}\s]*\}|\$\(\w+\)|[^\s\"',;&|)}])+)"
)
_LIST = re.compile(
    r"(?<![\w${])(?:PYTHONPATH|PATH)[\"']?(?:[ \t]*[:?+]?=[ \t]*|:?[ \t]+)[\"']?"
    r"(?P<list>[^\s\"'`;&|=,]+)"
)
# a line that does nothing else, at the top level of a script
_EXPORT = re.compile(
    r"export[ \t]+(?P<name>SPARK_HOME|PYTHONPATH)=([\"']?)(?P<value>[^\s\"'`;&|=,]*)\2[ \t]*"
)
_OPENS = re.compile(r"(?:\b(?:then|do|else)|[{(\\])[ \t]*\Z|[^\w]\)[ \t]*\Z")
_OWN = re.compile(r"\$(?:PYTHONPATH|\{PYTHONPATH\})")
_REFERENCE = re.compile(r"\$(?:(?P<plain>\w+)|\{(?P<braced>\w+)\}|\((?P<make>\w+)\))")
_JVM_JOB = re.compile(r"--class\b|\.jar\b|\bspark-shell\b|\bspark-class\b")
_NEW = re.compile(r"spark[^\n]*[:=-][ \t\"']*v?4\.\d", re.IGNORECASE)
_MAGIC = re.compile(
    r"(?:%(?:set_)?env[ \t]+SPARK_HOME(?:[ \t]*=[ \t]*|[ \t]+)|![ \t]*export[ \t]+SPARK_HOME=)"
    r"[\"']?(?P<path>[^\s\"';&|]+)[\"']?"
)


def may_name_home(data: bytes) -> bool:
    """Return whether the bytes of a file that is no program may name a Spark."""
    return any(needle in data for needle in _NEEDLES)


def magic_homes(line: str, number: int, cell: int | None) -> Iterator[Event]:
    """Yield the events of a line of a notebook that is a magic or a command.

    Parameters
    ----------
    line : str
        The line with its end.
    number : int
        Its number in the cell.
    """
    match = _MAGIC.fullmatch(line.rstrip())
    if match is None:
        if _MENTION.search(line):
            yield SparkHomeRead(Spot(number, 1, cell))
        return
    path = match["path"]
    if path.startswith(("/", "~")) and (names_old(path) or not describe_home(path)):
        at = Spot(number, 1, cell)
        yield SparkHome(at, "variable", line.strip(), describe_home(path), names_old(path))


@dataclass(frozen=True, slots=True)
class _Naming:
    """Something that names a Spark, with line and column from 0."""

    what: str
    line: int
    column: int
    text: str
    path: str


@dataclass(slots=True)
class HomeText:
    """A text with commands or settings, in a project with DStream code.

    Parameters
    ----------
    style : str
        What a comment is, see `migrator.languages.text.without_comment`.
    jobs : frozenset of str
        The names of the files with DStream code.
    submits : bool
        Whether `spark-submit` of these becomes the command of `dstream_compat`.
    """

    text: str
    style: str
    jobs: frozenset[str]
    submits: bool = False
    lines: list[str] = field(init=False)
    known: dict[str, str] = field(init=False)
    dropped: dict[int, TextEdit] = field(init=False)
    replaced: list[TextEdit] = field(init=False)

    def __post_init__(self) -> None:
        self.lines = uncommented_lines(self.text, self.style)
        if self.style in ("prose", "document"):
            self.lines = commands(self.lines, True)
        self.known = variables(self.lines)
        self.dropped = dict(self._exports())
        self.replaced = list(self._rewritten_commands()) if self.submits else []

    @property
    def sets_home(self) -> bool:
        """Whether it gives `SPARK_HOME` a value of its own."""
        return any(naming.what == "variable" for naming in self._namings())

    @property
    def needs_home(self) -> bool:
        """Whether it uses `SPARK_HOME` where no fix of it changes that."""
        for number, line in enumerate(self.lines):
            if number in self.dropped:
                continue
            gone = sum(
                len(_MENTION.findall(edit.old))
                for edit in self.replaced
                if edit.at.line == number + 1
            )
            if len(_MENTION.findall(line)) > gone:
                return True
        return False

    def events(self, is_needed: bool, after: tuple[str, ...]) -> Iterator[SparkHome]:
        """Yield an event for each place that names an old Spark, or one whose version is not seen.

        Parameters
        ----------
        is_needed : bool
            Whether other files need `SPARK_HOME`.
        after : tuple of str
            The files that need it until they are fixed.
        """
        together = (*self.dropped.values(), *self.replaced)
        if is_needed or self.needs_home or not self._starts_jobs_only():
            together = ()
        for naming in self._namings():
            sets = naming.what == "variable"
            own = self.dropped.get(naming.line)
            edits = () if own is None else together if sets else (own,)
            at = Spot(naming.line + 1, naming.column + 1)
            spark = describe_home(naming.path)
            is_old = names_old(naming.path)
            waits = after if sets else ()
            yield SparkHome(at, naming.what, naming.text, spark, is_old, edits, after=waits)

    def _namings(self) -> Iterator[_Naming]:
        for number, line in enumerate(self.lines):
            if "SPARK" in line:
                yield from self._assignments(number, line)
            if "PATH" in line:
                yield from self._lists(number, line)
            if "-submit" in line:
                yield from self._commands(number, line)
        for value in named_values(self.lines):
            yield from self._namings_of(value)

    def _assignments(self, number: int, line: str) -> Iterator[_Naming]:
        for match in _ASSIGNMENT.finditer(line):
            value, text = self._fill_variables(match["value"]), f"{match['name']}={match['value']}"
            if match["name"] == "SPARK_MAJOR_VERSION":
                if names_old(f"spark-{value}"):
                    yield _Naming("setting", number, match.start(), text, f"spark-{value}")
            elif self._is_judged(value):
                yield _Naming("variable", number, match.start(), text, value)

    def _namings_of(self, value: NamedValue) -> Iterator[_Naming]:
        """Yield what the variable of a container or an action names."""
        path = self._fill_variables(value.value)
        match value.name.rpartition(".")[2]:
            case "SPARK_HOME" if self._is_judged(path):
                yield _Naming("variable", value.line, value.column, path, path)
            case "PATH" | "PYTHONPATH":
                for item in self._reported_entries(value.value)[:1]:
                    yield _Naming(
                        "path", value.line, value.column, item, self._fill_variables(item)
                    )

    def _is_judged(self, path: str) -> bool:
        """Return whether a path is an old one, or one of which nothing is known."""
        if names_old(path):
            return True
        unknown = re.match(r"[/\\~]|[A-Za-z]:", path) is not None and not describe_home(path)
        # what readers put there is theirs
        return unknown and self.style not in ("prose", "document") and not _NEW.search(self.text)

    def _lists(self, number: int, line: str) -> Iterator[_Naming]:
        for match in _LIST.finditer(line):
            for item in self._reported_entries(match["list"])[:1]:
                yield _Naming("path", number, match.start(), item, self._fill_variables(item))

    def _reported_entries(self, paths: str) -> list[str]:
        """Return the entries that say it; the value of `SPARK_HOME` is reported where it is set."""
        old = self._old_entries(paths)
        return [item for item in old if names_old(item) or not _MENTION.search(item)]

    def _old_entries(self, paths: str) -> list[str]:
        """Return the entries of a path that are of an old Spark."""
        items = re.split(r":(?![^{]*\})", paths)
        has_old_py4j = any(old_py4j(item) is not None for item in items)
        return [item for item in items if self._is_old_entry(item, has_old_py4j)]

    def _is_old_entry(self, item: str, has_old_py4j: bool) -> bool:
        filled = self._fill_variables(item)
        home = home_of(filled)
        if home is None:
            return re.search(r"[/\\]s?bin/?\Z", filled) is not None and names_old(filled)
        return names_old(filled) or (has_old_py4j and _MENTION.search(home) is not None)

    def _commands(self, number: int, line: str) -> Iterator[_Naming]:
        for match in SUBMIT.finditer(line):
            name = re.sub("[\"']", "", match.group())
            folder, _, command = name.rpartition("/")
            path = next((p for p in (self._fill_variables(folder), command) if names_old(p)), "")
            # the value of the variable is reported where it is set
            if not path or (_MENTION.search(name) and not names_old(name)):
                continue
            job = job_of(line[match.end() :], self.lines[number + 1 :])
            following = "\n".join(self.lines[number : number + 20])
            if _JVM_JOB.search(following) if job is None else not self._is_migrated(job):
                continue
            # with that option, another rule rewrites the command
            if not (self.submits and job is not None and not needs_path(line, match)):
                yield _Naming("command", number, match.start(), name, path)

    def _is_migrated(self, job: str | None) -> bool:
        return job is not None and job.rpartition("/")[2] in self.jobs

    def _starts_jobs_only(self) -> bool:
        """Return whether all commands are seen to start DStream jobs, if there are any."""
        return all(
            self._is_migrated(job_of(line[match.end() :], self.lines[number + 1 :]))
            for number, line in enumerate(self.lines)
            for match in SUBMIT.finditer(line)
        ) and not re.search(r"\bspark-(?:shell|class)\b", self.text)

    def _rewritten_commands(self) -> Iterator[TextEdit]:
        """Yield what another rule makes of the commands that need `SPARK_HOME`."""
        for number, line in enumerate(self.lines):
            for match in SUBMIT.finditer(line) if _MENTION.search(line) else ():
                new = replacement(line, match)
                job = job_of(line[match.end() :], self.lines[number + 1 :])
                if new is not None and self._is_migrated(job):
                    yield TextEdit(Spot(number + 1, match.start() + 1), match.group(), new)

    def _exports(self) -> Iterator[tuple[int, TextEdit]]:
        """Yield the lines that do nothing but export what is of an old Spark."""
        if self.style != "shell":
            return
        rows = keep_ends(self.text)
        for number, line in enumerate(self.lines):
            match = _EXPORT.fullmatch(line)
            before = next((line for line in reversed(self.lines[:number]) if line.strip()), "")
            if match is None or _OPENS.search(before):
                continue
            value = match["value"]
            if match["name"] == "PYTHONPATH":
                items = re.split(r":(?![^{]*\})", value)
                old = self._old_entries(value)
                goes = old and all(item in old or _OWN.fullmatch(item) for item in items)
            else:
                goes = names_old(self._fill_variables(value))
            if goes:
                row = rows[number]
                text = row if line == row.rstrip("\r\n") else line
                yield number, TextEdit(Spot(number + 1, 1), text, "")

    def _fill_variables(self, text: str) -> str:
        def fill(match: re.Match[str]) -> str:
            name = match["plain"] or match["braced"] or match["make"]
            return self.known.get(name, match.group())

        return _REFERENCE.sub(fill, text)
