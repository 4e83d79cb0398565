"""Settings and connector packages in any text: shell, conf, YAML, strings of programs.

Decision 0034: Nested settings count only if Spark has the key.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import yaml

from migrator.collect.required_versions import (
    connector_packages_in,
    line_may_require,
    python_lists_in,
    requirements_in,
    scala_packages_in,
)
from migrator.collect.settings import is_reported, settings_in, stands_as_key
from migrator.model.events import (
    ConnectorPackage,
    Event,
    MentionedName,
    Requirement,
    ScalaPackage,
    Setting,
    Surroundings,
)
from migrator.model.report import Spot
from migrator.source.lines import split_lines
from migrator.spark.settings import PREFIX, SETTINGS, group_of

# Settings whose keys are spread over levels: nested YAML and JSON, HOCON, sections of TOML.
#
# This reads keys by indentation and braces, in whatever language they are. It may misread a file
# that is none of these, so only keys that Spark has count.

_HINTS = (re.compile(r"streaming[\w.-]*[\"']?[ \t]*[:={]"), re.compile(r"\[[^\]\n]*streaming"))
_HINTS_BYTES = tuple(re.compile(hint.pattern.encode()) for hint in _HINTS)
_KEY = re.compile(
    r"(?:-[ \t]+)*(?P<key>\"[^\"]*\"|'[^']*'|[A-Za-z_][\w.$-]*)[ \t]*(?:[:=]|(?=\{))[ \t]*"
)
_SCALAR = re.compile(r"\"[^\"]*\"|'[^']*'|[^\s,{}\[\]\"']+")
_SECTION = re.compile(r"[ \t]*\[+[ \t]*(?P<name>[\w.\"' -]+?)[ \t]*\]+[ \t]*$")
_BLANKS = re.compile(r"[ \t,\[\]]+")
_KNOWN = frozenset(key.lower() for key in SETTINGS)


@dataclass(frozen=True, slots=True)
class NestedKey:
    """A key of Spark's: where its last part stands (from 1), its whole name, its value if any."""

    line: int
    column: int
    name: str
    value: str | None


def may_nest(data: bytes) -> bool:
    """Return whether the bytes of a file may hold keys of `spark.streaming.` on several levels."""
    words = b"spark" in data and b"streaming" in data
    return words and any(hint.search(data) for hint in _HINTS_BYTES)


def section_name(line: str) -> str | None:
    """Return the name that the head of a section gives to keys; None for any other line."""
    head = _SECTION.match(line)
    return None if head is None else head["name"].replace('"', "").replace("'", "")


def nested_settings(lines: list[str]) -> Iterator[NestedKey]:
    """Yield the keys of a file that are spread over levels.

    Parameters
    ----------
    lines : list of str
        Without comments.
    """
    if any("streaming" in line and any(h.search(line) for h in _HINTS) for line in lines):
        yield from _Levels().keys(lines)


@dataclass(slots=True)
class _Levels:
    """The keys around a place in a file.

    Parameters
    ----------
    section : str
        The name of the section.
    stack : list of (int, str)
        Keys with their columns.
    braces : list of int
        How many of them were open before each brace.
    """

    section: str = ""
    stack: list[tuple[int, str]] = field(default_factory=list)
    braces: list[int] = field(default_factory=list)

    def keys(self, lines: list[str]) -> Iterator[NestedKey]:
        for number, line in enumerate(lines, 1):
            name = None if self.braces else section_name(line)
            if name is not None:
                self.section = f"{name}."
                self.stack.clear()
            elif line.strip() and len(line) <= _WIDEST:
                yield from self._line(line, number)

    def _line(self, line: str, number: int) -> Iterator[NestedKey]:
        start = position = len(line) - len(line.lstrip())
        while position < len(line):
            blanks = _BLANKS.match(line, position)
            if blanks is not None:
                position = blanks.end()
                continue
            key = _KEY.match(line, position) if self.braces or position == start else None
            if key is not None:
                position = key.end()
                self._enter(key.start("key"), key["key"].strip("\"'"))
                value = _SCALAR.match(line, position)
                nested_key = self._nested_key(number, key.start("key"), value)
                if nested_key is not None:
                    yield nested_key
                position = position if value is None else value.end()
            else:
                position = self._other(line, position)

    def _enter(self, column: int, key: str) -> None:
        if self.braces:
            del self.stack[self.braces[-1] :]
        while not self.braces and self.stack and self.stack[-1][0] >= column:
            self.stack.pop()
        self.stack.append((column, key))

    def _other(self, line: str, position: int) -> int:
        """Skip what is not a key; return the position after it."""
        if line[position] == "{":
            self.braces.append(len(self.stack))
        elif line[position] == "}" and self.braces:
            del self.stack[self.braces.pop() :]
        else:
            scalar = _SCALAR.match(line, position)
            return position + 1 if scalar is None else scalar.end()
        return position + 1

    def _nested_key(self, line: int, column: int, value: re.Match[str] | None) -> NestedKey | None:
        keys = [key for _, key in self.stack]
        path = self.section + ".".join(keys)
        start = f".{path}".find(f".{PREFIX}")
        # a key that stands in one piece is found as text
        if start < 0 or PREFIX in keys[-1] or path[start:].lower() not in _KNOWN:
            return None
        text = None if value is None else value.group().strip("\"'")
        return NestedKey(line, column + 1, path[start:], text)


