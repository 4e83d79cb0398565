"""Decides whether other code can see the name that `import pyspark.streaming` binds.

Code that gets the module as a value may read `.streaming` of it, which works only as long as the
import stays. So does text that Python evaluates: annotations in quotes, what `eval` is given.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from migrator.edit.dotted_paths import Binding
from migrator.edit.importers import (
    OtherModule,
    gets_every_name,
    imported_names,
    planned_module,
    users,
)
from migrator.infer.program import Program, Scope
from migrator.infer.scopes import bound_name
from migrator.model.places import shown_place
from migrator.source.child_nodes import parents_of
from migrator.source.python import Unit

_RUNNERS = frozenset({"eval", "exec", "compile"})
# builtins that only look at what they are given
_LOOKS = frozenset({"print", "repr", "str", "id", "type", "bool", "isinstance", "dir", "help"})


def evaluated_lines(unit: Unit, path: str) -> Iterator[int]:
    """Yield the lines in which `eval` or `exec` is given a text with a dotted path."""
    for node in unit.nodes():
        match node:
            case ast.Call(func=ast.Name(id=function), args=[text, *_]) if function in _RUNNERS:
                if _mentions(text, path):
                    yield node.lineno


def quoted_lines(unit: Unit, path: str) -> Iterator[int]:
    """Yield the same, and the lines of annotations in quotes that contain the path."""
    yield from evaluated_lines(unit, path)
    for node in unit.nodes():
        match node:
            case ast.arg(annotation=ast.expr() as text) | ast.AnnAssign(annotation=text):
                end_text: ast.expr | None = text
            case ast.FunctionDef(returns=text) | ast.AsyncFunctionDef(returns=text):
                end_text = text
            case ast.Call(func=ast.Name(id="cast") | ast.Attribute(attr="cast"), args=[text, _]):
                end_text = text
            case _:
                continue
        if end_text is not None and _mentions(end_text, path):
            yield end_text.lineno


def _mentions(node: ast.expr, path: str) -> bool:
    pattern = re.compile(rf"(?<![\w.]){re.escape(path)}\b")
    parts = (n.value for n in ast.walk(node) if isinstance(n, ast.Constant))
    return any(isinstance(text, str) and pattern.search(text) for text in parts)


def why_visible(unit: Unit, binding: Binding) -> tuple[int | None, str] | None:
    """Return why the name of an import can be seen by more than the code below the import.

    Returns
    -------
    tuple[int | None, str] | None
        The line and what is done there (no line: the import itself), None if nothing is.
    """
    scope, name = binding
    if scope.is_class:
        return None, f"`{name}` becomes an attribute of the class `{_name(scope)}`"
    for node in unit.nodes():
        if isinstance(node, ast.Global | ast.Nonlocal) and name in node.names:
            kind = "global" if isinstance(node, ast.Global) else "nonlocal"
            return node.lineno, f"`{name}` is declared {kind}"
    return None


def value_use(unit: Unit, program: Program) -> tuple[int, str] | None:
    """Return where the package itself is used as a value: the line and the reason to show."""
    names: dict[str, list[Scope]] = {}
    for node in unit.nodes():
        scope = program.facts.scopes.get(node) if isinstance(node, ast.Import) else None
        if isinstance(node, ast.Import) and scope is not None:
            for alias in node.names:
                if alias.name.partition(".")[0] != "pyspark":
                    continue
                if alias.asname is None or alias.name == "pyspark":
                    names.setdefault(alias.asname or "pyspark", []).append(scope)
    first_use = min(escaping_uses(unit, program, names), key=lambda n: n.lineno, default=None)
    return (
        None
        if first_use is None
        else (first_use.lineno, f"`{first_use.id}` itself is used as a value")
    )


def _name(scope: Scope) -> str:
    return scope.node.name if isinstance(scope.node, ast.ClassDef) else ""


def escaping_uses(
    unit: Unit, program: Program | None, names: dict[str, list[Scope]]
) -> Iterator[ast.Name]:
    """Yield uses of names as values, which other code can keep.

    Parameters
    ----------
    program : Program, optional
        None for a module that inference does not know.
    names : dict of str to list of Scope
        The names with the scopes in which they live.
    """
    uses = [
        node
        for node in unit.nodes()
        if isinstance(node, ast.Name) and node.id in names and isinstance(node.ctx, ast.Load)
    ]
    if not uses:
        return
    parents = parents_of(unit.tree)
    for node in uses:
        here = None if program is None else _scope_at(node, parents, program)
        owner = None if here is None else here.owner_of(node.id)
        if (owner is None or owner in names[node.id]) and not _is_only_inspected(
            node, parents, here
        ):
            yield node


def _scope_at(node: ast.AST, parents: dict[ast.AST, ast.AST], program: Program) -> Scope:
    """Return the scope in which an expression is evaluated."""
    inner: ast.AST = node
    outer = parents.get(node)
    while outer is not None:
        match outer:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.Lambda():
                # defaults, annotations, decorators and bases belong to what is around
                body = outer.body
                inside = inner in body if isinstance(body, list) else inner is body
                scope = program.scopes.get(outer)
                if inside and scope is not None:
                    return scope
        inner, outer = outer, parents.get(outer)
    return program.module


def _is_only_inspected(
    node: ast.expr, parents: dict[ast.AST, ast.AST], scope: Scope | None
) -> bool:
    """Return whether the value of an expression is only inspected, not kept."""
    parent = parents.get(node)
    match parent:
        case ast.Attribute(attr=attr):
            return attr != "__dict__"
        case ast.Expr() | ast.Compare() | ast.FormattedValue() | ast.UnaryOp(op=ast.Not()):
            return True
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            return test is node
        case ast.Assert(test=test):
            return test is node
        case ast.BoolOp():
            return _is_only_inspected(parent, parents, scope)
        case ast.Call(func=ast.Name(id=function), args=[first, *rest]):
            own = scope is not None and scope.owner_of(function) is not None
            if own or node not in parent.args:
                return False
            if function in ("hasattr", "getattr") and first is node and rest:
                asked = rest[0]
                return isinstance(asked, ast.Constant) and asked.value != "streaming"
            return function in _LOOKS
    return False


def use_in_other_module(
    unit: Unit, program: Program, binding: Binding
) -> tuple[int | None, str] | None:
    """Return how another module reads `.streaming` of a package
    that this one imports, or hands it on.

    Returns
    -------
    tuple[int | None, str] | None
        No line (it is in another file) and what is done there, None if nothing is.
    """
    scope, name = binding
    if scope is not program.module:
        return None
    seen = {program.path}
    pending = [planned_module(unit, program)]
    while pending:
        target = pending.pop(0)
        for other in users(target, name):
            if other.file in seen:
                continue
            seen.add(other.file)
            line = min(_lines_of_use(other, target, name), default=None)
            if line is not None:
                place = shown_place(other.unit.spot(line, 0))
                return None, f"`{name}` of this module is used in {other.file}, {place}"
            if _passes_on(other, target, name):
                pending.append(other)
    return None


def _passes_on(other: OtherModule, target: OtherModule, name: str) -> bool:
    return gets_every_name(other, target, name) or any(
        alias.name == name and alias.asname is None for alias in imported_names(other, target)
    )


def _lines_of_use(other: OtherModule, target: OtherModule, name: str) -> Iterator[int]:
    """Yield the lines where a module uses a package that it has from another."""
    local_names = {a.asname or a.name for a in imported_names(other, target) if a.name == name}
    if gets_every_name(other, target, name) and not _imports(other, name):
        local_names.add(name)
    for node in other.unit.nodes():
        match node:
            case ast.Attribute(attr="streaming", value=ast.Attribute(attr=attr)) if attr == name:
                yield node.lineno
            case ast.Attribute(attr="streaming", value=ast.Name(id=root)) if root in local_names:
                yield node.lineno
            case _:
                continue
    program = other.project.programs.get(other.file)
    scopes = []
    if program is not None:
        nodes = (n for n in other.unit.nodes() if isinstance(n, ast.ImportFrom))
        scopes_of_use = (program.facts.scopes.get(node) for node in nodes)
        scopes = [program.module, *(scope for scope in scopes_of_use if scope is not None)]
    for use in escaping_uses(other.unit, program, dict.fromkeys(local_names, scopes)):
        yield use.lineno


def _imports(other: OtherModule, name: str) -> bool:
    """Return whether a module has an import of its own for a name."""
    imports = (n for n in other.unit.nodes() if isinstance(n, ast.Import))
    return any(bound_name(alias) == name for node in imports for alias in node.names)
