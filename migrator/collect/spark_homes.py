"""Finds where a program names the Spark that it takes, and what drops an old one.

All statements that name an old Spark are dropped together, with the variables of the environment
that only they read: a part of them would leave a program that looks for a variable in vain.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain

from migrator.collect.dropped_statements import blocks, dropping_edits
from migrator.collect.path_values import PathValues
from migrator.collect.unit_collector import text_of
from migrator.infer.program import Program
from migrator.model.events import Event, SparkHome, SparkHomeRead
from migrator.model.report import TextEdit
from migrator.source.python import Unit
from migrator.spark.versions import describe_home, home_of, names_old, old_py4j

# Finds the statements of a program that name the Spark that it takes.

VARIABLE = "SPARK_HOME"
_SUBMIT = re.compile(r"(?<![\w./\\-])(?:[A-Za-z]:)?[^\s\"'`;&|()=,]*[/\\]spark[123]?-submit\b")
_HOME = re.compile(r"(?<![\w$])SPARK_HOME=[\"']?(?P<path>[^\s\"'`;&|]+)")
_OF_JVM = re.compile(r"--class\b|\.jar\b")


@dataclass(frozen=True, slots=True)
class Naming:
    """A statement, or a part of one, that names a Spark; `path` is None where it is not known."""

    node: ast.stmt | ast.expr
    what: str
    shown: str
    path: str | None
    is_plain: bool = True

    @property
    def is_old(self) -> bool:
        """Whether it names a Spark before 4."""
        return self.path is not None and names_old(self.path)

    @property
    def removable_statement(self) -> ast.stmt | None:
        """The statement that may go, if it does nothing else."""
        return self.node if self.is_plain and isinstance(self.node, ast.stmt) else None

    @property
    def follows(self) -> bool:
        """Whether it takes what the environment says."""
        return self.path in ("", f"${VARIABLE}")


def namings(statement: ast.stmt, values: PathValues) -> Iterator[Naming]:
    """Yield what a statement names: a call of findspark, the variable, or entries of `sys.path`."""
    match statement:
        case ast.Expr(value=ast.Call() as call):
            yield from _call(statement, call, values)
        case ast.Assign(targets=[ast.Subscript() as target], value=value):
            if _is_home(target, values):
                shown = f'os.environ["{VARIABLE}"] = {text_of(value)}'
                yield Naming(statement, "variable", shown, values.path(value))
            elif values.dotted_path(target.value) == "sys.path":
                yield from _entries(statement, value, values)
        case ast.AugAssign(target=path, value=value) if values.dotted_path(path) == "sys.path":
            yield from _entries(statement, value, values)


def _is_home(target: ast.Subscript, values: PathValues) -> bool:
    return values.dotted_path(target.value) == "os.environ" and values.key(target.slice) == VARIABLE


def call_of_findspark(node: ast.stmt | ast.expr, call: ast.Call, values: PathValues) -> Naming:
    """Return what a call of `findspark.init` names; a statement that does no more may go."""
    named = {k.arg: k.value for k in call.keywords}
    argument = call.args[0] if call.args else named.get("spark_home")
    more = len(call.args) + len(call.keywords) > 1 or None in named
    path: str | None = ""
    if argument is not None and not (isinstance(argument, ast.Constant) and not argument.value):
        path = values.path(argument)
    is_plain = not more and isinstance(node, ast.stmt)
    return Naming(node, "findspark", text_of(call), path, is_plain)


def _call(statement: ast.stmt, call: ast.Call, values: PathValues) -> Iterator[Naming]:
    match values.dotted_path(call.func), call.args:
        case "findspark.init", _:
            yield call_of_findspark(statement, call, values)
        case "sys.path.append", [value]:
            yield from _entry(statement, value, values)
        case "sys.path.insert", [_, value]:
            yield from _entry(statement, value, values)
        case "sys.path.extend", [value]:
            yield from _entries(statement, value, values)


def _entries(statement: ast.stmt, value: ast.expr, values: PathValues) -> Iterator[Naming]:
    """Yield several entries, whose statement stays."""
    for part in value.elts if isinstance(value, ast.List | ast.Tuple) else [value]:
        for naming in _entry(statement, part, values):
            yield replace(naming, is_plain=False)


def _entry(statement: ast.stmt, value: ast.expr, values: PathValues) -> Iterator[Naming]:
    path = values.path(value)
    if path is None:
        return
    home = home_of(path)
    named = home is not None and "spark" in home.lower() and not home.startswith("$")
    if named or old_py4j(path) is not None or (home is not None and names_old(path)):
        yield Naming(statement, "path", text_of(value), path)
    elif home == f"${VARIABLE}":
        yield Naming(statement, "path", text_of(value), home)


def in_string(node: ast.expr, text: str) -> Iterator[Naming]:
    """Yield the old Spark that a string names: by its Py4J, in a command, or for one."""
    py4j, home = old_py4j(text), _HOME.search(text)
    # most strings have none, and some are long
    command = _SUBMIT.search(text) if "-submit" in text else None
    if py4j is not None:
        yield Naming(node, "path", py4j.group(), text, False)
    elif home is not None and names_old(home["path"]):
        yield Naming(node, "variable", home.group(), home["path"], False)
    elif command is not None and not _OF_JVM.search(text):
        folder = re.split(r"[/\\](?=[^/\\]+\Z)", command.group())[0]
        if names_old(folder):
            yield Naming(node, "command", command.group(), folder, False)


def in_pairs(node: ast.AST, values: PathValues) -> Iterator[Naming]:
    """Yield the old Spark that a dict, an argument or a call names for the environment."""
    pairs: list[tuple[object, ast.expr]] = []
    match node:
        case ast.Dict(keys=keys, values=items):
            pairs = [(getattr(k, "value", None), v) for k, v in zip(keys, items, strict=True)]
        case ast.keyword(arg=key, value=value):
            pairs = [(key, value)]
        case ast.Call(args=[ast.Constant(value=key), value]):
            pairs = [(key, value)]
    for name, value in pairs:
        if name == VARIABLE or (isinstance(name, str) and name.endswith(f"Env.{VARIABLE}")):
            path = values.path(value)
            if path is not None and names_old(path):
                yield Naming(value, "variable", f"{name}={text_of(value)}", path)


_HINT = re.compile(r"findspark|SPARK_HOME|py4j-|spark[^\n]*[/\\]python|[/\\]spark[123]?-submit")
_QUOTED = re.compile(r"[\"']SPARK_HOME[\"']")
_CLUSTER = re.compile(r"(?:yarn|mesos://|spark://|k8s://)")
_CAVEAT = (
    "findspark also let the workers run the driver's Python: name it in PYSPARK_PYTHON if the "
    "cluster's differs"
)


class SparkHomes:
    """Collects the events of a unit."""

    def __init__(self, unit: Unit, program: Program) -> None:
        self.unit = unit
        self.program = program

    def unit_events(self) -> Iterator[Event]:
        """Yield every statement that names a Spark, and every other one that reads `SPARK_HOME`."""
        # few programs do
        if not any(_HINT.search(chunk.text) for chunk in self.unit.chunks):
            return
        values = PathValues(self.unit)
        found_namings = [
            n for block in blocks(self.unit) for s in block for n in namings(s, values)
        ]
        together = self._together(found_namings, values)
        inside = {child for s in together for child in ast.walk(s)}
        reads = [node for node in self._reads() if node not in inside]
        if reads or (together and self._is_read_elsewhere()):
            # the variable has to stay, and all that sets it
            together = {
                s
                for n in found_namings
                if n.what == "path" and (s := n.removable_statement) is not None
            }
        edits = self._edits(together)
        dropped = {n.what for n in found_namings if n.node in together}
        caveat = _CAVEAT if "findspark" in dropped and self._on_cluster() else ""
        for naming in chain(found_namings, self._others(found_namings, together, values)):
            if naming.is_old:
                own = edits if naming.node in together else ()
                yield self._event(naming, own, caveat if own else "", not dropped <= {"path"})
            else:
                yield from self._not_old(naming)
        yield from (SparkHomeRead(self.unit.spot_of(n)) for n in reads)

    def _others(
        self, namings: list[Naming], together: set[ast.stmt], values: PathValues
    ) -> Iterator[Naming]:
        """Yield what names an old Spark within other statements, which stay."""
        statements = {n.node for n in namings} | together
        inside = {child for statement in statements for child in ast.walk(statement)}
        texts = {n.value for n in self.unit.nodes() if isinstance(n, ast.Expr)}
        for node in self.unit.nodes():
            if node in inside:
                continue
            match node:
                case ast.Call() if values.dotted_path(node.func) == "findspark.init":
                    yield call_of_findspark(node, node, values)
                case ast.Constant(value=str(text)) if node not in texts:
                    yield from in_string(node, text)
                case _ if values.variable_read(node) is None:
                    yield from in_pairs(node, values)

    def _together(self, namings: list[Naming], values: PathValues) -> set[ast.stmt]:
        """Return the statements that name an old Spark, and variables that only they read."""
        variables = {
            statement: name
            for block in blocks(self.unit)
            for statement in block
            if (name := _variable_of_home(statement, values)) is not None
        }
        going = {
            s for n in namings if n.is_old and (s := n.removable_statement) is not None
        } | variables.keys()
        while statements_left := {
            s for s, name in variables.items() if s in going and self._stays(name, going)
        }:
            going -= statements_left
        return going

    def _stays(self, name: str, going: set[ast.stmt]) -> bool:
        """Return whether a variable is read by other statements, or by none of those that go."""
        inside = {child for statement in going for child in ast.walk(statement)}
        mentions = [
            node
            for node in self.unit.nodes()
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and name in node.value
        ]
        is_used = sum(node in inside for node in mentions) > 1
        is_read = any(node not in inside for node in mentions)
        return is_read or not is_used or any(name in text for text in self.unit.unread)

    def _importers(self) -> Iterator[str]:
        """Yield the texts of the modules that import this one."""
        project = self.program.project
        for file in (project.users or project.importers)(self.program.path):
            yield from self._texts(file)

    def _texts(self, file: str) -> Iterator[str]:
        project = self.program.project
        program = project.programs.get(file)
        # what has been inferred must not be read again
        unit = project.load(file) if program is None else program.unit
        if unit is not None and file != self.program.path:
            yield from (chunk.text for chunk in unit.chunks)

    def _is_read_elsewhere(self) -> bool:
        """Return whether a module of the same program names the variable."""
        project = self.program.project
        files = {*project.programs, *self._imported_files()}
        texts = chain(self._importers(), *map(self._texts, sorted(files)))
        return any(_QUOTED.search(text) for text in texts)

    def _imported_files(self) -> Iterator[str]:
        index = self.program.project.index
        for node in self.unit.nodes():
            match node:
                case ast.Import(names=names):
                    levels_and_names = [(0, alias.name) for alias in names]
                case ast.ImportFrom(module=module, level=level, names=names):
                    within = f"{module}." if module else ""
                    levels_and_names = [(level, within + alias.name) for alias in names]
                    levels_and_names.append((level, module or ""))
                case _:
                    continue
            for level, dotted in levels_and_names:
                file = index.resolve(self.program.path, level, dotted)
                if file is not None:
                    yield file

    def _reads(self) -> Iterator[ast.Constant]:
        """Yield the strings that name the variable, other than to set it or ask whether it is."""
        others: set[ast.AST] = {n.value for n in self.unit.nodes() if isinstance(n, ast.Expr)}
        for node in self.unit.nodes():
            match node:
                case (
                    ast.Compare(left=key, ops=[ast.In() | ast.NotIn()])
                    | ast.Assign(targets=[ast.Subscript(slice=key)])
                    | ast.Call(func=ast.Attribute(attr="setdefault"), args=[key, _])
                ):
                    others.add(key)
        for node in self.unit.nodes():
            match node:
                case ast.Constant(value=str(value)) if VARIABLE in value and node not in others:
                    yield node

    def _edits(self, together: set[ast.stmt]) -> tuple[TextEdit, ...]:
        """Return what drops statements, and the import of findspark if nothing else uses it."""
        if not together:
            return ()
        return dropping_edits(self.unit, together | self._unused_import(together))

    def _unused_import(self, together: set[ast.stmt]) -> set[ast.stmt]:
        imports: list[tuple[ast.stmt, str]] = []
        for node in self.unit.nodes():
            match node:
                case ast.Import(names=[ast.alias(name="findspark", asname=name)]):
                    imports.append((node, name or "findspark"))
                case ast.ImportFrom(
                    module="findspark", names=[ast.alias(name="init", asname=name)]
                ):
                    imports.append((node, name or "init"))
        inside = {child for statement in together for child in ast.walk(statement)}
        names = [n for n in self.unit.nodes() if isinstance(n, ast.Name)]
        used = {n.id for n in names if n in inside} - {n.id for n in names if n not in inside}
        return {s for s, name in imports if name in used}

    def _not_old(self, naming: Naming) -> Iterator[Event]:
        """Yield a Spark that is new, that is not known, or that is looked for."""
        if naming.follows:
            if naming.what == "findspark":
                yield self._event(replace(naming, what="search"))
        elif naming.path is None or naming.path.startswith("$"):
            # a path that is made of that of the installed package fits
            if "pyspark" not in naming.shown:
                yield self._event(naming)
        elif not describe_home(naming.path):
            edits = (
                ()
                if naming.removable_statement is None
                else self._edits({naming.removable_statement})
            )
            caveat = "a Spark 4 in that folder would not be used either"
            yield self._event(naming, edits, caveat, naming.what != "path")

    def _event(
        self,
        naming: Naming,
        edits: tuple[TextEdit, ...] = (),
        caveat: str = "",
        unsets: bool = False,
    ) -> SparkHome:
        at = self.unit.spot_of(naming.node)
        spark = "" if naming.path is None else describe_home(naming.path)
        is_old = naming.is_old
        return SparkHome(at, naming.what, naming.shown, spark, is_old, edits, caveat, unsets)

    def _on_cluster(self) -> bool:
        """Return whether the program names a cluster, but no Python for its workers."""
        constants = [n.value for n in self.unit.nodes() if isinstance(n, ast.Constant)]
        texts = [text for text in constants if isinstance(text, str)]
        return any(_CLUSTER.match(text) for text in texts) and "PYSPARK_PYTHON" not in texts


def _variable_of_home(statement: ast.stmt, values: PathValues) -> str | None:
    """Return the variable of the environment that a statement gives a path in an old Spark."""
    match statement:
        case ast.Assign(
            targets=[ast.Subscript(value=base, slice=ast.Constant(value=str(name)))], value=value
        ) if values.dotted_path(base) == "os.environ":
            path = values.path(value)
            # PYTHONPATH and PATH are read by others
            sets_home = name in (VARIABLE, "PATH", "PYTHONPATH") or ":" in (path or "")[3:]
            return name if path is not None and names_old(path) and not sets_home else None
    return None