# Names and versions that stand apart: of values, of images, and of tasks of pipelines.
#
# Values are read in any language; images and tasks in YAML and JSON, by PyYAML.


# what only names that matter here end with
_ENDS = r"(?:JAVA_HOME|SPARK_HOME|PYTHONPATH|PATH|PYSPARK(?:_DRIVER)?_PYTHON|\.python)"
_NAME = rf"[\"']?name[\"']?[ \t]*[:=][ \t]*[\"']?(?P<name%d>[\w.]*{_ENDS})[\"']?"
_VALUE = (
    r"[\"']?value[\"']?[ \t]*[:=][ \t]*(?:\"(?P<double%d>[^\"\n]+)\"|'(?P<single%d>[^'\n]+)'"
    r"|(?P<plain%d>(?:\$\{[^{}\s]*\}|[^\s\"'<>,{}])+))"
)
_BETWEEN = r"[ \t]*,?\s*"
_PAIR = re.compile(
    rf"(?<![\w-])(?:{_NAME % 1}{_BETWEEN}{_VALUE % (1, 1, 1)}"
    rf"|{_VALUE % (2, 2, 2)}{_BETWEEN}{_NAME % 2}"
    rf"|<name>\s*(?P<name3>[\w.]*{_ENDS})\s*</name>\s*<value>\s*(?P<plain3>[^\s<>]+)\s*</value>)",
    re.IGNORECASE,
)
_HINT = re.compile(rf"{_ENDS}(?:[\"'\s<,}}]|\Z)")
_TASK = re.compile(r"UsePythonVersion@\d+")
_VERSION = re.compile(r"\d+(?:\.\d+)*(?:\.[x*])?")
_VARIABLE = re.compile(r"\$\((?P<name>[\w.]+)\)")
# keys that hold the parts of an image: its name, and its tag beside that
_TAGS = {
    "repository": ("tag",),
    "imageRepository": ("imageTag",),
    "newName": ("newTag",),
    "name": ("newTag", "tag"),
}
_IMAGE_HINT = re.compile(r"[tT]ag[\"']?:")
_PART = re.compile(r"[\w./:-]+")
# how many keys above those of an image may say that it is one
_LEVELS = 2
# that of libyaml is faster
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class NamedValue:
    """A value, the name that is given beside it, and where it stands: line and column from 0."""

    name: str
    value: str
    line: int
    column: int


def named_values(lines: Sequence[str]) -> Iterator[NamedValue]:
    """Yield the values of a text whose names say that they are a path or a Python.

    Parameters
    ----------
    lines : sequence of str
        Without comments.
    """
    if not any("alue" in line for line in lines):
        return
    text = "\n".join(lines)
    if _HINT.search(text) is None:
        return
    for match in _PAIR.finditer(text):
        values = {key: group for key, group in match.groupdict().items() if group is not None}
        name = next(group for key, group in values.items() if key.startswith("name"))
        key = next(key for key in values if not key.startswith("name"))
        start = match.start(key)
        line = text.count("\n", 0, start)
        yield NamedValue(name, match[key], line, start - text.rfind("\n", 0, start) - 1)


