"""Plans what becomes of the connectors and old packages in a list of packages or jars."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from migrator.model.events import ConnectorPackage, Requirement, ScalaPackage, Surroundings
from migrator.model.report import Fix, Safety, TextEdit
from migrator.rules.jar_lists import (
    Item,
    JarList,
    argument_at,
    command_around,
    edit,
    list_around,
    lists_beside,
    offset_of,
)
from migrator.spark.connectors import KAFKA, connector_of, is_kafka_jar
from migrator.spark.since import version_name
from migrator.spark.versions import Target

# published with every version of Spark
_SPARKS_OWN = re.compile(
    r"org\.apache\.spark:(?P<name>spark-(?:avro|sql-kafka-0-10|token-provider-kafka-0-10|streaming"
    r"|core|sql|hive|mllib|graphx|catalyst|hadoop-cloud))_[^:,/]+:[^:,/]+"
)
_DATABRICKS_AVRO = re.compile(r"com\.databricks:spark-avro_[^:,/]+:[^:,/]+")
_THIRD_PARTY = re.compile(r"(?P<head>[\w.-]+:[\w.-]+?)_(?P<scala>2\.1\d)(?P<tail>:[\w.-]+)")
_JVM_JOB = re.compile(
    r"--class\b|<class>|\bmain[_-]?class(?:_name)?\b|\bjava_class\b|[\"']?\btype[\"']?\s*:\s*[\"']?(?:Scala|Java)\b"
    r"|\bspark-shell\b",
    re.IGNORECASE | re.MULTILINE,
)
_PYTHON_JOB = re.compile(
    r"[\w$}]\.py(?=[\s\"',\\\]<]|\Z)|(?:^|[\s\"'/=])pyspark(?:-shell)?(?=[\s\"']|\Z)"
)
# its command has no option for packages
_DATAPROC = re.compile(r"\bgcloud\b")
# how it is named that a list has jars
_OPTION = re.compile(r"(?:(?P<option>--)|(?P<setting>\bspark\.)|\b)jars\b")
# a field of a text that is formatted
_FIELD = re.compile(r"%|(?<!\$)\{")
# the forms whose command is known to end where it does, in any language
_KNOWN_ENDS = ("argument", "elements")
_GIVES_PACKAGES = re.compile(r"--packages\b|spark\.jars\.packages|\bpackages\s*=")

_BLANKS = " \t"
_NEXT_ELEMENT = re.compile(r"\s*,\s*(?=[\"'\w$/.-])")
_LAST_ELEMENT = re.compile(r",\s*\Z")
_CONTINUATION = re.compile(r"[ \t]*\\\r?\n\Z")


@dataclass(slots=True)
class _Change:
    """What becomes of an item: its replacement, None if it goes, and the edits that do it."""

    item: Item
    connector: str | None
    new: str | None
    safety: Safety = Safety.SAFE
    edits: list[TextEdit] = field(default_factory=list)


def package_fix(
    event: ConnectorPackage | ScalaPackage, target: Target, note: str = ""
) -> Fix | None:
    """Return the fix for a package in a list, or None where it is not proven right.

    Parameters
    ----------
    event : ConnectorPackage or ScalaPackage
        The package. A connector is reported once a line, so its fix is for all lists of a command.
    target : Target
        What the job is to run on.
    note : str
        What to do where the package is dropped.
    """
    around = event.around
    offset = None if around is None else offset_of(around, event.at)
    jars = None if around is None or offset is None else list_around(around, offset)
    if around is None or offset is None or jars is None:
        return None
    python = _runs_python(around, jars)
    plan = None if python is None else _Plan(around, jars, event.at.cell, target)
    if plan is None or not plan.make():
        return None
    change = next((c for c in plan.changes if c.item.start <= offset < c.item.end), None)
    if change is None:
        return None
    edits = [*change.edits]
    if isinstance(event, ConnectorPackage):
        alike = (c for c in plan.changes if c.connector == event.connector)
        edits += [e for c in alike for e in c.edits if e not in edits]
    if around.language == "python" and any(_FIELD.search(edit.old) for edit in edits):
        return None
    if change.new is not None:
        summary = f"`{event.text}` becomes `{change.new}`"
    elif change.connector == "kafka":
        summary = f"`{event.text}` gives way to the package `{target.package(KAFKA)}`"
    else:
        summary = f"`{event.text}` is dropped" + (f": {note}" if note else "")
    if change.safety is Safety.UNSAFE:
        summary += f"; there may be no build of this version for Scala {target.scala}"
    return Fix(change.safety, tuple(edits), summary, python_only=not python)


def _runs_python(around: Surroundings, jars: JarList) -> bool | None:
    """Return whether what gets the list is seen to be Python; None if it may be Scala or Java."""
    start, end = command_around(around, jars.option, jars.form)
    command = around.text[start:end]
    if _JVM_JOB.search(command):
        return None
    own = around.language in ("shell", "prose") or jars.form in _KNOWN_ENDS
    if own and _PYTHON_JOB.search(command):
        return True
    if _JVM_JOB.search(around.text):
        return None
    return around.language in ("python", "data") and _PYTHON_JOB.search(around.text) is not None


class _Plan:
    """The changes of all lists of a command, which fit together."""

    def __init__(
        self, around: Surroundings, jars: JarList, cell: int | None, target: Target
    ) -> None:
        self.around = around
        self.target = target
        self.cell = cell
        self.command = command_around(around, jars.option, jars.form)
        self.lists = lists_beside(around, jars)
        texts = [i.text for jars in self.lists for i in jars.items]
        self.has_kafka = any(f":{KAFKA}_" in text for text in texts)
        connected = self.has_kafka or any(connector_of(text) == "kafka" for text in texts)
        self.changes: list[_Change] = []
        self.jars: JarList | None = None
        for one in self.lists:
            for item in one.items:
                change = self._change(item, connected)
                if change is not None:
                    self.changes.append(change)
                    if change.connector == "kafka" and not self.has_kafka:
                        self.jars = one

    def _change(self, item: Item, connected: bool) -> _Change | None:
        connector = connector_of(item.text)
        if connector == "kafka" and not self.has_kafka and not item.text.endswith(".jar"):
            self.has_kafka = True
            return _Change(item, connector, self.target.package(KAFKA))
        if connector is not None:
            return _Change(item, connector, None)
        if connected and is_kafka_jar(item.text):
            return _Change(item, "kafka", None)
        own = _SPARKS_OWN.fullmatch(item.text)
        if own is not None:
            new = self.target.package(own["name"])
            return None if new == item.text else _Change(item, None, new)
        if _DATABRICKS_AVRO.fullmatch(item.text):
            return _Change(item, None, self.target.package("spark-avro"))
        other = _THIRD_PARTY.fullmatch(item.text)
        if other is not None and other["scala"] != self.target.scala:
            new = f"{other['head']}_{self.target.scala}{other['tail']}"
            return _Change(item, None, new, Safety.UNSAFE)
        return None

    def make(self) -> bool:
        """Give every change its edits; return False if one of the lists has to stay as it is."""
        for change in self.changes:
            if change.new is not None:
                change.edits = [self._edit(change.item.start, change.item.end, change.new)]
        return all(self._make_list(jars) for jars in self.lists)

    def _make_list(self, jars: JarList) -> bool:
        gone = {c.item: c for c in self.changes if c.new is None and c.item in jars.items}
        if not gone:
            return True
        alone = len(gone) == len(jars.items)
        shared: list[TextEdit] | None = []
        if jars is self.jars:
            shared = self._kafka_package(jars, alone)
        elif alone:
            shared = self._removal(jars)
        if shared is None:
            return False
        if jars is self.jars and alone and not any(e.old for e in shared):
            removal = self._removal(jars)
            if removal is None:
                return False
            shared += removal
        for item, change in gone.items():
            own = [] if alone else [self._without(jars, jars.items.index(item), set(gone))]
            change.edits = [*own, *shared]
        return True

    def _removal(self, jars: JarList) -> list[TextEdit] | None:
        span = _removed_span(self.around, jars)
        return None if span is None else [self._edit(*span, "")]

    def _kafka_package(self, jars: JarList, alone: bool) -> list[TextEdit] | None:
        """Return the edits that bring the package for its jar; None if no place for it is seen."""
        text = self.around.text
        package = self.target.package(KAFKA)
        packages = next((jars for jars in self.lists if jars.kind == "packages"), None)
        if packages is not None:
            start = packages.items[0].start
            return [self._edit(start, start, f"{package},")]
        if _GIVES_PACKAGES.search(self._elsewhere(jars)):
            return None
        argument = argument_at(text, jars.option) if jars.form == "argument" else None
        is_open = argument is not None and argument.is_open
        start, end = jars.items[0].start, jars.items[-1].end
        name = _OPTION.search(text, jars.option, start)
        if name is None or is_open or _DATAPROC.search(text, *self.command):
            return None
        if alone and name["setting"]:
            edits = [self._edit(name.end(), name.end(), ".packages")]
        elif alone and (name["option"] or jars.form == "argument"):
            new = name.group().replace("jars", "packages")
            edits = [self._edit(*name.span(), new)]
        elif jars.form == "command":
            return [self._edit(name.start(), name.start(), f"--packages {package} ")]
        else:
            return None
        return [*edits, self._edit(start, end, package)]

    def _elsewhere(self, jars: JarList) -> str:
        """Return the text in which another option may give packages."""
        text = self.around.text
        command = text[slice(*self.command)]
        own = jars.form == "argument" or "spark-submit" in command
        return command if own else text

    def _without(self, jars: JarList, index: int, gone: set[Item]) -> TextEdit:
        """Return the edit that takes an item out with one of its commas."""
        items = jars.items
        if any(later not in gone for later in items[index + 1 :]):
            return self._edit(items[index].start, items[index + 1].start, "")
        return self._edit(items[index - 1].end, items[index].end, "")

    def _edit(self, start: int, end: int, new: str) -> TextEdit:
        return edit(self.around, start, end, new, self.cell)


def _removed_span(around: Surroundings, jars: JarList) -> tuple[int, int] | None:
    """Return the part of the text that goes with an option, or None if something could break.

    Parameters
    ----------
    jars : JarList
        The list whose items all go.
    """
    text = around.text
    if jars.form in ("command", "setting"):
        return _of_command(text, jars)
    if jars.form == "elements":
        return _of_elements(text, jars)
    if jars.form == "argument":
        argument = argument_at(text, jars.option)
        return None if argument is None else argument.removal
    if jars.form == "line":
        return _of_lines(text, jars)
    return None


def _of_command(text: str, jars: JarList) -> tuple[int, int] | None:
    """Return an option of a command: with its line if it has one, else with a blank."""
    start, end = jars.option, jars.end
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


def _of_elements(text: str, jars: JarList) -> tuple[int, int] | None:
    """Return two elements of a list, with the comma behind or before them."""
    following = _NEXT_ELEMENT.match(text, jars.end)
    if following is not None:
        return jars.option, following.end()
    before = _LAST_ELEMENT.search(text, max(jars.option - 200, 0), jars.option)
    return None if before is None else (before.start(), jars.end)


def _of_lines(text: str, jars: JarList) -> tuple[int, int] | None:
    """Return whole lines, if there is nothing else in the last one."""
    line = text.rfind("\n", 0, jars.option) + 1
    after = re.compile(r"[ \t]*\r?(?:\n|\Z)").match(text, jars.end)
    return None if after is None else (line, after.end())


# Edits of pinned versions of PySpark and Python, in the syntax of the place.

_SPEC = r"(?:(?:===?|[~<>!^]=?|=)\s*v?\d[\w.*]*(?:\s*,\s*(?=[=~<>!^]))?)+"
_PYSPARK = re.compile(
    r"[\"']?pyspark(?:\[[\w, -]*\])?[\"']?\s*"
    rf"(?:=\s*(?:\{{[^}}\n]*version\s*=\s*)?[\"'](?P<toml>[^\"'\n]*)[\"']|(?P<spec>{_SPEC}))"
)
# a build of conda, a marker of pip
_GOES_ON = re.compile(r"[=\w.*-]|[ \t]*;[ \t]*(?:python|sys|platform|os|implementation)_")
_INSTALLS = re.compile(r"\b(?P<tool>pip[\d.]*|conda|mamba)\b[^;&|]*\binstall\b|\bconda\s+create\b")
_TAG = re.compile(
    r"2(?:\.7(?:\.\d+)?)?(?P<rest>(?:-(?:slim|alpine|buster|bullseye|bookworm))*)(?![\w.-])"
)
_IMAGE = re.compile(rf"python:{_TAG.pattern}")
# an image whose tag stands apart
_APART = re.compile(r"[\w./:-]+")
_NAMES_IMAGE = re.compile(
    r"FROM\s+(?:--\S+\s+)?|\s*(?:-\s+)?[\"']?image[\"']?:\s*[\"']?|\s*image\s+=\s+\""
)
_ARGUMENT = re.compile(r".*[\"'(,=\s][\"']")
_QUOTED = re.compile(r"[\"'](?P<spec>[^\"'\n]*)[\"']")


def pyspark_fix(event: Requirement, target: Target) -> Fix | None:
    """Return the fix of a requirement that lets no PySpark in that is new enough, or None."""
    around = event.around
    offset = None if around is None else offset_of(around, event.at)
    match = None if around is None or offset is None else _PYSPARK.match(around.text, offset)
    if around is None or offset is None or match is None:
        return None
    group = "toml" if match["spec"] is None else "spec"
    start, end = match.span(group)
    first, last = command_around(around, offset)
    command = around.text[first:last]
    if match[group].strip() != event.version.strip(" ,") or "--hash" in command:
        return None
    if group == "spec" and _GOES_ON.match(around.text, end):
        return None
    oldest = target.spark_name
    new = f">={oldest},<5"
    if group == "spec" and around.text[offset] not in "\"'":
        bare = around.text[offset - 1 : offset] not in ('"', "'")
        install = _INSTALLS.search(around.text, first, offset)
        if bare and install is not None:
            # a shell would redirect > and <
            new = f"~={oldest}" if install["tool"] and "pip" in install["tool"] else f"={oldest}"
    return _fix(event, around, start, end, new)


def python_fix(event: Requirement, target: Target) -> Fix | None:
    """Return the fix of a requirement that lets no Python in that is new enough, or None."""
    around = event.around
    offset = None if around is None else offset_of(around, event.at)
    if around is None or offset is None:
        return None
    text, python = around.text, version_name(target.named_python)
    image = _IMAGE.match(text, offset)
    if image is not None:
        before = text[text.rfind("\n", 0, offset) + 1 : offset]
        names = _ARGUMENT if around.language == "python" else _NAMES_IMAGE
        if names.fullmatch(before) is None:
            return None
        return _fix(event, around, offset, image.end(), f"python:{python}{image['rest']}")
    if _APART.fullmatch(event.text):
        tag = _TAG.match(text, offset)
        if tag is None or event.text != f"python:{tag.group()}":
            return None
        return _fix(event, around, *tag.span(), f"{python}{tag['rest']}")
    if around.language == "python":
        quoted = _QUOTED.match(text, offset)
        if quoted is None or quoted["spec"] != event.version:
            return None
        return _fix(event, around, *quoted.span("spec"), f">={python}")
    end = offset + len(event.version)
    if text[offset:end] != event.version or "$" in event.version:
        return None
    end = offset + len(event.version.rstrip())
    new = _python_spec(event.text, event.version.strip(), python)
    if new is None or _GOES_ON.match(text, end):
        return None
    return _fix(event, around, offset, end, new)


def _python_spec(requirement: str, version: str, python: str) -> str | None:
    """Return a version of Python in the syntax of a requirement; None if that is not known."""
    name = re.match(r"[\w-]+", requirement.lstrip("\"'"))
    match name[0] if name is not None else "":
        case "requires-python" | "python_requires":
            return f">={python}"
        case "python-version" | "versionSpec":
            return python
        case "python_version":
            # of a Pipfile: one version
            return python if re.fullmatch(r"\d+(?:\.\d+)?", version) else None
        case "python" if re.match(r"python\s*=\s*[\"']", requirement):
            return f"^{python}"
        case "python" | "conda":
            match = re.fullmatch(r"=(=?)\s*\d[\d.]*(?:\.\*)?", version)
            return f">={python}" if match is None else f"={match[1]}{python}"
    return None


def _fix(event: Requirement, around: Surroundings, start: int, end: int, new: str) -> Fix:
    old = around.text[start:end]
    summary = f"`{event.text}` asks for `{new}` now, instead of `{old}`"
    return Fix(Safety.SAFE, (edit(around, start, end, new, event.at.cell),), summary)
