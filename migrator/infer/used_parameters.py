"""What a parameter that no call sets is, by the methods that its function certainly calls on it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from migrator.infer.program import FunctionNode
from migrator.spark import api
from migrator.spark.kinds import Kind

_SIMPLE = (ast.Expr, ast.Assign, ast.AnnAssign, ast.Return)
_ENDS = (ast.Return, ast.Raise, ast.Assert)
# what is in them runs later or not at all
_LATER = (
    *(ast.Lambda, ast.IfExp, ast.BoolOp),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)


class Evidence(NamedTuple):
    """A kind, and the call that only objects of that kind have."""

    kind: Kind
    method: str
    line: int


def kind_by_use(node: FunctionNode, name: str) -> Evidence | None:
    """Return the kind of a parameter, or None if no call that is always reached tells it."""
    if isinstance(node, ast.Lambda):
        return None
    for statement in node.body:
        if isinstance(statement, _SIMPLE):
            for call in _calls(statement):
                evidence = _evidence(call, name)
                if evidence is not None:
                    return evidence
        if _may_leave(statement) or _binds(statement, name):
            return None
    return None


def _calls(statement: ast.stmt) -> Iterator[ast.Call]:
    """Yield the calls that a statement makes whenever it runs."""
    pending: list[ast.AST] = [statement]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Call):
            yield node
        if not isinstance(node, _LATER):
            pending += ast.iter_child_nodes(node)


def _evidence(call: ast.Call, name: str) -> Evidence | None:
    """Return what a call says about a name: `name.foreachRDD(f)`, `name.map(f).foreachRDD(g)`."""
    if not isinstance(call.func, ast.Attribute):
        return None
    method, line = call.func.attr, call.lineno
    kind = api.TELLTALE.get(method)
    base = call.func.value
    while kind is Kind.DSTREAM:
        match base:
            # what gives a stream is called on one, even if RDDs have the method too
            case ast.Call(func=ast.Attribute(value=inner, attr=attr)) if _keeps(attr):
                base = inner
            case _:
                break
    if kind is None or not isinstance(base, ast.Name) or base.id != name:
        return None
    return Evidence(kind, method, line)


def _keeps(method: str) -> bool:
    """Return whether a method of a stream gives a stream."""
    method_spec = api.DSTREAM.get(method)
    return method_spec is not None and method_spec.gives in (Kind.DSTREAM, "self")


def _may_leave(statement: ast.stmt) -> bool:
    return any(isinstance(node, _ENDS) for node in ast.walk(statement))


def _binds(statement: ast.stmt, name: str) -> bool:
    return any(
        isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load)
        for node in ast.walk(statement)
    )
