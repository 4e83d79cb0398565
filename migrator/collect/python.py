"""One walk over a parsed unit that turns it into events, dispatching on the type of each node."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

from migrator.collect.api_uses import ApiUses
from migrator.collect.connect_blocks import ConnectBlocks
from migrator.collect.hosts_in_python import host_events
from migrator.collect.job_code import BatchFunctions, ForeignContexts, JobCode, MissingResults
from migrator.collect.module_strings import ModuleStrings
from migrator.collect.removed.names import removed_names
from migrator.collect.required_versions import (
    PYTHON_KEYS,
    connector_packages_in,
    requirements_in,
    scala_packages_in,
)
from migrator.collect.settings import is_reported, settings_in, stands_as_option
from migrator.collect.spark_homes import SparkHomes
from migrator.collect.stream_inputs import StreamInputs
from migrator.collect.streams_as_values import HOLDERS, StreamsAsValues
from migrator.collect.unit_collector import UnitCollector, program_text
from migrator.infer.program import Facts, Program
from migrator.infer.scopes import imported_module
from migrator.infer.values import Jvm, Obj
from migrator.model.events import (
    ConnectorPackage,
    Event,
    ImportedName,
    JavaPath,
    JvmReceiver,
    ModuleString,
    Requirement,
    ScalaPackage,
    Setting,
)
from migrator.model.report import Spot
from migrator.source.python import Unit
from migrator.spark.connectors import jvm_receiver
from migrator.spark.kinds import Kind
from migrator.spark.settings import group_of, misspelt_prefixes

# Finds the strings of a program that stand where the key of a setting stands.
#
# `conf.set(key, value)` and its like, pairs and dicts of settings, and what follows `--conf`.

_SETTERS = frozenset(
    (*("config", "setConf", "setIfMissing", "setProperty", "setLocalProperty"), "setSystemProperty")
)
_CONFS = frozenset({Kind.SPARK_CONF, Kind.SPARK_SESSION, Kind.SESSION_BUILDER})
_NAMED_CONF = re.compile(r"conf|spark|builder|session|propert|setting|option", re.IGNORECASE)
_OPTIONS = frozenset({"--conf", "-c", "--properties"})


class SettingKeys:
    """Collects these strings; a parent has to be shown before its children.

    Attributes
    ----------
    matter : bool
        Whether the unit has settings at all; without them nothing needs to be shown.
    """

    def __init__(self, unit: Unit, facts: Facts) -> None:
        self.facts = facts
        # few programs have any
        self.matter = any(any(settings_in(chunk.text)) for chunk in unit.chunks)
        self._keys: set[ast.expr] = set()
        self._confs: set[ast.expr] = set()

    def __contains__(self, node: ast.expr) -> bool:
        return node in self._keys

    def call(self, node: ast.Call) -> None:
        """Find setters, and arguments that are settings."""
        for keyword in node.keywords:
            if keyword.arg is not None and _NAMED_CONF.search(keyword.arg):
                self._confs.add(keyword.value)
        if isinstance(node.func, ast.Attribute):
            name = node.func.attr
            if name == "setAll" and node.args:
                self._confs.add(node.args[0])
            elif name in _SETTERS or (name in ("set", "put") and self._is_conf(node.func.value)):
                self._key_of(node)
            elif name == "items" and node in self._confs:
                self._confs.add(node.func.value)
        elif isinstance(node.func, ast.Name):
            if _NAMED_CONF.search(node.func.id):
                self._key_of(node)
            if node.func.id in ("dict", "list") and node in self._confs:
                self._confs.update(node.args)
        self._options(node.args)

    def _key_of(self, node: ast.Call) -> None:
        named = [k.value for k in node.keywords if k.arg == "key"]
        if named or len(node.args) + len(node.keywords) > 1:
            for key in named or node.args[:1]:
                self._mark(key)

    def dict(self, node: ast.Dict) -> None:
        """Find dicts of settings: they are named so, or other keys of them are Spark's."""
        keys = [key for key in node.keys if key is not None]
        if node in self._confs or any(_is_sparks(key) for key in keys):
            for key in keys:
                self._mark(key)
        for name_of, value in zip(node.keys, node.values, strict=True):
            match name_of:
                case ast.Constant(value=str(name)) if _NAMED_CONF.search(name):
                    self._confs.add(value)

    def sequence(self, node: ast.Tuple | ast.List) -> None:
        """Find pairs of settings, and the arguments of a command."""
        pairs = [i.elts[0] for i in node.elts if isinstance(i, ast.Tuple | ast.List) and i.elts]
        if pairs and (node in self._confs or any(_is_sparks(key) for key in pairs)):
            for key in pairs:
                self._mark(key)
        self._options(node.elts)

    def assign(self, node: ast.Assign) -> None:
        """Find `conf = {key: value}` and `conf[key] = value`."""
        for target in node.targets:
            if isinstance(target, ast.Subscript):
                if self._is_conf(target.value):
                    self._mark(target.slice)
            elif self._is_conf(target):
                self._confs.add(node.value)

    def _options(self, parts: list[ast.expr]) -> None:
        for before, part in pairwise(parts):
            if isinstance(before, ast.Constant) and before.value in _OPTIONS:
                self._mark(part)

    def _is_conf(self, node: ast.expr) -> bool:
        """Return whether an expression is a configuration, by its kind or its name."""
        value = self.facts.values.get(node)
        if value is not None and any(isinstance(a, Obj) and a.kind in _CONFS for a in value.atoms):
            return True
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name):
                return _NAMED_CONF.search(name) is not None
            case ast.Call(func=func):
                return self._is_conf(func) or (
                    isinstance(func, ast.Attribute) and self._is_conf(func.value)
                )
            case ast.Subscript(value=inner):
                return self._is_conf(inner)
        return False

    def _mark(self, node: ast.expr) -> None:
        """Note a key; of one that is put together, only its beginning."""
        match node:
            case ast.Constant():
                self._keys.add(node)
            case ast.BinOp(left=left):
                self._mark(left)
            case ast.JoinedStr(values=[first, *_]):
                self._mark(first)
            case ast.Call(func=ast.Attribute(value=text, attr="format")):
                self._mark(text)


