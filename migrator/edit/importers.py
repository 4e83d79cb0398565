"""Finds the modules of the tree that see the names of a module."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from migrator.infer.program import Program
from migrator.infer.project import Project
from migrator.model.locate import ModulePlace
from migrator.source.magics import RunMagic
from migrator.source.python import Unit

# inference needs no modules without streams, so they are read here
_READ: WeakKeyDictionary[Project, dict[str, Unit | None]] = WeakKeyDictionary()


@dataclass(frozen=True, eq=False, slots=True)
class OtherModule:
    """A module of the tree by its file, read but not necessarily inferred."""

    project: Project
    file: str
    unit: Unit

    def is_at(self, place: ModulePlace | None) -> bool:
        """Return whether an import that leads to a place means this module."""
        return place is not None and self.project.index.file(place.path) == self.file


def planned_module(unit: Unit, program: Program) -> OtherModule:
    """Return the module that is being planned."""
    return OtherModule(program.project, program.path, unit)


def other_module(project: Project, file: str) -> OtherModule | None:
    """Return a module of the tree, also one without inference; None if it cannot be read."""
    program = project.programs.get(file)
    if program is not None and program.unit is not None:
        return OtherModule(project, file, program.unit)
    seen = _READ.setdefault(project, {})
    if file not in seen:
        seen[file] = project.load(file)
    unit = seen[file]
    return None if unit is None else OtherModule(project, file, unit)


def importers(target: OtherModule) -> Iterator[OtherModule]:
    """Yield the modules that import a module in some way, as far as they can be read."""
    project = target.project
    for file in (project.users or project.importers)(target.file):
        other = other_module(project, file) if file != target.file else None
        if other is not None:
            yield other


def users(target: OtherModule, name: str) -> list[OtherModule]:
    """Return the modules that get at a global name of a module."""
    return [other for other in importers(target) if _sees(other, target, name)]


def gets_every_name(other: OtherModule, target: OtherModule, name: str) -> bool:
    """Return whether a module gets all names of another, by a star import or `%run`."""
    index = target.project.index
    for node in other.unit.tree.body:
        if isinstance(node, RunMagic) and target.is_at(index.script(other.file, node.target)):
            return True
    stars = any(alias.name == "*" for alias in imported_names(other, target))
    return stars and exports(target.unit, name)


def imported_names(other: OtherModule, target: OtherModule) -> Iterator[ast.alias]:
    """Yield what a module imports from another by `from ... import`."""
    index = target.project.index
    for node in other.unit.nodes():
        if isinstance(node, ast.ImportFrom) and target.is_at(
            index.find(other.file, node.level, node.module or "")
        ):
            yield from node.names


def exports(unit: Unit, name: str) -> bool:
    """Return whether a star import of a module brings a name, as far as its text shows."""
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


def _sees(other: OtherModule, target: OtherModule, name: str) -> bool:
    if gets_every_name(other, target, name):
        return True
    if any(alias.name == name for alias in imported_names(other, target)):
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