@dataclass(frozen=True, slots=True)
class VersionApart:
    """The versions of something, as many as take turns, and where the first stands, from 0."""

    name: str
    versions: tuple[str, ...]
    line: int
    column: int


def task_versions(lines: Sequence[str]) -> Iterator[VersionApart]:
    """Yield the versions of Python that tasks of Azure Pipelines ask for.

    Parameters
    ----------
    lines : sequence of str
        Without comments.
    """
    if not any("UsePythonVersion" in line for line in lines):
        return
    root = _root(lines)
    seen: set[str] = set()
    for _, step in _mappings(root):
        task = _scalars(step).get("task")
        if task is None or not _TASK.fullmatch(task.value):
            continue
        for match in _values(step, "versionSpec"):
            # braces of templates without quotes are a mapping
            variable = _VARIABLE.fullmatch(_text(match))
            if variable is None:
                yield from _versions([match])
            elif variable["name"] not in seen:
                seen.add(variable["name"])
                yield from _versions([*_values(root, variable["name"])])


def split_images(lines: Sequence[str]) -> Iterator[VersionApart]:
    """Yield the images of a text whose name and tag are values of their own.

    Parameters
    ----------
    lines : sequence of str
        Without comments.
    """
    if not any(_IMAGE_HINT.search(line) for line in lines):
        return
    for keys, mapping in _mappings(_root(lines)):
        parts = {k: v for k, v in _scalars(mapping).items() if _PART.fullmatch(v.value)}
        for key in _TAGS.keys() & parts.keys():
            # only a label
            replaced = key == "name" and ("newName" in parts or "repository" in parts)
            is_image = any("image" in above.lower() for above in keys[-_LEVELS:])
            tag = next((parts[each] for each in _TAGS[key] if each in parts), None)
            if tag is not None and not replaced and (is_image or key == "imageRepository"):
                registry = f"{parts['registry'].value}/" if "registry" in parts else ""
                yield VersionApart(registry + parts[key].value, (tag.value,), *_place(tag))


def _root(lines: Sequence[str]) -> yaml.Node:
    """Return all documents of a text, none if it is no YAML."""
    text = "\n".join(lines)
    try:
        documents = [*yaml.compose_all(text, _LOADER)] if len(text) < _LONGEST else []
    except (yaml.YAMLError, ValueError, OverflowError, RecursionError):
        # of escapes and directives that PyYAML does not check, it raises Python's own errors
        documents = []
    return yaml.SequenceNode("", documents)


def _mappings(root: yaml.Node) -> Iterator[tuple[tuple[str, ...], yaml.MappingNode]]:
    """Yield each mapping below a node with the keys around it, in their order."""
    pending: list[tuple[tuple[str, ...], yaml.Node]] = [((), root)]
    # an alias may be anywhere, even in what it stands for
    seen: set[int] = set()
    while pending:
        keys, node = pending.pop()
        if id(node) in seen or isinstance(node, yaml.ScalarNode):
            continue
        seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            yield keys, node
            inner = [((*keys, _text(key)), value) for key, value in node.value]
        else:
            inner = [(keys, item) for item in node.value]
        pending += reversed(inner)


def _scalars(mapping: yaml.MappingNode) -> dict[str, yaml.ScalarNode]:
    """Return the plain values of a mapping by their keys."""
    plain = yaml.ScalarNode
    return {k.value: v for k, v in mapping.value if isinstance(k, plain) and isinstance(v, plain)}


def _values(root: yaml.Node, key: str) -> Iterator[yaml.Node]:
    """Yield all values of a key below a node."""
    for _, mapping in _mappings(root):
        yield from (v for k, v in mapping.value if _text(k) == key)


def _text(node: yaml.Node) -> str:
    """Return the text of a plain value; empty if it is none, as nodes hold nodes."""
    return str(node.value) if isinstance(node, yaml.ScalarNode) else ""


def _versions(values: list[yaml.Node]) -> Iterator[VersionApart]:
    """Yield the versions that values are; nothing if one of them is something else."""
    texts = [*map(_text, values)]
    if texts and all(map(_VERSION.fullmatch, texts)):
        yield VersionApart("", tuple(texts), *_place(values[0]))


