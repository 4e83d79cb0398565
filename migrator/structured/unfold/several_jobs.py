"""Jobs one after the other at the top of a module: each as if the others were not there.

In the place of another job stands a statement that does nothing but name what that job may change.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from migrator.infer.scopes import bindings, locals_of
from migrator.spark.kinds import STREAMING, Kind

from ..program.modules import SourceModule, own_nodes
from ..program.values import has_any
from .contexts import uses_context_around

BEGINS, ENDS, HIDES = "migrate begins", "migrate ends", "migrate hides"
_CONTEXTS = frozenset((Kind.SPARK_CONF, Kind.SPARK_CONTEXT, Kind.SPARK_SESSION, Kind.SQL_CONTEXT))
_DEFINITIONS = (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)


def jobs_apart(module: SourceModule) -> list[SourceModule] | None:
    """Return a module for each job; None if there is one only, or if their code overlaps."""
    owners = _Owners(module).by_statement()
    if owners is None:
        return None
    count = max(owners.values()) + 1
    return [_only(module, owners, job) for job in range(count)]


class _Owners:
    """Which statement at the top belongs to which job."""

    def __init__(self, module: SourceModule) -> None:
        self.module = module
        self.body = module.tree.body
        self.owners: dict[ast.stmt, int] = {}
        self.unfolded: set[ast.FunctionDef] = set()
        self.loaded = _loaded_names(module)

    def by_statement(self) -> dict[ast.stmt, int] | None:
        """Return the jobs of the statements that belong to one, by their numbers."""
        makers = [(statement, self._contexts(statement)) for statement in self.body]
        starts = [each for each, count in makers if count]
        if len(starts) < 2 or any(count > 1 for _, count in makers):
            return None
        self.owners = {start: job for job, start in enumerate(starts)}
        self._own_streams(starts)
        self._own_contexts(starts)
        self._fill()
        return self.owners if self._are_apart() else None

    def _contexts(self, statement: ast.stmt) -> int:
        calls = (node for node in ast.walk(statement) if isinstance(node, ast.Call))
        return sum(self.module.is_old(call.func, "StreamingContext") for call in calls)

    def _own_streams(self, starts: list[ast.stmt]) -> None:
        """Give statements with streams to the job that begins before them, or to the function that
        they have them from.
        """
        names = {start.name: start for start in starts if isinstance(start, ast.FunctionDef)}
        for statement in self.body:
            if statement in self.owners or isinstance(statement, _DEFINITIONS):
                continue
            called = [names[e] for e in self.loaded[statement] if e in names]
            # the code of a function of a context at the top takes the place of its call
            unfolded = [each for each in called if uses_context_around(self.module, each)]
            self.unfolded.update(unfolded)
            if unfolded or has_any(self.module, statement, STREAMING):
                plain = [e for e in starts if not isinstance(e, ast.FunctionDef)]
                before = [each for each in plain if each.lineno < statement.lineno]
                if called or before:
                    self.owners[statement] = self.owners[(called or before[-1:])[0]]

    def _own_contexts(self, starts: list[ast.stmt]) -> None:
        """Give contexts and settings to the job that is made of them, if each job has its own."""
        bound: dict[str, list[ast.stmt]] = {}
        for statement in self.body:
            if isinstance(statement, ast.Assign) and has_any(self.module, statement, _CONTEXTS):
                for name in stored_names(statement):
                    bound.setdefault(name, []).append(statement)
        several = {name: where for name, where in bound.items() if len(where) > 1}
        for statement in self.body:
            if statement in self.owners or isinstance(statement, _DEFINITIONS):
                continue
            if not (self.loaded[statement] | stored_names(statement)) & {*several}:
                continue
            is_made = stored_names(statement) & {*several}
            after = [start for start in starts if start.lineno > statement.lineno]
            before = [start for start in starts if start.lineno < statement.lineno]
            start = before[-1].lineno if before else 0
            stores = {each for name in self.loaded[statement] for each in several.get(name, ())}
            stores_between = [store for store in stores if start < store.lineno < statement.lineno]
            if (is_made or stores_between or not before) and after:
                self.owners[statement] = self.owners[after[0]]
            elif before:
                self.owners[statement] = self.owners[before[-1]]

    def _fill(self) -> None:
        """Give what stands between two statements of a job to it."""
        for job in {*self.owners.values()}:
            places = [n for n, each in enumerate(self.body) if self.owners.get(each) == job]
            for statement in self.body[places[0] : places[-1]]:
                if not isinstance(statement, _DEFINITIONS):
                    self.owners.setdefault(statement, job)

    def _are_apart(self) -> bool:
        """Return whether jobs do not overlap, and none uses what another one has."""
        run = [each for each in self.body if not isinstance(each, _DEFINITIONS)]
        order = [self.owners[each] for each in run if each in self.owners]
        if any(first > other for first, other in pairwise(order)):
            return False
        shared = {n for e in self.body if e not in self.owners for n in stored_names(e)}
        stored: dict[int, set[str]] = {}
        for statement, job in self.owners.items():
            stored.setdefault(job, set()).update(stored_names(statement))
            if statement in self.unfolded:
                # its names will be names at the top
                stored[job].update(locals_of(statement))
        functions = {e.name for e in self.owners if isinstance(e, ast.FunctionDef)}
        for statement in self.body:
            job = self.owners.get(statement, -1)
            # what belongs to no job may call a function that is one
            own = shared | (functions if job < 0 else stored[job])
            others = {n for other, names in stored.items() if other != job for n in names}
            if any(name in others - own for name in self.loaded[statement]):
                return False
            if job >= 0 and stored_names(statement) & shared:
                return False
        return True


def _only(module: SourceModule, owners: dict[ast.stmt, int], job: int) -> SourceModule:
    """Return a module with one of its jobs."""
    shared = {
        name
        for statement in module.tree.body
        if isinstance(statement, ast.Assign) and statement not in owners
        if not has_any(module, statement, STREAMING | _CONTEXTS)
        for name in stored_names(statement)
    }
    lines: list[tuple[str, int]] = []
    line = 1
    for run, statements in enumerate(_runs(module, owners)):
        first, last = module.first_comment(statements[0]), statements[-1].end_lineno or 0
        lines += _lines(module, line, first - 1)
        owner = owners[statements[0]]
        if owner == job:
            lines.append((f'("{BEGINS}", {run})', first))
            lines += _lines(module, first, last)
            lines.append((f'("{ENDS}", {run})', last))
        else:
            changed = sorted(_changeable_names(statements) & shared)
            parts = [f'"{HIDES}"', str(run), *(f"{each}.changed" for each in changed)]
            lines.append((f"({', '.join(parts)})", first))
        line = last + 1
    lines += _lines(module, line, len(module.lines))
    text = "".join(f"{each}\n" for each, _ in lines)
    origins = tuple(module.origins[n - 1] if module.origins else n for _, n in lines)
    return replace(module, text=text, tree=ast.parse(text), origins=origins)


def _runs(module: SourceModule, owners: dict[ast.stmt, int]) -> Iterator[list[ast.stmt]]:
    """Yield statements of one job that follow each other."""
    run: list[ast.stmt] = []
    for statement in module.tree.body:
        if run and owners.get(statement, -1) != owners[run[0]]:
            yield run
            run = []
        if statement in owners:
            run.append(statement)
    if run:
        yield run


def _changeable_names(statements: list[ast.stmt]) -> set[str]:
    """Return the names of objects that code may change: it uses members or items of them."""
    return {
        node.value.id
        for statement in statements
        for node in ast.walk(statement)
        if isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.value, ast.Name)
    }


def _lines(module: SourceModule, first: int, last: int) -> list[tuple[str, int]]:
    return [(module.lines[n - 1].rstrip("\n"), n) for n in range(first, last + 1)]


def stored_names(statement: ast.stmt) -> set[str]:
    """Return the names that a statement at the top binds there."""
    return {name for node in own_nodes([statement]) for name in bindings(node)}


def _loaded_names(module: SourceModule) -> dict[ast.stmt, set[str]]:
    """Return the names at the top of a module that each of its statements reads."""
    top = module.program.scopes[module.tree]
    inside = {node: statement for statement in module.tree.body for node in ast.walk(statement)}
    names_by_statement: dict[ast.stmt, set[str]] = {each: set() for each in module.tree.body}
    for name, scope in module.names_in(module.tree):
        if isinstance(name.ctx, ast.Load) and scope.owner_of(name.id) in (top, None):
            names_by_statement[inside[name]].add(name.id)
    return names_by_statement
