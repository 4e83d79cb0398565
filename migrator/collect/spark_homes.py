"""Finds where a program names the Spark that it takes, and what drops an old one.

All statements that name an old Spark are dropped together, with the names that only they read: a
part of them would leave a program that looks for a variable in vain.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from migrator.collect.dropped_statements import blocks, dropping_edits
from migrator.collect.path_values import PathValues
from migrator.collect.spark_namings import (
    VARIABLE,
    Naming,
    call_of_findspark,
    in_dict,
    in_string,
    namings,
    of_setting,
)
from migrator.infer.program import ANY, Program
from migrator.model.events import Event
from migrator.model.home_events import SparkHome, SparkHomeRead
from migrator.model.report import TextEdit
from migrator.source.python import Unit
from migrator.spark.homes import described, names_old

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
        self.keys: dict[ast.AST, bool] = {}

    def unit_events(self) -> Iterator[Event]:
        """Yield every statement that names a Spark, and every other one that reads `SPARK_HOME`."""
        # few programs do
        if not any(_HINT.search(chunk.text) for chunk in self.unit.chunks):
            return
        values = PathValues(self.unit)
        self.keys = dict(self._find_keys(values))
        found = [n for block in blocks(self.unit) for s in block for n in namings(s, values)]
        old = [n for n in found if n.is_old]
        together = self._together(old, values)
        inside = {child for s in together for child in ast.walk(s)}
        reads = [node for node in self._reads() if node not in inside]
        if reads or (together and self._is_read_elsewhere()):
            # the variable has to stay, and all that sets it
            together = {s for n in old if n.what == "path" and (s := n.dropped) is not None}
        edits = self._edits(together)
        dropped = {n.what for n in found if n.node in together}
        unsets = not dropped <= {"path"}
        caveat = _CAVEAT if "findspark" in dropped and self._on_cluster() else ""
        for naming in found:
            if naming.is_old:
                own = edits if naming.node in together else ()
                yield self._event(naming, own, caveat, unsets)
            else:
                yield from self._not_old(naming)
        yield from self._others(found, together, values)
        yield from (SparkHomeRead(self.unit.spot(n.lineno, n.col_offset)) for n in reads)

    def _others(
        self, found: list[Naming], together: set[ast.stmt], values: PathValues
    ) -> Iterator[Event]:
        """Yield what names an old Spark within other statements, which stay."""
        statements = {n.node for n in found} | together
        inside = {child for statement in statements for child in ast.walk(statement)}
        texts = {n.value for n in self.unit.nodes() if isinstance(n, ast.Expr)}
        starts = any("-submit" in chunk.text for chunk in self.unit.chunks)
        # an expression comes before its parts
        for node in self.unit.nodes():
            naming = None
            if node in inside:
                continue
            match node:
                case ast.Call(args=[ast.Constant(value=str(key)), value]) if key.endswith(
                    f"Env.{VARIABLE}"
                ):
                    naming = of_setting(key, value, values)
                case ast.Call() if values.dotted(node.func) == "findspark.init":
                    naming = call_of_findspark(node, node, values)
                case ast.Constant(value=str(text)) if node not in texts:
                    naming = in_string(node, text)
                case ast.BinOp() | ast.JoinedStr() if starts:
                    naming = in_string(node, values.path(node) or "")
                    inside |= set(ast.walk(node)) if naming is not None else set()
                case ast.Dict(keys=keys, values=items):
                    naming = in_dict(keys, items, values)
            if naming is not None and naming.is_old:
                yield self._event(naming, (), "")
            elif naming is not None:
                yield from self._not_old(naming)

    def _together(self, old: list[Naming], values: PathValues) -> set[ast.stmt]:
        """Return the statements that name an old Spark, and names that only they read."""
        going = {s for n in old if (s := n.dropped) is not None}
        named = {
            statement: name
            for block in blocks(self.unit)
            for statement in block
            if (name := self._names_home(statement, values)) is not None
        }
        going |= named.keys()
        while True:
            inside = {child for statement in going for child in ast.walk(statement)}
            used = {name for name in named.values() if _is_used(name, inside)}
            kept = {
                s
                for s, name in named.items()
                if s in going and (name not in used or self._is_read(name, inside))
            }
            if not kept:
                return going
            going -= kept

    def _names_home(self, statement: ast.stmt, values: PathValues) -> str | None:
        """Return the name or variable that a statement gives a path in an old Spark."""
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                found = f"name {name}"
            case ast.Assign(
                targets=[ast.Subscript(value=base, slice=ast.Constant(value=str(name)))],
                value=value,
            ) if name != VARIABLE and values.dotted(base) == "os.environ":
                found = f"variable {name}"
            case _:
                return None
        path = values.path(value)
        if path is None or not names_old(path):
            return None
        # PYTHONPATH and PATH are read by others
        known = name in ("PATH", "PYTHONPATH") or ":" in path[3:]
        return None if known else found

    def _is_read(self, name: str, inside: set[ast.AST]) -> bool:
        """Return whether something else may read a name or variable."""
        kind, _, own = name.partition(" ")
        texts = [*self.unit.unread, *(self._importers() if kind == "name" else ())]
        if any(own in text for text in texts):
            return True
        if kind == "name" and {own, ANY} & self.program.demanded:
            return True
        others = (node for node in self.unit.nodes() if node not in inside)
        if kind == "name":
            others = (node for node in others if node not in self.keys)
        return any(_reads(node, kind, own) for node in others)

    def _importers(self) -> Iterator[str]:
        """Yield the texts of the modules that import this one."""
        project = self.program.project
        for file in (project.users or project.importers)(self.program.path):
            yield from self._texts(file)

    def _texts(self, file: str) -> Iterator[str]:
        project = self.program.project
        known = project.programs.get(file)
        # what has been inferred must not be read again
        unit = project.load(file) if known is None else known.unit
        if unit is not None and file != self.program.path:
            yield from (chunk.text for chunk in unit.chunks)

    def _is_read_elsewhere(self) -> bool:
        """Return whether a module of the same program names the variable."""
        project = self.program.project
        files = {*project.programs, *self._imported()}
        texts = chain(self._importers(), *map(self._texts, sorted(files)))
        return any(_QUOTED.search(text) for text in texts)

    def _imported(self) -> Iterator[str]:
        index = self.program.project.index
        for node in self.unit.nodes():
            match node:
                case ast.Import(names=names):
                    found = [(0, alias.name) for alias in names]
                case ast.ImportFrom(module=module, level=level, names=names):
                    within = f"{module}." if module else ""
                    found = [(level, within + alias.name) for alias in names]
                    found.append((level, module or ""))
                case _:
                    continue
            for level, dotted in found:
                place = index.find(self.program.path, level, dotted)
                file = None if place is None else index.file(place.path)
                if file is not None:
                    yield file

    def _find_keys(self, values: PathValues) -> Iterator[tuple[ast.AST, bool]]:
        """Yield strings that name variables of the environment, and whether they are read there."""
        for node in self.unit.nodes():
            match node:
                case ast.Compare(left=ast.Constant() as text, ops=[ast.In() | ast.NotIn()]):
                    yield text, False
                case ast.Assign(targets=[ast.Subscript(slice=ast.Constant() as text)]):
                    yield text, False
                case ast.Call(func=ast.Attribute(attr="setdefault"), args=[text, _]):
                    yield text, False
                case ast.Subscript(slice=key) if values.variable_read(node) is not None:
                    yield key, True
                case ast.Call(args=[key, *_]) if values.variable_read(node) is not None:
                    yield key, True

    def _reads(self) -> Iterator[ast.Constant]:
        """Yield the strings that name the variable, other than to ask whether it is set."""
        texts = {n.value for n in self.unit.nodes() if isinstance(n, ast.Expr)}
        for node in self.unit.nodes():
            match node:
                case ast.Constant(value=str(value)) if VARIABLE in value and node not in texts:
                    if self.keys.get(node, True):
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
        used = {n.id for n in inside if isinstance(n, ast.Name)}
        return {
            s for s, name in imports if name in used and not self._is_read(f"name {name}", inside)
        }

    def _not_old(self, naming: Naming) -> Iterator[Event]:
        """Yield a Spark that is new, that is not known, or that is looked for."""
        if naming.follows:
            if naming.what == "findspark":
                yield self._event(replace(naming, what="search"), (), "")
        elif naming.path is None or naming.path.startswith("$"):
            # a path that is made of that of the installed package fits
            if "pyspark" not in naming.shown:
                yield self._event(naming, (), "")
        elif not described(naming.path):
            edits = () if naming.dropped is None else self._edits({naming.dropped})
            caveat = "a Spark 4 in that folder would not be used either"
            yield self._event(naming, edits, caveat, naming.what != "path")

    def _event(
        self, naming: Naming, edits: tuple[TextEdit, ...], caveat: str, unsets: bool = False
    ) -> SparkHome:
        at = self.unit.spot(naming.node.lineno, naming.node.col_offset)
        spark = "" if naming.path is None else described(naming.path)
        is_old = naming.is_old
        return SparkHome(at, naming.what, naming.shown, spark, is_old, edits, caveat, unsets)

    def _on_cluster(self) -> bool:
        """Return whether the program names a cluster, but no Python for its workers."""
        constants = [n.value for n in self.unit.nodes() if isinstance(n, ast.Constant)]
        texts = [text for text in constants if isinstance(text, str)]
        return any(_CLUSTER.match(text) for text in texts) and "PYSPARK_PYTHON" not in texts


def _reads(node: ast.AST, kind: str, own: str) -> bool:
    """Return whether a node reads a name, or any name, or a variable of the environment."""
    match node:
        case ast.Name(id="globals" | "locals" | "vars" | "eval" | "exec"):
            return True
        case ast.Name(id=name, ctx=ast.Load() | ast.Del()):
            return kind == "name" and name == own
        case ast.Constant(value=str(text)):
            return own in text
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            return own in names
    return False


def _is_used(name: str, inside: set[ast.AST]) -> bool:
    kind, _, own = name.partition(" ")
    if kind == "name":
        return any(_reads(node, kind, own) for node in inside if isinstance(node, ast.Name))
    # it stands where the variable is set as well
    return sum(isinstance(n, ast.Constant) and n.value == own for n in inside) > 1