def _place(value: yaml.Node) -> tuple[int, int]:
    """Return the line and column of a value behind its quote, from 0."""
    mark = value.start_mark
    return mark.line, mark.column + (value.style in ("'", '"'))


# READMEs and other texts for people: the lines that are commands for a shell.


# what follows the backticks of a fence has none: the rest of the line would be inline code
_FENCE = re.compile(r"\s*(?P<mark>`{3,}(?=[^`]*\Z)|~{3,})(?P<info>.*)")
_COMMAND = re.compile(
    r"(?:^|[\s`$\"'>/])(?:spark[123]?-submit|spark-shell|pyspark|spark-class)(?=\s+-|\s+\S+\.\w|\s*\\\s*$)"
    r"|(?:^|[\s`\"'])--(?:packages|jars|conf|py-files)[\s=]|PYSPARK_SUBMIT_ARGS|\bpip3? install\s"
)


def commands(lines: list[str], blocks: bool) -> list[str]:
    """Return the lines of a text with everything but commands blanked out.

    Prose that only names a package asks for nothing.

    Parameters
    ----------
    blocks : bool
        Whether fenced blocks stay as a whole, as in a README; elsewhere they often hold output.
    """
    kept_lines = []
    fence = ""
    continued = False
    for line in lines:
        mark = _FENCE.match(line)
        if mark is not None and (not fence or _closes(mark, fence)):
            fence = "" if fence else mark["mark"]
            kept_lines.append("")
            continued = False
            continue
        keeps = (bool(fence) and blocks) or continued or _COMMAND.search(line) is not None
        kept_lines.append(line if keeps else "")
        continued = keeps and line.endswith("\\")
    return kept_lines


def _closes(mark: re.Match[str], fence: str) -> bool:
    """Return whether a line ends a block: it has at least its marks, and nothing else."""
    return mark["mark"].startswith(fence) and not mark["info"].strip()


# Shell, YAML and Dockerfiles as logical lines: without comments, joined, with variables filled in.
#
# Nothing is executed: a variable has a value only where the file itself gives it one constant text.


# a text that variables would make longer than that is left as it is written
_LONGEST_FILLED = 4096
# lines wider than that are data: they are neither joined nor filled in
_WIDEST = 20_000

_ASSIGNMENT = re.compile(
    r"(?:^|(?<=[\s;&|]))(?:(?:export|local|readonly|declare(?:\s+-\w+)*|ENV|ARG|env)\s+)?"
    r"(?P<name>[A-Za-z_]\w*)(?:=|\s*[:?+]?=\s*(?=[\w\"']))"
    r"(?P<value>\"[^\"`]*\"|'[^']*'|[^\s\"'`;&|]*)"
)
_DOCKER = re.compile(r"^\s*ENV\s+(?P<name>[A-Za-z_]\w*)\s+(?P<value>[^=]+?)\s*$")
_REFERENCE = re.compile(
    r"\$(?:(?P<plain>[A-Za-z_]\w*)|\{(?P<braced>[A-Za-z_]\w*)(?::?-(?P<default>[^${}]*))?\}"
    r"|\((?P<make>[A-Za-z_]\w*)\))"
)


@dataclass(slots=True)
class LogicalLine:
    """A line as a shell sees it.

    Parameters
    ----------
    text : str
        The line with continuations joined and variables filled in.
    starts : list of int
        Offsets in the text where a piece of the source begins.
    places : list of (int, int)
        Line and column (from 1) of each.
    filled : list of (int, int)
        The ranges that came from variables.
    """

    text: str = ""
    starts: list[int] = field(default_factory=list)
    places: list[tuple[int, int]] = field(default_factory=list)
    filled: list[tuple[int, int]] = field(default_factory=list)

    def add(self, text: str, line: int, column: int, filled: bool = False) -> None:
        """Append a piece of the source, or what takes the place of a variable there."""
        self.starts.append(len(self.text))
        self.places.append((line, column))
        if filled:
            self.filled.append((len(self.text), len(self.text) + len(text)))
        self.text += text

    def place(self, offset: int) -> tuple[int, int]:
        """Return the line and column in the source of an offset in the text."""
        index = bisect.bisect_right(self.starts, offset) - 1
        line, column = self.places[index]
        inside = any(start <= offset < end for start, end in self.filled)
        return line, column if inside else column + offset - self.starts[index]

    def is_filled(self, start: int, end: int) -> bool:
        """Return whether a part of the text is of one variable, which is reported itself."""
        return any(first <= start and end <= last for first, last in self.filled)


