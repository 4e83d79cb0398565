"""What other modules of the tree see of the names of a module."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from migrator.infer.program import Program
from migrator.infer.project import Project
from migrator.source.python import Unit
from migrator.source.runs import Run

# inference needs no modules without streams, so they are read here
_READ: WeakKeyDictionary[Project, dict[str, Unit | None]] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class Other:
    """Another module of the tree."""

    file: str
    unit: Unit


def importers(project: Project, file: str) -> Iterator[Other]:
    """The modules that import a module in some way, as far as they can be read."""
    for other in project.importers(file):
        unit = read(project, other)
        if unit is not None and other != file:
            yield Other(other, unit)


def read(project: Project, file: str) -> Unit | None:
    """A module of the tree, also one that inference did not need; None if it cannot be read."""
    program = project.programs.get(file)
    if program is not None and program.unit is not None:
        return program.unit
    seen = _READ.setdefault(project, {})
    if file not in seen:
        seen[file] = project.load(file)
    return seen[file]


def users(program: Program, name: str) -> list[Other]:
    """The modules that get at a global name of a module."""
    return [o for o in importers(program.project, program.path) if _sees(o, program, name)]


def gets_all(other: Other, program: Program, name: str) -> bool:
    """Whether a module gets a name of another, if it has it, without naming it."""
    index = program.project.index
    for node in other.unit.tree.body:
        if isinstance(node, Run):
            place = index.script(other.file, node.target)
            if place is not None and index.file(place.path) == program.path:
                return True
    stars = any(a.name == "*" for node in imports_from(other, program) for a in node.names)
    return stars and (program.unit is None or exports(program.unit, name))


def imports_from(other: Other, program: Program) -> Iterator[ast.ImportFrom]:
    """The statements by which a module imports names of another."""
    index = program.project.index
    for node in other.unit.nodes():
        if isinstance(node, ast.ImportFrom):
            place = index.find(other.file, node.level, node.module or "")
            if place is not None and index.file(place.path) == program.path:
                yield node


def exports(unit: Unit, name: str) -> bool:
    """Whether a star import of a module brings a name, as far as its text can tell."""
    listed = [n for n in unit.nodes() if isinstance(n, ast.Name) and n.id == "__all__"]
    if not listed:
        return not name.startswith("_")
    if len(listed) == 1:
        for node in unit.tree.body:
            match node:
                case ast.Assign(
                    targets=[ast.Name(id="__all__")],
                    value=ast.List(elts=names) | ast.Tuple(elts=names),
                ) if all(isinstance(element, ast.Constant) for element in names):
                    return any(ast.literal_eval(element) == name for element in names)
    return True


def _sees(other: Other, program: Program, name: str) -> bool:
    if gets_all(other, program, name):
        return True
    if any(a.name == name for node in imports_from(other, program) for a in node.names):
        return True
    # `mock.patch("deps.pyspark.SparkContext")`, `getattr(deps, "pyspark")`
    inside = re.compile(rf"\w\.{re.escape(name)}\b")
    for node in other.unit.nodes():
        match node:
            case ast.Attribute(attr=attr) if attr == name:
                return True
            case ast.Constant(value=str(text)) if text == name or inside.search(text):
                return True
    return False


def reading_line(other: Other, program: Program, name: str) -> int | None:
    """The line where a module that sees a package reads `.streaming` of it, if it does."""
    known = {
        alias.asname or alias.name
        for node in imports_from(other, program)
        for alias in node.names
        if alias.name == name
    }
    if gets_all(other, program, name):
        own = [n for n in other.unit.nodes() if isinstance(n, ast.Import)]
        if not any((a.asname or a.name.partition(".")[0]) == name for n in own for a in n.names):
            known.add(name)
    for node in other.unit.nodes():
        match node:
            case ast.Attribute(attr="streaming", value=ast.Attribute(attr=attr)) if attr == name:
                return node.lineno
            case ast.Attribute(attr="streaming", value=ast.Name(id=root)) if root in known:
                return node.lineno
    return None