def _is_sparks(node: ast.expr) -> bool:
    name = node.value if isinstance(node, ast.Constant) else None
    return (
        isinstance(name, str)
        and name.startswith("spark.")
        and not name.startswith("spark.streaming.")
    )


# Java code of Spark Streaming that a program reaches through py4j.

JAVA = "org.apache.spark.streaming"
_JVM = re.compile(r"(?:^|\.)_?jvm\.")
_STREAMING = re.compile(r"(?<!sql\.)\bstreaming\b")
# what may stand in the name of such a class
_HINTS = ("Utils", "Helper")


class JavaPaths(UnitCollector):
    """Collects paths into Java, of attributes and in strings; only the longest of a chain."""

    def __init__(self, unit: Unit, program: Program, uses: ApiUses) -> None:
        super().__init__(unit, program, uses)
        # an attribute comes before its parts
        self.reported: set[ast.AST] = set()

    def attribute(self, node: ast.Attribute) -> Iterator[Event]:
        """Yield a class that makes streams, or the package of Spark Streaming."""
        if node.attr.endswith(_HINTS) and self._is_java(node):
            receiver = jvm_receiver(node.attr)
            if receiver is not None and (self._is_of_streaming(node) or self._creates(node)):
                self.reported.update(ast.walk(node.value))
                yield JvmReceiver(self.unit.name_spot(node), *receiver)
        if node.attr == "streaming" and node not in self.reported:
            text = ast.unparse(node.value)
            if text.endswith("org.apache.spark"):
                yield JavaPath(self.unit.name_spot(node), f"{text}.streaming")

    def string(self, text: str, at: Spot) -> Iterator[Event]:
        """Yield the same of a string with the full name of a class."""
        receiver = jvm_receiver(text)
        if receiver is None:
            yield JavaPath(at, text)
        else:
            yield JvmReceiver(at, *receiver)

    def _is_of_streaming(self, node: ast.Attribute) -> bool:
        """Return whether a class lies in a package of streams; those of tables have none."""
        value = self.facts.receivers.get(node)
        paths = [a.path for a in value.atoms if isinstance(a, Jvm)] if value is not None else []
        return any(_STREAMING.search(path) for path in (*paths, ast.unparse(node.value)))

    def _creates(self, attribute: ast.Attribute) -> bool:
        """Return whether a method of a class or of its object is called that makes something."""
        holders = {ast.unparse(attribute), f"{ast.unparse(attribute)}()"}
        for node in self.unit.nodes():
            if isinstance(node, ast.Assign) and ast.unparse(node.value) in holders:
                holders.update(ast.unparse(target) for target in node.targets)
        return any(
            isinstance(node, ast.Attribute)
            and node.attr.startswith("create")
            and ast.unparse(node.value) in holders
            for node in self.unit.nodes()
        )

    def _is_java(self, node: ast.Attribute) -> bool:
        value = self.facts.receivers.get(node)
        if value is not None and any(isinstance(a, Jvm) for a in value.atoms):
            return True
        return _JVM.search(ast.unparse(node)) is not None


