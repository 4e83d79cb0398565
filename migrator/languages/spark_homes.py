"""Finds where commands and settings name an old Spark: scripts, Dockerfiles, YAML, texts.

`SPARK_HOME` goes with all that needs it, or it stays: a command whose path begins with a variable
that is not set would fail.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from migrator.languages.home_lines import EXPORTS, HomeNaming, LineSpan, whole_line
from migrator.languages.named_values import NamedValue, named_values
from migrator.languages.readme import commands
from migrator.languages.shell import variables
from migrator.languages.submit_commands import SUBMIT, job_of, needs_path, replacement
from migrator.languages.text import uncommented_lines
from migrator.model.home_events import SparkHome
from migrator.model.report import Spot, TextEdit
from migrator.source.lines import keep_ends
from migrator.spark.homes import described, home_of, names_old, old_py4j

_NEEDLES = (b"SPARK_HOME", b"py4j-", b"-submit", b"SPARK_MAJOR_VERSION", b"PATH")
_HOME = "SPARK_HOME"
_MENTION = re.compile(r"(?<!\w)SPARK_HOME(?!\w)")
_ASSIGNMENT = re.compile(
    r"(?<![\w${])(?P<name>SPARK_HOME|SPARK_MAJOR_VERSION)[\"']?"
    r"(?:[ \t]*[:?+]?=[ \t]*|:[ \t]+|(?<=ENV SPARK_HOME)[ \t]+)[\"']?"
    r"(?P<value>(?:\$\{[^{}\s]*\}|\$\(\w+\)|[^\s\"',;&|)}])+)"
)
_DEFAULT = re.compile(r"\$\{SPARK_HOME:[-=](?P<value>[^{}\s]+)\}")
_LIST = re.compile(
    r"(?<![\w${])(?:PYTHONPATH|PATH)[\"']?(?:[ \t]*[:?+]?=[ \t]*|:?[ \t]+)[\"']?"
    r"(?P<list>[^\s\"'`;&|=,]+)"
)
_OWN = re.compile(r"\$(?:PYTHONPATH|\{PYTHONPATH\}|\(PYTHONPATH\))")
_REFERENCE = re.compile(r"\$(?:(?P<plain>\w+)|\{(?P<braced>\w+)\}|\((?P<make>\w+)\))")
_JVM_JOB = re.compile(r"--class\b|\.jar\b|\bspark-shell\b|\bspark-class\b")
# libraries that a job is given, of whatever language it is
_LIBRARIES = re.compile(
    r"(?:--(?:jars|driver-class-path)|spark\.(?:jars|driver\.extraClassPath|executor\.extraClassPath))"
    r"[\s\"',=:\\]+[^\s\"']+"
)
_DOWNLOADS = re.compile(r"spark-[\w.${}-]*\.tgz|archive\.apache\.org|\bsparkVersion\b")
_NEW = re.compile(r"spark[^\n]*[:=-][ \t\"']*v?4\.\d", re.IGNORECASE)
_IMAGE = re.compile(r"^FROM[ \t]", re.MULTILINE)
_INSTALLS = re.compile(r"\bpip[\d.]*[ \t]+(?:-\S+[ \t]+)*install\b")


def may_name_home(data: bytes) -> bool:
    """Return whether the bytes of a file that is no program may name a Spark."""
    return any(needle in data for needle in _NEEDLES)


@dataclass(slots=True)
class HomeText:
    """A text with commands or settings, in a project with DStream code.

    Parameters
    ----------
    style : str
        What a comment is, see `migrator.languages.text.uncommented`.
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
    found: list[HomeNaming] = field(init=False)

    def __post_init__(self) -> None:
        self.lines = uncommented_lines(self.text, self.style)
        if self.style in ("prose", "document"):
            self.lines = commands(self.lines, True)
        self.known = variables(self.lines)
        homes = [
            m["value"] for m in _ASSIGNMENT.finditer("\n".join(self.lines)) if m["name"] == _HOME
        ]
        if len(homes) == 1:
            # with blanks around the sign as well, as in a Makefile
            self.known.setdefault(_HOME, self._filled(homes[0]))

        self.found = list(self._namings())

    @property
    def sets_home(self) -> bool:
        """Whether it gives `SPARK_HOME` a value of its own."""
        return any(naming.what == "variable" for naming in self.found)

    @property
    def needs_home(self) -> bool:
        """Whether it uses `SPARK_HOME` where no fix of it changes that."""
        return _HOME in "\n".join(self.lines) and not self._covering(False)

    def events(self, is_needed: bool, after: tuple[str, ...]) -> Iterator[SparkHome]:
        """Yield an event for each place that names an old Spark, or one whose version is not seen.

        Parameters
        ----------
        is_needed : bool
            Whether other files need `SPARK_HOME`.
        after : tuple of str
            The files that need it until they are fixed.
        """
        together = () if is_needed else self._covering(True)
        for naming in self.found:
            is_old = names_old(naming.path)
            own = () if naming.change is None else (naming.change,)
            # with that option, another rule rewrites the command
            if naming.by_variable or (naming.what == "command" and self.submits and own):
                continue
            sets = naming.what == "variable"
            edits = tuple(map(self._edit, together if sets else own)) if is_old else ()
            at = Spot(naming.at[0] + 1, naming.at[1] + 1)
            spark = described(naming.path)
            waits = after if sets else ()
            yield SparkHome(at, naming.what, naming.text, spark, is_old, edits, after=waits)

    def _namings(self) -> Iterator[HomeNaming]:
        for number, line in enumerate(self.lines):
            if "SPARK" in line:
                yield from self._assignments(number, line)
            if "PATH" in line:
                yield from self._lists(number, line)
            if "-submit" in line:
                yield from self._commands(number, line)
        for value in named_values(self.lines):
            yield from self._named(value)

    def _assignments(self, number: int, line: str) -> Iterator[HomeNaming]:
        for match in _ASSIGNMENT.finditer(line):
            value = self._filled(match["value"])
            at, text = (number, match.start()), f"{match['name']}={match['value']}"
            change = whole_line(self.lines, number, self.style)
            if match["name"] == _HOME:
                if self._is_judged(value):
                    yield HomeNaming("variable", at, text, value, change)
                continue
            rest = line[match.end() :]
            if change is None and SUBMIT.match(rest.lstrip()):
                change = LineSpan(number, match.start(), len(line) - len(rest.lstrip()))
            change = change if self._starts_jobs_only() else None
            if names_old(f"spark-{value}"):
                yield HomeNaming("setting", at, text, f"spark-{value}", change)
        for match in _DEFAULT.finditer(line):
            path = self._filled(match["value"])
            whole = line.startswith("/bin/spark-submit", match.end()) or (
                # the value of the variable itself
                re.search(r"SPARK_HOME=[\"']?\Z", line[: match.start()])
            )
            if names_old(path) and not whole:
                yield HomeNaming("path", (number, match.start()), match.group(), path, None)

    def _named(self, value: NamedValue) -> Iterator[HomeNaming]:
        """Yield what the variable of a container or an action names."""
        path = self._filled(value.value)
        at = value.line, value.column
        match value.name.rpartition(".")[2]:
            case "SPARK_HOME" if self._is_judged(path):
                yield HomeNaming("variable", at, path, path, None)
            case "PATH" | "PYTHONPATH":
                items = re.split(r":(?![^{]*\})", value.value)
                has_old_py4j = any(old_py4j(item) is not None for item in items)
                going = [item for item in items if self._goes(item, has_old_py4j)]
                own = [item for item in going if names_old(self._filled(item))]
                if own:
                    yield HomeNaming("path", at, own[0], self._filled(own[0]), None)

    def _is_judged(self, path: str) -> bool:
        """Return whether a path is an old one, or one of which nothing is known."""
        if names_old(path):
            return True
        unknown = re.match(r"[/\\~]|[A-Za-z]:", path) is not None and not described(path)
        # what readers put there is theirs
        return unknown and self.style not in ("prose", "document") and not self._has_new_spark()

    def _has_new_spark(self) -> bool:
        return _NEW.search(self.text) is not None

    def _starts_jobs_only(self) -> bool:
        """Return whether all commands are seen to start DStream jobs, if there are any."""
        if _starts_jvm_job(self.text):
            return False
        for number, line in enumerate(self.lines):
            for match in SUBMIT.finditer(line) if "-submit" in line else ():
                job = job_of(line[match.end() :], self.lines[number + 1 :])
                if job is None or job.rpartition("/")[2] not in self.jobs:
                    return False
        return True

    def _lists(self, number: int, line: str) -> Iterator[HomeNaming]:
        for match in _LIST.finditer(line):
            items = re.split(r":(?![^{]*\})", match["list"])
            has_old_py4j = any(old_py4j(item) is not None for item in items)
            going = [item for item in items if self._goes(item, has_old_py4j)]
            if not going:
                continue
            left = [item for item in items if item not in going]
            change = None
            if left and not all(_OWN.fullmatch(item) for item in left):
                change = LineSpan(number, *match.span("list"), ":".join(left))
            else:
                change = whole_line(self.lines, number, self.style)
            needs_home = [item for item in going if _MENTION.search(item)]
            own = [item for item in going if names_old(item) or item not in needs_home]
            text = (own or going)[0]
            at = number, match.start()
            path = self._filled(text)
            yield HomeNaming("path", at, text, path, change, bool(needs_home), not own)

    def _goes(self, item: str, has_old_py4j: bool) -> bool:
        """Return whether an entry of a path is of an old Spark."""
        filled = self._filled(item)
        home = home_of(filled)
        if home is None:
            return re.search(r"[/\\]s?bin/?\Z", filled) is not None and names_old(filled)
        return names_old(filled) or (has_old_py4j and _MENTION.search(home) is not None)

    def _commands(self, number: int, line: str) -> Iterator[HomeNaming]:
        for match in SUBMIT.finditer(line):
            name = re.sub("[\"']", "", match.group())
            folder, _, command = name.rpartition("/")
            default = _DEFAULT.search(folder)
            folder = folder if default is None else default["value"]
            path = next((p for p in (self._filled(folder), command) if names_old(p)), "")
            if not names_old(path):
                continue
            job = job_of(line[match.end() :], self.lines[number + 1 :])
            if job is not None and job.rpartition("/")[2] not in self.jobs:
                # not a job that is migrated
                continue
            if job is None and _starts_jvm_job("\n".join(self.lines[number : number + 20])):
                continue
            change = None
            if job is not None and not needs_path(line, match):
                new = f"{match['quote'] or ''}spark-submit{match['quote'] or ''}"
                new = (replacement(line, match) if self.submits else new) or new
                change = LineSpan(number, match.start(), match.end(), new)
            needs_home = _MENTION.search(name) is not None
            by_variable = needs_home and not names_old(name)
            at = number, match.start()
            yield HomeNaming("command", at, name, path, change, needs_home, by_variable)

    def _covering(self, proven: bool) -> tuple[LineSpan, ...]:
        """Return the changes that drop `SPARK_HOME` and all that
        needs it; none if something is left.

        Parameters
        ----------
        proven : bool
            Whether it has to be seen that nothing else takes its Spark from there.
        """
        changes: list[LineSpan] = []
        for naming in self.found:
            if naming.what == "variable" or naming.needs_home:
                if naming.change is None or not names_old(naming.path):
                    return ()
                changes.append(naming.change)
        for number, line in enumerate(self.lines):
            bare = whole_line(self.lines, number, self.style) if EXPORTS.fullmatch(line) else None
            changes += [] if bare is None else [bare]
            here = [change for change in changes if change.line == number]
            for match in _MENTION.finditer(line):
                if not any(c.start <= match.start() < c.end for c in here):
                    return ()
        if proven and not (self._starts_jobs_only() and self._has_own_spark()):
            return ()
        return tuple(dict.fromkeys(changes))

    def _has_own_spark(self) -> bool:
        """Return whether PySpark is not seen to be missing: an image has what it installs."""
        if _IMAGE.search(self.text) is None:
            return True
        return _INSTALLS.search(self.text) is not None and _DOWNLOADS.search(self.text) is None

    def _filled(self, text: str) -> str:
        def fill(match: re.Match[str]) -> str:
            name = match["plain"] or match["braced"] or match["make"]
            return self.known.get(name, match.group())

        return _REFERENCE.sub(fill, text)

    def _edit(self, span: LineSpan) -> TextEdit:
        at = Spot(span.line + 1, span.start + 1)
        row = keep_ends(self.text)[span.line]
        old = row[span.start : span.end]
        whole = not span.new and old == row.rstrip("\r\n")
        return TextEdit(at, row if whole else old, span.new)


def _starts_jvm_job(text: str) -> bool:
    return _JVM_JOB.search(_LIBRARIES.sub("", text)) is not None
