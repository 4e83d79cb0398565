"""Imports of packages: those that rewritten paths need, and `import pyspark` where it stays."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass

from migrator.edit.dotted_paths import Binding, Reference
from migrator.edit.edits import Edits
from migrator.edit.escapes import quoted_lines
from migrator.edit.importers import planned_module, users
from migrator.infer.program import Program, Scope
from migrator.infer.scopes import bindings, bound_name, imported_module
from migrator.source.python import Unit
from migrator.spark import api, names


def unconditional(node: ast.stmt, scope: Scope) -> bool:
    """Return whether a statement stands directly in the body of a scope, so that it always runs."""
    return not isinstance(scope.node, ast.Lambda) and node in scope.node.body


def binds_elsewhere(nodes: Iterable[ast.AST], name: str) -> int | None:
    """Return the line where anything but an import of the module of that name binds a name."""
    for node in nodes:
        if isinstance(node, ast.Import | ast.ImportFrom):
            is_bound = any(own_name.asname == name != own_name.name for own_name in node.names)
        else:
            is_bound = name in bindings(node)
        if is_bound:
            return getattr(node, "lineno", 1)
    return None


@dataclass(slots=True)
class ImportPart:
    """One name of an import statement that concerns us."""

    node: ast.Import | ast.ImportFrom
    index: int
    path: str
    binding: Binding
    problem: str | None = None
    detail: str = ""

    @property
    def alias(self) -> ast.alias:
        """The name in its statement."""
        return self.node.names[self.index]

    @property
    def binds_package(self) -> bool:
        """Whether it is `import pyspark.streaming`, which binds `pyspark` and fills it."""
        theirs = isinstance(self.node, ast.Import) and not self.path.startswith(api.COMPAT)
        return theirs and self.alias.asname is None


def as_statement(part: ImportPart, module: str) -> str:
    """Return the import of one name, as a statement of its own."""
    alias = part.alias
    renamed = f" as {alias.asname}" if alias.asname else ""
    if isinstance(part.node, ast.Import):
        return f"import {module}{renamed}"
    if module == api.COMPAT and part.path == api.ROOT:
        # `from pyspark import streaming`
        return f"import {module} as {alias.asname or alias.name}"
    return f"from {module} import {alias.name}{renamed}"


def in_compat(path: str) -> str:
    """Return a path into `pyspark.streaming` as one into dstream_compat."""
    return api.COMPAT + path[len(api.ROOT) :]


def add_missing(
    unit: Unit,
    program: Program,
    edits: Edits,
    references: list[Reference],
    served: set[Binding],
) -> None:
    """Add imports of dstream_compat behind those of `pyspark` that a path goes through.

    Parameters
    ----------
    references : list of Reference
        The paths that are rewritten.
    served : set of Binding
        The bindings whose own import becomes one of dstream_compat.
    """
    imports = [n for n in unit.nodes() if isinstance(n, ast.Import | ast.ImportFrom)]
    for (scope, name), modules in _needed_modules(
        unit, program, edits, imports, references, served
    ).items():
        places = [
            n for n in imports if program.facts.scopes.get(n) is scope and name in _package_names(n)
        ]
        first = next((n for n in places if unconditional(n, scope)), None)
        extra = [m for m in sorted(modules) if m != api.COMPAT]
        for node in [first] if first is not None else places:
            ours = any(api.in_streaming(a.name) and a.asname is None for a in node.names)
            new = extra if ours else extra or modules
            if new:
                edits.statement(node).after += [(m, None) for m in new]


def _package_names(node: ast.Import | ast.ImportFrom) -> set[str]:
    """Return the names that an import binds to a package."""
    of_package = isinstance(node, ast.Import) or imported_module(node) == "pyspark"
    return {bound_name(alias) for alias in node.names} if of_package else set()


def _needed_modules(
    unit: Unit,
    program: Program,
    edits: Edits,
    imports: list[ast.Import | ast.ImportFrom],
    references: list[Reference],
    served: set[Binding],
) -> dict[Binding, list[str]]:
    """Return the modules to import for each binding."""
    loaded = _loaded_modules(unit, program, edits, imports)
    modules_by_binding: dict[Binding, list[str]] = {}
    for reference in references:
        binding, needed = reference.binding, reference.module
        there = needed in loaded or needed.rpartition(".")[2] not in names.EXPLICIT
        if reference.through_alias and there:
            continue
        if there:
            # the package is enough, and bound already where an import of it takes this place
            needed = "" if binding in served else api.COMPAT
        modules = modules_by_binding.setdefault(binding, [])
        if needed and needed not in modules:
            modules.append(needed)
    return modules_by_binding


def _loaded_modules(
    unit: Unit, program: Program, edits: Edits, imports: list[ast.Import | ast.ImportFrom]
) -> set[str]:
    """Return modules of dstream_compat that the edited program will always have imported."""
    modules: set[str] = set()
    module = program.scopes[unit.tree]
    for node in imports:
        if not unconditional(node, module):
            continue
        paths = [a.name for a in node.names]
        if isinstance(node, ast.ImportFrom):
            paths = [imported_module(node)]
        for path in paths:
            moves = node in edits.statements and api.in_streaming(path)
            if moves or path.startswith(api.COMPAT):
                modules.add(api.COMPAT + api.canonical(path)[len(api.ROOT) :])
    return modules


def pyspark_stays(
    unit: Unit,
    program: Program,
    part: ImportPart,
    nodes: list[ast.Import | ast.ImportFrom],
    refs: list[Reference],
    has_pyspark: set[Binding],
) -> bool:
    """Return whether `pyspark` itself is used, here or by other
    modules, and nothing else imports it.

    Parameters
    ----------
    unit, program : Unit, Program
        The parsed source and what inference knows about it.
    part : ImportPart
        The import that moves.
    nodes : list of Import or ImportFrom
        All imports of the unit.
    refs : list of Reference
        The dotted paths that go through a module.
    has_pyspark : set of Binding
        The bindings for which an import of `pyspark` stays already.
    """
    if part.binding in has_pyspark:
        return False
    used = _lines_used(unit, part.binding[1], {r.root for r in refs})
    if not used and not _is_used_elsewhere(unit, program, part.binding):
        return False
    first = min(used, default=None)
    return not any(
        _binds_pyspark(node, index, part, first)
        for node in nodes
        if isinstance(node, ast.Import) and program.facts.scopes.get(node) is part.binding[0]
        for index in range(len(node.names))
    )


def _lines_used(unit: Unit, name: str, moves: set[ast.Name]) -> list[int]:
    """Return the lines that use a name, other than in the dotted paths that move."""
    used = [
        node.lineno
        for node in unit.nodes()
        if (isinstance(node, ast.Name) and node.id == name and node not in moves)
        # perhaps in `__all__`
        or (isinstance(node, ast.Constant) and node.value == name)
    ]
    return [*used, *quoted_lines(unit, name)]


def _binds_pyspark(node: ast.Import, index: int, part: ImportPart, first: int | None) -> bool:
    """Return whether another import binds the name of a part before the line that needs it."""
    scope, name = part.binding
    alias = node.names[index]
    if alias.asname is not None or alias.name.partition(".")[0] != name:
        return False
    same_node = node is part.node
    if api.in_streaming(alias.name):
        # an import of the same statement has been left as `pyspark` already
        return same_node and index < part.index
    if same_node and index == part.index:
        return False
    return (first is None or node.lineno <= first) and unconditional(node, scope)


def _is_used_elsewhere(unit: Unit, program: Program, binding: Binding) -> bool:
    """Return whether other modules of the tree get at a name."""
    scope, name = binding
    if scope is not program.module:
        return False
    # inference also follows names that are made at run time
    return name in program.demanded or bool(users(planned_module(unit, program), name))