def logical_lines(lines: list[str]) -> Iterator[LogicalLine]:
    """Yield the logical lines of a file.

    Parameters
    ----------
    lines : list of str
        Its lines without comments and ends.
    """
    values = variables(lines)
    current = LogicalLine()
    for number, line in enumerate(lines, 1):
        continued = _is_continued(line)
        _fill(current, line[:-1] if continued else line, number, values)
        if not continued or len(current.text) > _WIDEST:
            yield current
            current = LogicalLine()
    if current.text:
        yield current


def variables(lines: list[str]) -> dict[str, str]:
    """Return the variables that a file gives one constant value."""
    texts: dict[str, set[str]] = {}
    for line in lines:
        if len(line) > _WIDEST or ("=" not in line and "ENV" not in line):
            continue
        for match in (*_ASSIGNMENT.finditer(line), *_DOCKER.finditer(line)):
            value = match.group("value")
            quoted = value[:1] in ("'", '"')
            # what a command prints is not known
            if "$(" in value or "`" in value or line[match.end() : match.end() + 1] == "`":
                value, quoted = "$", False
            texts.setdefault(match.group("name"), set()).add(value[1:-1] if quoted else value)
    single = {name: next(iter(values)) for name, values in texts.items() if len(values) == 1}
    # as many rounds as variables may refer to one another in a chain
    for _ in range(4):
        single = {name: _fill_variables(value, name, single) for name, value in single.items()}
    return {name: value for name, value in single.items() if "$" not in value}


def _fill_variables(value: str, name: str, values: dict[str, str]) -> str:
    def fill(match: re.Match[str]) -> str:
        own = _name(match)
        return match.group() if own == name else values.get(own, match.group("default") or "$")

    text = _REFERENCE.sub(fill, value)
    return text if len(text) <= _LONGEST_FILLED else "$"


def _name(match: re.Match[str]) -> str:
    return match.group("plain") or match.group("braced") or match.group("make")


def _is_continued(line: str) -> bool:
    return (len(line) - len(line.rstrip("\\"))) % 2 == 1


def _fill(target: LogicalLine, line: str, number: int, values: dict[str, str]) -> None:
    end = 0
    if "$" in line and len(line) <= _WIDEST:
        for match in _REFERENCE.finditer(line):
            value = values.get(_name(match), match.group("default"))
            if value is None or _single_quoted(line, match.start()):
                continue
            if len(target.text) + len(value) > _LONGEST_FILLED:
                break
            target.add(line[end : match.start()], number, end + 1)
            target.add(value, number, match.start() + 1, filled=True)
            end = match.end()
    target.add(line[end:], number, end + 1)


def _single_quoted(line: str, offset: int) -> bool:
    quote = ""
    for char in line[:offset]:
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
    return quote == "'"


_MENTION = re.compile(
    r"\b(?:(?P<owner>KafkaUtils|FlumeUtils|MQTTUtils|KinesisUtils)\.(?P<method>create\w+)"
    r"|(?P<private>_jssc|_jdstream))\b"
)

# a part of a text that runs jobs, or other programs on a Java, which may need an old one
_JOBS = re.compile(r"spark|\.py\b|\bpip\d?\b|requirements[\w-]*\.txt|conda|jupyter", re.IGNORECASE)
_OTHERS = re.compile(
    r"(?<![\w-])(?:kafka|confluent|zookeeper|(?<!bin-)hadoop|hdfs|yarn|hive|hbase|flume|cassandra"
    r"|elasticsearch|logstash|tomcat|jetty|mvnw?|maven|gradlew?|sbt)(?![a-z])|\bjava\s+-\w|\.jar\b",
    re.IGNORECASE,
)
_FROM = re.compile(r"FROM[ \t]", re.IGNORECASE)
_COMMENTS = {"slashes": "//", "groovy": "//", "sql": "--"}
_XML_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_COMMANDS = ("shell", "prose", "document")
_LANGUAGES = {
    "shell": "shell",
    "prose": "prose",
    "document": "prose",
    "conf": "conf",
    "none": "data",
    "groovy": "data",
}
# longer texts are data, in which nothing is rewritten
_LONGEST = 256 * 1024