# reading a setting changes nothing
_READERS = {"get", "contains", "getOption"}


class EventCollector:
    """Collects the events of a unit."""

    def __init__(self, unit: Unit, program: Program) -> None:
        self.unit = unit
        self.uses = ApiUses(unit, program)
        self.streams = StreamsAsValues(unit, program, self.uses)
        self.around = JobCode(unit, program, self.uses)
        self.java = JavaPaths(unit, program, self.uses)
        self.values: dict[ast.expr, ast.expr] = {}
        self.prose: set[ast.AST] = set()
        self.only_read: set[ast.AST] = set()
        self.keys = SettingKeys(unit, program.facts)
        self.modules = ModuleStrings(unit, program)
        self.passed: dict[tuple[ast.Constant, str], tuple[int, int]] = {}
        self.handlers: dict[type[ast.AST], Callable[[Any], Iterator[Event]]] = {
            ast.Expr: self.expression,
            ast.Call: self.call,
            ast.Dict: self.dict,
            ast.Tuple: self.sequence,
            ast.List: self.sequence,
            ast.Subscript: self.subscript,
            ast.Assign: self.assign,
            ast.Constant: self.constant,
            ast.Attribute: self.attribute,
            ast.Name: self.uses.name,
            ast.ImportFrom: self.import_from,
        }

    def run(self) -> list[Event]:
        """Return all events of the unit, in reading order."""
        events: list[Event] = []
        # breadth first: a parent marks its strings before they are met
        for node in self.unit.nodes():
            handler = self.handlers.get(type(node))
            if handler is not None:
                events.extend(handler(node))
            if type(node) in HOLDERS:
                events.extend(self.streams.node(node))
        events.extend(self.around.unit_events())
        context = self.unit, self.uses.program, self.uses
        events.extend(BatchFunctions(*context).unit_events())
        events.extend(ForeignContexts(*context).unit_events())
        events.extend(MissingResults(*context).unit_events())
        events.extend(ConnectBlocks(*context).unit_events())
        events.extend(SparkHomes(self.unit, self.uses.program).unit_events())
        events.extend(removed_names(self.unit, self.uses.program))
        events.extend(host_events(self.unit))
        events.sort(key=lambda e: e.at.order)
        return StreamInputs(self.unit, self.uses.program).resolve(events)

    def expression(self, node: ast.Expr) -> Iterator[Event]:
        """Yield a string as a statement is documentation."""
        if isinstance(node.value, ast.Constant):
            self.prose.add(node.value)
        yield from self.around.expression(node)

    def call(self, node: ast.Call) -> Iterator[Event]:
        """Find `conf.set(key, value)` and its like; constructors of the API."""
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if name in _READERS:
            self.only_read.update(node.args[:1])
        elif name == "getLogger":
            self.prose.update(node.args[:1])
        if self.keys.matter:
            self.keys.call(node)
        self._pair(node.args)
        by_name = {k.arg: k.value for k in node.keywords}
        match by_name.get("python_requires"):
            case ast.Constant(value=str(spec)) as spec_node:
                text = f'python_requires="{spec}"'
                yield Requirement(
                    self.unit.spot_of(spec_node),
                    "python",
                    text,
                    spec,
                    program_text(self.unit, spec_node),
                )
        if "key" in by_name and "value" in by_name:
            self._pair([by_name["key"], by_name["value"]])
        match node.func, node.args:
            case ast.Name(id="getattr"), [ast.Name() as module, ast.Constant("streaming"), *_]:
                if self.uses.is_pyspark(module):
                    yield ModuleString(self.unit.spot_of(node), "pyspark.streaming")
        self.modules.call(node)
        yield from self.uses.call(node)
        yield from self.around.call(node)

    def _pair(self, parts: list[ast.expr]) -> None:
        if len(parts) >= 2:
            self.values[parts[0]] = parts[1]

    def dict(self, node: ast.Dict) -> Iterator[Event]:
        """Find settings given as a dict."""
        if self.keys.matter:
            self.keys.dict(node)
        for key, value in zip(node.keys, node.values, strict=True):
            if key is not None:
                self.values[key] = value
        return iter(())

    def sequence(self, node: ast.Tuple | ast.List) -> Iterator[Event]:
        """Find settings given as pairs."""
        if self.keys.matter:
            self.keys.sequence(node)
        if len(node.elts) == 2:
            self._pair(node.elts)
        return iter(())

    def subscript(self, node: ast.Subscript) -> Iterator[Event]:
        """Find `settings["key"]` that is only read, and `sys.modules[...]`."""
        self.modules.subscript(node)
        if isinstance(node.ctx, ast.Load):
            self.only_read.add(node.slice)
        return iter(())

    def assign(self, node: ast.Assign) -> Iterator[Event]:
        """Find `settings["key"] = value`."""
        if self.keys.matter:
            self.keys.assign(node)
        for target in node.targets:
            if isinstance(target, ast.Subscript):
                self.values[target.slice] = node.value
        yield from self.around.assign(node)

    def constant(self, node: ast.Constant) -> Iterator[Event]:
        """Find strings: settings, packages, names of modules and of Java classes."""
        text = node.value
        if not isinstance(text, str) or node in self.prose:
            return
        for _, package, scala in scala_packages_in(text):
            around = program_text(self.unit, node)
            yield ScalaPackage(self._inside(node, package), package, scala, around)
        if text.startswith("pyspark"):
            for _, kind, requirement, version in requirements_in(text):
                yield Requirement(
                    self.unit.spot_of(node),
                    kind,
                    requirement,
                    version,
                    program_text(self.unit, node),
                )
        if (text in PYTHON_KEYS or text.endswith("JAVA_HOME")) and node not in self.only_read:
            yield from self._commands(node, f"{text}={_constant_text(self.values.get(node))}")
        if "_HOME=" in text or "_PYTHON=" in text:
            yield from self._commands(node, text)
        if "streaming" not in text and not any(misspelt_prefixes(text)):
            return
        if node not in self.only_read:
            yield from self._settings(node, text)
        for _, coordinates, connector in connector_packages_in(text):
            around = program_text(self.unit, node)
            yield ConnectorPackage(self._inside(node, coordinates), coordinates, connector, around)
        yield from self.modules.event(node)
        if JAVA in text:
            yield from self.java.string(text, self._inside(node, JAVA))

    def _commands(self, node: ast.Constant, text: str) -> Iterator[Event]:
        """Yield the Java and the Python that commands in a string give to a job."""
        for line in (line for line in text.splitlines() if line.lstrip()[:1] != "#"):
            for _, kind, requirement, version in requirements_in(line):
                if requirement.startswith(("PYSPARK", "spark", "JAVA_HOME")):
                    yield Requirement(self.unit.spot_of(node), kind, requirement, version)

    def _settings(self, node: ast.Constant, text: str) -> Iterator[Event]:
        for offset, key, value in settings_in(text):
            whole = text.strip() == key
            ends = "={%" if node in self.keys else "="
            starts = text.startswith(key) and text[len(key) :][:1] in tuple(ends)
            # a key in a sentence is not a setting
            if not (whole or starts or (value and self._assigns(text, offset, key))):
                continue
            stands = node in self.keys or stands_as_option(text, offset, offset + len(key))
            if is_reported(key, group_of(key), stands):
                value = _constant_text(self.values.get(node)) if whole else value
                yield Setting(self._inside(node, key), key, value, group_of(key))

    @staticmethod
    def _assigns(text: str, offset: int, key: str) -> bool:
        after = text[offset + len(key) :].lstrip("\"' ")
        return after[:1] in ("=", ":") or text[:offset].rstrip("\"' ").endswith("--conf")

    def _inside(self, node: ast.Constant, text: str) -> Spot:
        """Return where a text stands inside of a string: each time its next place."""
        last = node.end_lineno or node.lineno
        chunk = self.unit.chunk_at(node.lineno)
        column = chunk.lines.column(node.lineno - chunk.first_line + 1, node.col_offset)
        first, skipped = self.passed.get((node, text), (node.lineno, column))
        for line in range(first, last + 1):
            source = chunk.lines.rows[line - chunk.first_line]
            column = source.find(text, skipped if line == first else 0)
            if column >= 0:
                self.passed[node, text] = (line, column + len(text))
                return chunk.spot(line - chunk.first_line + 1, column)
        return self.unit.spot_of(node)

    def attribute(self, node: ast.Attribute) -> Iterator[Event]:
        """Find uses of the API, and paths into Spark Streaming's Java code."""
        yield from self.uses.attribute(node)
        yield from self.java.attribute(node)

    def import_from(self, node: ast.ImportFrom) -> Iterator[Event]:
        """Find names from other parts of PySpark, for rules that know them."""
        module = imported_module(node)
        if module.startswith("pyspark."):
            for alias in node.names:
                yield ImportedName(self.unit.spot_of(alias), f"{module}.{alias.name}")


def _constant_text(node: ast.expr | None) -> str | None:
    if isinstance(node, ast.Constant):
        return str(node.value)
    return None
