"""Plans how the imports of a unit move from `pyspark.streaming` to `dstream_compat`.

What is bound by one import moves as a whole or not at all: if one use of a binding cannot be
rewritten, its imports stay, and every part of it is reported with the reason.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from migrator.edit.dotted_paths import Binding, Reference, UnprovenPath, references, unproven_paths
from migrator.edit.importers import (
    evaluated_lines,
    name_problem,
    planned_module,
    quoted_lines,
    use_in_other_module,
    users,
    value_use,
    why_visible,
)
from migrator.edit.rewrite import Edits, ExpressionEdit
from migrator.infer.modules import spark_module
from migrator.infer.program import Program, Scope
from migrator.infer.scopes import bindings, bound_name, imported_module
from migrator.model.events import PackageUse
from migrator.model.findings import shown_place
from migrator.source.python import Unit
from migrator.spark import api, names

# Imports of packages: those that rewritten paths need, and `import pyspark` where it stays.


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
    unit: Unit, program: Program, edits: Edits, references: list[Reference], served: set[Binding]
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


@dataclass(slots=True)
class Plan:
    """What to edit, and every import and reference with what becomes of it."""

    edits: Edits
    entries: list[PackageUse]


@dataclass(slots=True)
class _Planner:
    unit: Unit
    program: Program
    edits: Edits = field(default_factory=Edits)
    entries: list[PackageUse] = field(default_factory=list)
    blocked: dict[Binding, str] = field(default_factory=dict)
    visible: set[Binding] = field(default_factory=set)
    has_pyspark: set[Binding] = field(default_factory=set)

    def run(self) -> Plan:
        nodes = [n for n in self.unit.nodes() if isinstance(n, ast.Import | ast.ImportFrom)]
        imports = [part for node in nodes for part in self._parts(node)]
        refs = list(references(self.unit, self.program.facts))
        for reference in refs:
            if reference.problem is not None:
                self.blocked.setdefault(reference.binding, self._reason(reference))
        left = self._unproven_paths(nodes, refs)
        self._keep_visible_packages(imports, refs, left)
        why_none = self._why_none(refs)
        if why_none is not None:
            for binding in {r.binding for r in refs} | {i.binding for i in imports}:
                self.blocked.setdefault(binding, why_none)
        self._from_imports(imports)
        self._plain_imports(imports, nodes, refs)
        for reference in refs:
            self._reference(reference)
        for use in left:
            at = self.unit.spot_of(use.node)
            self.entries.append(
                PackageUse(at, "reference", use.path, use.path, None, "indirect", use.detail)
            )
        self.entries.sort(key=lambda e: e.at.order)
        return Plan(self.edits, self.entries)

    def _why_none(self, refs: list[Reference]) -> str | None:
        """Return why nothing of the whole unit can be moved."""
        taken = binds_elsewhere(self.unit.nodes(), api.COMPAT)
        if taken is not None:
            return f"the name {api.COMPAT} is bound to something else in line {taken}"
        # the patch is meant for every way into the module
        return next((self._reason(r) for r in refs if r.problem == "patched"), None)

    def _unproven_paths(
        self, nodes: list[ast.Import | ast.ImportFrom], refs: list[Reference]
    ) -> list[UnprovenPath]:
        """Return uses of the package that stay; uncertain ones only beside an import of it."""
        left = list(unproven_paths(self.unit, self.program.facts, refs))
        paths = (
            imported_module(n) if isinstance(n, ast.ImportFrom) else alias.name
            for n in nodes
            for alias in n.names
        )
        theirs = any(path.partition(".")[0] == "pyspark" for path in paths)
        return [use for use in left if theirs or use.sure]

    def _keep_visible_packages(
        self, imports: list[ImportPart], refs: list[Reference], left: list[UnprovenPath]
    ) -> None:
        """Keep imports of the package that code other than the moved paths can see."""
        package = [part for part in imports if part.binds_package]
        if not package:
            return
        stays = [(use.node.lineno, use.detail) for use in left]
        stays += [(r.node.lineno, r.detail) for r in refs if r.problem == "indirect"]
        stays += [
            (n, "text that names it is run as code") for n in evaluated_lines(self.unit, api.ROOT)
        ]
        handed = value_use(self.unit, self.program)
        for part in package:
            if part.binding in self.blocked:
                continue
            why = why_visible(self.unit, part.binding) or handed or min(stays, default=None)
            why = why or use_in_other_module(self.unit, self.program, part.binding)
            if why is not None:
                line, detail = why
                where = "" if line is None else f" ({self._where(line)})"
                self.blocked[part.binding] = detail + where
                self.visible.add(part.binding)

    def _where(self, line: int) -> str:
        return shown_place(self.unit.spot(line, 0))

    def _reason(self, reference: Reference) -> str:
        """Return why a use of a binding keeps all of it where it is."""
        where = self._where(reference.node.lineno)
        if reference.problem == "unknown-name":
            return f"dstream_compat has no `{reference.detail}` (used in {where})"
        return f"{reference.detail} ({where})"

    def _parts(self, node: ast.Import | ast.ImportFrom) -> Iterator[ImportPart]:
        scope = self.program.facts.scopes.get(node)
        if scope is None:
            # code that cannot be reached still has to import the right thing
            scope = self.program.scopes[self.unit.tree]
        module = planned_module(self.unit, self.program)
        for index, alias in enumerate(node.names):
            path, name = alias.name, bound_name(alias)
            if isinstance(node, ast.ImportFrom):
                path = f"{spark_module(self.program, node)}.{path}"
            if api.in_streaming(api.canonical(path)):
                problem, detail = name_problem(path, isinstance(node, ast.Import), module)
                yield ImportPart(node, index, path, (scope, name), problem, detail)

    def _from_imports(self, imports: list[ImportPart]) -> None:
        by_node: dict[ast.AST, list[ImportPart]] = {}
        for part in imports:
            if isinstance(part.node, ast.ImportFrom):
                by_node.setdefault(part.node, []).append(part)
        for parts in by_node.values():
            node = parts[0].node
            assert isinstance(node, ast.ImportFrom)
            written = spark_module(self.program, node)
            if written.startswith(api.COMPAT):
                self._add_uses(parts, None)
                continue
            if self._report_if_blocked(parts):
                continue
            edit = self.edits.statement(node)
            if written == "pyspark":
                for part in parts:
                    alias = node.names[part.index]
                    edit.dropped.add(part.index)
                    edit.after.append((api.COMPAT, bound_name(alias)))
                self._add_uses(parts, api.COMPAT)
            else:
                edit.module = in_compat(written)
                self._add_uses(parts, edit.module)

    def _report_if_blocked(self, parts: list[ImportPart]) -> bool:
        """Report the parts of a statement that has to stay, if one of them has a problem."""
        own = [p for p in parts if p.problem is not None]
        bindings = [self.blocked[p.binding] for p in parts if p.binding in self.blocked]
        if not own and not bindings:
            return False
        for part in parts:
            if part.problem is not None:
                self._add_use(part, None, part.problem, part.detail)
            elif own:
                detail = f"its statement also imports `{own[0].detail}`"
                if own[0].problem == "star":
                    detail = own[0].detail
                self._add_use(part, None, "blocked", detail)
            else:
                self._add_use(part, None, "blocked", bindings[0])
        return True

    def _plain_imports(
        self,
        imports: list[ImportPart],
        nodes: list[ast.Import | ast.ImportFrom],
        refs: list[Reference],
    ) -> None:
        served: set[Binding] = set()
        for part in imports:
            if not isinstance(part.node, ast.Import):
                continue
            alias = part.node.names[part.index]
            if part.path.startswith(api.COMPAT):
                self._add_uses([part], None)
                binding = (part.binding[0], "pyspark")
                if alias.asname is None and self._comes_first(part.node, binding, refs):
                    served.add(binding)
            elif part.problem is not None:
                self._add_use(part, None, part.problem, part.detail)
            elif part.binding in self.blocked:
                problem = "visible" if part.binding in self.visible else "blocked"
                self._add_use(part, None, problem, self.blocked[part.binding])
            else:
                edit = self.edits.statement(part.node)
                moved = in_compat(part.path)
                self._add_uses([part], moved)
                if alias.asname is None and pyspark_stays(
                    self.unit, self.program, part, nodes, refs, self.has_pyspark
                ):
                    if unconditional(part.node, part.binding[0]):
                        self.has_pyspark.add(part.binding)
                    edit.renamed[part.index] = "pyspark"
                    edit.after.append((moved, None))
                else:
                    edit.renamed[part.index] = moved
                if alias.asname is None and self._comes_first(part.node, part.binding, refs):
                    served.add(part.binding)
        needed = [r for r in refs if r.rewritable or r.through_alias]
        needed = [r for r in needed if r.binding not in self.blocked]
        add_missing(self.unit, self.program, self.edits, needed, served)

    def _comes_first(self, node: ast.stmt, binding: Binding, refs: list[Reference]) -> bool:
        """Return whether an import always runs, and stands before every path through its name."""
        lines = [r.node.lineno for r in refs if r.binding == binding]
        return unconditional(node, binding[0]) and all(node.lineno <= line for line in lines)

    def _reference(self, reference: Reference) -> None:
        """Rewrite one dotted path, or say why not."""
        at = self.unit.spot_of(reference.node)
        path, problem, detail, after = reference.path, reference.problem, reference.detail, None
        if problem is None and not reference.rewritable:
            return
        if problem is None and reference.binding in self.blocked:
            problem, detail = "blocked", self.blocked[reference.binding]
        elif problem is None:
            self.edits.expressions[reference.node] = ExpressionEdit(reference.node, api.COMPAT)
            after = in_compat(path)
        self.entries.append(PackageUse(at, "reference", path, path, after, problem, detail))

    def _add_uses(self, parts: list[ImportPart], module: str | None) -> None:
        """Add entries for names that move to a module, or that are there already (None)."""
        for part in parts:
            if part.problem is not None:
                self._add_use(part, None, part.problem, part.detail)
            else:
                self._add_use(part, module and as_statement(part, module), None, "")

    def _add_use(
        self, part: ImportPart, after: str | None, problem: str | None, detail: str
    ) -> None:
        alias = part.node.names[part.index]
        at = self.unit.spot_of(alias)
        module = imported_module(part.node) if isinstance(part.node, ast.ImportFrom) else alias.name
        before = as_statement(part, module)
        path = api.canonical(part.path) if part.path.startswith(api.COMPAT) else part.path
        self.entries.append(PackageUse(at, "import", path, before, after, problem, detail))


def plan(unit: Unit, program: Program) -> Plan:
    """Plan the edits of a unit, with an entry for each import and dotted path, rewritten or not."""
    return _Planner(unit, program).run()