def text_events(
    text: str, style: str, first: int = 1, cell: int | None = None, whole: bool = True
) -> Iterator[Event]:
    """Yield all events of a text that is not Python.

    Parameters
    ----------
    style : str
        What a comment is (see `without_comment`); of "prose" and "document" only commands count.
    first : int
        The number of its first line.
    cell : int, optional
        The notebook's cell.
    whole : bool
        Whether its lines are those of the file, from the first column on.
    """
    around = _surroundings(text, style, first) if whole else None
    lines = uncommented_lines(text, style)
    if style in ("prose", "document"):
        lines = commands(lines, style == "prose")
    for event in _events(lines, style, first, cell, around):
        is_java = isinstance(event, Requirement) and event.kind == "java"
        if not (is_java and _is_for_others(lines, event.at.line - first)):
            yield event


def _events(
    lines: list[str], style: str, first: int, cell: int | None, around: Surroundings | None
) -> Iterator[Event]:
    """Yield the same of the lines without comments."""
    for key in nested_settings(lines):
        at = Spot(key.line + first - 1, key.column, cell)
        yield Setting(at, key.name, key.value, group_of(key.name))
    single = (_logical(line, number) for number, line in enumerate(lines, 1))
    logicals = list(logical_lines(lines) if style in _COMMANDS else single)
    joined = "\n".join(lines) if style in ("shell", "conf") else ""
    for offset, shown, versions in python_lists_in(joined):
        row = joined.count("\n", 0, offset)
        at = Spot(row + first, offset - joined.rfind("\n", 0, offset), cell)
        yield Requirement(at, "python", shown, versions)
    for named in named_values(lines):
        for _, kind, found, version in requirements_in(f"{named.name}={named.value}"):
            at = Spot(named.line + first, named.column + 1, cell)
            yield Requirement(at, kind, found, version)
    yield from _apart(lines, first, cell, around)
    section = ""
    for logical in logicals:
        name = section_name(logical.text)
        if name is not None:
            section = name
            continue
        yield from _requirement_events(logical, first - 1, cell, section, around)
        yield from _logical_events(logical, first - 1, cell, around)


def _apart(
    lines: list[str], first: int, cell: int | None, around: Surroundings | None
) -> Iterator[Event]:
    """Yield the requirements whose name and version stand apart."""
    for task in task_versions(lines):
        at = Spot(task.line + first, task.column + 1, cell)
        shown = f"versionSpec: {', '.join(task.versions)}"
        # of several in turn, none is the one to replace
        own = None if len(task.versions) > 1 else around
        yield Requirement(at, "python", shown, " || ".join(task.versions), own)
    for image in split_images(lines):
        at = Spot(image.line + first, image.column + 1, cell)
        for _, kind, requirement, version in requirements_in(
            f"image: {image.name}:{image.versions[0]}"
        ):
            shown = requirement if kind == "spark" else f"{image.name}:{image.versions[0]}"
            yield Requirement(at, kind, shown, version, around)


def _is_for_others(lines: list[str], number: int) -> bool:
    """Return whether a line, from 0, is seen to be for another program that runs on a Java."""
    part = _part_around(lines, number)
    return _JOBS.search(part) is None and _OTHERS.search(part) is not None


def _part_around(lines: list[str], number: int) -> str:
    """Return the image of a Dockerfile or service of Compose that a line is part of, or all."""
    services = next((n for n, line in enumerate(lines) if line.startswith("services:")), None)
    if services is None:
        starts = [n for n, line in enumerate(lines) if _FROM.match(line)]
    else:
        inside = [n for n, line in enumerate(lines) if n > services and line.strip()]
        depth = min((_depth(lines[n]) for n in inside[:1]), default=0)
        starts = [n for n in inside if _depth(lines[n]) <= depth]
    first = max((n for n in starts if n <= number), default=0)
    return "\n".join(lines[first : min((n for n in starts if n > number), default=len(lines))])


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def _surroundings(text: str, style: str, first: int) -> Surroundings | None:
    """Return the text for the fixes of its events; builds of Scala and Java have none."""
    language = _LANGUAGES.get(style)
    if language is None or len(text) > _LONGEST or text.lstrip().startswith("<"):
        return None
    return Surroundings(text, language, first)


