"""Plans how the imports of a unit move from `pyspark.streaming` to `dstream_compat`.

What is bound by one import moves as a whole or not at all: if one use of a binding cannot be
rewritten, its imports stay, and every part of it is reported with the reason.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from migrator.edit.bindings import binds_elsewhere, unconditional
from migrator.edit.edits import Edits, ExpressionEdit
from migrator.edit.missing import add_missing
from migrator.edit.names import name_problem
from migrator.edit.references import Binding, Reference, references
from migrator.events import Entry
from migrator.infer import api
from migrator.infer.program import Program
from migrator.infer.scopes import imported_module
from migrator.source.python import Unit


@dataclass(slots=True)
class Plan:
    """What to edit, and every import and reference with what becomes of it."""

    edits: Edits
    entries: list[Entry]


@dataclass(slots=True)
class _Import:
    """One name of an import statement that concerns us."""

    node: ast.Import | ast.ImportFrom
    index: int
    path: str
    binding: Binding
    problem: str | None = None
    detail: str = ""


@dataclass(slots=True)
class _Planner:
    unit: Unit
    program: Program
    edits: Edits = field(default_factory=Edits)
    entries: list[Entry] = field(default_factory=list)
    blocked: dict[Binding, str] = field(default_factory=dict)
    has_pyspark: set[Binding] = field(default_factory=set)

    def run(self) -> Plan:
        nodes = [n for n in self.unit.nodes() if isinstance(n, ast.Import | ast.ImportFrom)]
        imports = [part for node in nodes for part in self._parts(node)]
        found = list(references(self.unit, self.program.facts))
        for reference in found:
            if reference.problem is not None:
                self.blocked.setdefault(reference.binding, self._reason(reference))
        why_none = self._why_none(found)
        if why_none is not None:
            for binding in {r.binding for r in found} | {i.binding for i in imports}:
                self.blocked.setdefault(binding, why_none)
        self._from_imports(imports)
        self._plain_imports(imports, nodes, found)
        for reference in found:
            self._reference(reference)
        self.entries.sort(key=lambda e: e.at.order)
        return Plan(self.edits, self.entries)

    def _why_none(self, found: list[Reference]) -> str | None:
        """Why nothing of the whole unit can be moved."""
        taken = binds_elsewhere(self.unit.nodes(), api.COMPAT)
        if taken is not None:
            return f"the name {api.COMPAT} is bound to something else in line {taken}"
        # the patch is meant for every way into the module
        return next((self._reason(r) for r in found if r.problem == "patched"), None)

    def _reason(self, reference: Reference) -> str:
        """Why a use of a binding keeps all of it where it is."""
        at = self.unit.spot(reference.node.lineno, 0)
        where = f"line {at.line}" if at.cell is None else f"cell {at.cell}, line {at.line}"
        if reference.problem == "unknown-name":
            return f"dstream_compat has no `{reference.detail}` (used in {where})"
        return f"{reference.detail} ({where})"

    def _parts(self, node: ast.Import | ast.ImportFrom) -> Iterator[_Import]:
        scope = self.program.facts.scopes.get(node)
        if scope is None:
            # code that cannot be reached still has to import the right thing
            scope = self.program.scopes[self.unit.tree]
        for index, alias in enumerate(node.names):
            if isinstance(node, ast.Import):
                path, name = alias.name, alias.asname or alias.name.partition(".")[0]
            else:
                path, name = f"{imported_module(node)}.{alias.name}", alias.asname or alias.name
            if api.in_streaming(api.canonical(path)):
                problem, detail = name_problem(path, isinstance(node, ast.Import), self.unit)
                yield _Import(node, index, path, (scope, name), problem, detail)

    def _from_imports(self, imports: list[_Import]) -> None:
        by_node: dict[ast.AST, list[_Import]] = {}
        for part in imports:
            if isinstance(part.node, ast.ImportFrom):
                by_node.setdefault(part.node, []).append(part)
        for parts in by_node.values():
            node = parts[0].node
            assert isinstance(node, ast.ImportFrom)
            written = imported_module(node)
            if written.startswith(api.COMPAT):
                self._add_entries(parts, None)
                continue
            if self._blocked_by(parts):
                continue
            edit = self.edits.statement(node)
            if written == "pyspark":
                for part in parts:
                    alias = node.names[part.index]
                    edit.dropped.add(part.index)
                    edit.after.append((api.COMPAT, alias.asname or alias.name))
                self._add_entries(parts, api.COMPAT)
            else:
                edit.module = _moved(written)
                self._add_entries(parts, edit.module)

    def _blocked_by(self, parts: list[_Import]) -> bool:
        """Reports the parts of a statement that has to stay, if one of them has a problem."""
        own = [p for p in parts if p.problem is not None]
        bindings = [self.blocked[p.binding] for p in parts if p.binding in self.blocked]
        if not own and not bindings:
            return False
        for part in parts:
            if part.problem is not None:
                self._entry(part, None, part.problem, part.detail)
            elif own:
                detail = f"its statement also imports `{own[0].detail}`"
                if own[0].problem == "star":
                    detail = own[0].detail
                self._entry(part, None, "blocked", detail)
            else:
                self._entry(part, None, "blocked", bindings[0])
        return True

    def _plain_imports(
        self,
        imports: list[_Import],
        nodes: list[ast.Import | ast.ImportFrom],
        found: list[Reference],
    ) -> None:
        served: set[Binding] = set()
        for part in imports:
            if not isinstance(part.node, ast.Import):
                continue
            alias = part.node.names[part.index]
            if part.path.startswith(api.COMPAT):
                self._add_entries([part], None)
                binding = (part.binding[0], "pyspark")
                if alias.asname is None and self._comes_first(part.node, binding, found):
                    served.add(binding)
            elif part.problem is not None:
                self._entry(part, None, part.problem, part.detail)
            elif part.binding in self.blocked:
                self._entry(part, None, "blocked", self.blocked[part.binding])
            else:
                edit = self.edits.statement(part.node)
                moved = _moved(part.path)
                self._add_entries([part], moved)
                if alias.asname is None and self._still_needed(part, nodes, found):
                    if unconditional(part.node, part.binding[0]):
                        self.has_pyspark.add(part.binding)
                    edit.renamed[part.index] = "pyspark"
                    edit.after.append((moved, None))
                else:
                    edit.renamed[part.index] = moved
                if alias.asname is None and self._comes_first(part.node, part.binding, found):
                    served.add(part.binding)
        needed = [r for r in found if r.rewritable or r.through_alias]
        needed = [r for r in needed if r.binding not in self.blocked]
        add_missing(self.unit, self.program, self.edits, needed, served)

    def _comes_first(self, node: ast.stmt, binding: Binding, found: list[Reference]) -> bool:
        """Whether an import always runs, and stands before every path through its name."""
        lines = [r.node.lineno for r in found if r.binding == binding]
        return unconditional(node, binding[0]) and all(node.lineno <= line for line in lines)

    def _still_needed(
        self,
        part: _Import,
        nodes: list[ast.Import | ast.ImportFrom],
        found: list[Reference],
    ) -> bool:
        """Whether `pyspark` itself is used and nothing else imports it."""
        scope, name = part.binding
        moved = {r.root for r in found}
        used = [
            n.lineno
            for n in self.unit.nodes()
            if (isinstance(n, ast.Name) and n.id == name and n not in moved)
            # perhaps in `__all__`
            or (isinstance(n, ast.Constant) and n.value == name)
        ]
        if part.binding in self.has_pyspark or not used:
            return False
        for node in nodes:
            if not isinstance(node, ast.Import) or self.program.facts.scopes.get(node) is not scope:
                continue
            for index, alias in enumerate(node.names):
                binds = alias.asname is None and alias.name.partition(".")[0] == name
                ours = api.in_streaming(alias.name)
                here = node is part.node and index == part.index
                in_time = node.lineno <= min(used) and unconditional(node, scope)
                if binds and not ours and not here and in_time:
                    return False
                if binds and ours and node is part.node and index < part.index:
                    return False
        return True

    def _reference(self, reference: Reference) -> None:
        """Rewrites one dotted path, or says why not."""
        at = self.unit.spot(reference.node.lineno, reference.node.col_offset)
        before = reference.path
        if reference.problem is not None:
            detail = reference.detail
            self.entries.append(
                Entry(at, "reference", reference.path, before, None, reference.problem, detail)
            )
        elif not reference.rewritable:
            return
        elif reference.binding in self.blocked:
            detail = self.blocked[reference.binding]
            self.entries.append(
                Entry(at, "reference", reference.path, before, None, "blocked", detail)
            )
        else:
            self.edits.expressions[reference.node] = ExpressionEdit(reference.node, api.COMPAT)
            after = _moved(reference.path)
            self.entries.append(Entry(at, "reference", reference.path, before, after))

    def _add_entries(self, parts: list[_Import], module: str | None) -> None:
        """Entries for names that move to a module, or that are there already (None)."""
        for part in parts:
            if part.problem is not None:
                self._entry(part, None, part.problem, part.detail)
            else:
                self._entry(part, module and _written(part, module), None, "")

    def _entry(self, part: _Import, after: str | None, problem: str | None, detail: str) -> None:
        alias = part.node.names[part.index]
        at = self.unit.spot(alias.lineno, alias.col_offset)
        module = imported_module(part.node) if isinstance(part.node, ast.ImportFrom) else alias.name
        before = _written(part, module)
        path = api.canonical(part.path) if part.path.startswith(api.COMPAT) else part.path
        self.entries.append(Entry(at, "import", path, before, after, problem, detail))


def _written(part: _Import, module: str) -> str:
    """The import of one name, as a statement of its own."""
    alias = part.node.names[part.index]
    renamed = f" as {alias.asname}" if alias.asname else ""
    if isinstance(part.node, ast.Import):
        return f"import {module}{renamed}"
    if module == api.COMPAT and part.path == api.ROOT:
        # `from pyspark import streaming`
        return f"import {module} as {alias.asname or alias.name}"
    return f"from {module} import {alias.name}{renamed}"


def plan(unit: Unit, program: Program) -> Plan:
    """Plans the edits of a unit.

    Parameters: unit, the parsed source; program, what inference knows about it.
    Returns: the edits, and an entry for each import and dotted path, rewritten or not.
    """
    return _Planner(unit, program).run()


def _moved(path: str) -> str:
    return api.COMPAT + path[len(api.ROOT) :]
