"""`with SparkContext(...) as sc`: the context by a name, and its end in a `finally`."""

from __future__ import annotations

import ast

from migrator.infer.program import ScopeNode
from migrator.spark.kinds import STREAMING, Kind

from ..program.modules import SourceModule
from ..program.values import has_any, holds, is_in_batch, is_one_of
from .edits import LineEdit, indentation, one_line, with_edits

_STOPPED = frozenset((Kind.SPARK_CONTEXT, Kind.SPARK_SESSION))
"""What a `with` stops at its end."""


def unfold_with(module: SourceModule) -> SourceModule | None:
    """Return a module that stops the context of a job itself; None if no `with` does that."""
    for node in ast.walk(module.tree):
        match node:
            case ast.With(items=[ast.withitem(context_expr=made, optional_vars=ast.Name(id=name))]):
                pass
            case _:
                continue
        kind = is_one_of(module.facts.values.get(made), _STOPPED)
        if not kind or is_in_batch(module, node) or not has_any(module, node, STREAMING):
            continue
        if node.body[0].lineno in (node.lineno, made.end_lineno):
            continue
        pad, first = indentation(module, node), node.lineno
        head = made.end_lineno or first
        if module.comments_in(first, head):
            continue
        last = node.end_lineno or first
        inner = indentation(module, node.body[0])
        lines = ((f"{pad}{name} = {one_line(module, made)}", first), (f"{pad}try:", first))
        end = ((f"{pad}finally:", last), (f"{inner}{name}.stop()", last))
        return with_edits(module, [LineEdit(first, head, lines), LineEdit(last + 1, last, end)])
    return None


def uses_context_around(module: SourceModule, node: ScopeNode) -> bool:
    """Return whether a function makes a StreamingContext of a SparkContext at the top."""
    top = module.program.scopes[module.tree]
    around = {
        name
        for name, scope in module.names_in(node)
        if scope.owner_of(name.id) is top
        and holds(module.facts.values.get(name), {Kind.SPARK_CONTEXT, Kind.SPARK_SESSION})
    }
    calls = (inner for inner in ast.walk(node) if isinstance(inner, ast.Call))
    return any(
        module.is_old(call.func, "StreamingContext") and not around.isdisjoint(ast.walk(call))
        for call in calls
    )