def _logical(line: str, number: int) -> LogicalLine:
    """Return a line that is neither joined nor filled in."""
    whole = LogicalLine()
    whole.add(line, number, 1)
    return whole


def _logical_events(
    line: LogicalLine, before: int, cell: int | None, around: Surroundings | None = None
) -> Iterator[Event]:
    """Yield the events of a line; a setting in a variable is reported where the variable is set."""

    def spot(offset: int) -> Spot:
        number, column = line.place(offset)
        return Spot(number + before, column, cell)

    for offset, key, value in settings_in(line.text):
        end = offset + len(key)
        stands = stands_as_key(line.text, offset, end)
        if not line.is_filled(offset, end) and is_reported(key, group_of(key), stands):
            yield Setting(spot(offset), key, value, group_of(key))
    for offset, text, connector in connector_packages_in(line.text):
        if not line.is_filled(offset, offset + len(text)):
            yield ConnectorPackage(spot(offset), text, connector, around)
    for offset, text, scala in scala_packages_in(line.text):
        if not line.is_filled(offset, offset + len(text)):
            yield ScalaPackage(spot(offset), text, scala, around)


def _requirement_events(
    line: LogicalLine, before: int, cell: int | None, section: str, around: Surroundings | None
) -> Iterator[Event]:
    """Yield the events of one line.

    Parameters
    ----------
    before : int
        How many lines of the file stand before the text.
    """
    text = line.text
    if line_may_require(text):
        for offset, kind, requirement, spec in requirements_in(text, section):
            # a setting in a variable is reported where the variable is set
            if not line.is_filled(offset, offset + len(requirement)):
                number, column = line.place(offset)
                at = Spot(number + before, column, cell)
                yield Requirement(at, kind, _close_quotes(requirement), spec, around)


def _close_quotes(text: str) -> str:
    """Return a text whose quotes are paired, for messages."""
    text = re.sub(r"\A([\w.-]+)[\"'](?=\s*[:=])", r"\1", text)
    last = re.search(r"[\"'](?=[^\"']*\Z)", text)
    return text + last.group() if last is not None and text.count(last.group()) % 2 else text


def broken_python_events(text: str, first: int, cell: int | None = None) -> Iterator[Event]:
    """Yield the settings, packages and names of the API in Python that does not parse.

    Parameters
    ----------
    first : int
        The number of its first line.
    cell : int, optional
        The cell of the notebook it stands in.
    """
    for number, line in enumerate(split_lines(text), first):
        code = without_comment(line, "shell")
        yield from _logical_events(_logical(code, number), 0, cell)
        for match in _MENTION.finditer(code):
            name = match.group("private") or f"{match.group('owner')}.{match.group('method')}"
            yield MentionedName(Spot(number, match.start() + 1, cell), name)


def uncommented_lines(text: str, style: str) -> list[str]:
    """Return the lines of a text without comments (see `without_comment`) and those of XML."""
    if style == "none" and text.lstrip().startswith("<"):
        text = _XML_COMMENT.sub(lambda match: re.sub(r"[^\r\n]", " ", match.group()), text)
    return [without_comment(line, style) for line in split_lines(text)]


def without_comment(line: str, style: str) -> str:
    """Return a line without its comment; offsets of what stays do not change.

    style: "shell" (also YAML, Dockerfile: `#` after a space, outside quotes), "prose" and
    "document" (the same), "slashes" (the same with `//`; "sql" with `--`), "groovy" (the same with
    `//`, and lines of its scripts that start with `#`), "conf" (a line that starts with `#`, `!` or
    `;`), "none".
    """
    mark = _COMMENTS.get(style, "#")
    if style == "none":
        return line
    if line.lstrip().startswith(mark) or (style == "conf" and line.lstrip()[:1] in ("!", ";")):
        return ""
    if style == "groovy" and line.lstrip().startswith(("#", "* ", "/*")):
        return ""
    if style == "conf" or mark not in line:
        return line
    quote = ""
    for index, char in enumerate(line):
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif line.startswith(mark, index) and (index == 0 or line[index - 1].isspace()):
            return line[:index]
    return line
