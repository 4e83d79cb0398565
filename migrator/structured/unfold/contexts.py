"""Contexts that a `with` stops, that `getOrCreate` makes, and that stand around a function."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrator.infer.program import ScopeNode
from migrator.spark.kinds import STREAMING, STREAMS, Kind

from ..program.arguments import bind_arguments
from ..program.bindings import uses
from ..program.modules import SourceModule
from ..program.values import has_any, holds, is_in_batch, is_one_of
from .edits import LineEdit, edit_of_spans, indentation, one_line, with_edits
from .functions import is_pure

_STOPPED = frozenset((Kind.SPARK_CONTEXT, Kind.SPARK_SESSION))
"""What a `with` stops at its end."""


def unfold_with(module: SourceModule) -> Iterator[SourceModule]:
    """Yield modules that stop the context of a job themselves, where a `with` does that."""
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
        yield with_edits(module, [LineEdit(first, head, lines), LineEdit(last + 1, last, end)])


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


NOTE = (
    "a second start failed, as the streams are made after `getOrCreate`; now each start begins anew"
)


def unfold_recovery(module: SourceModule) -> Iterator[SourceModule]:
    """Yield modules that call the function of a `getOrCreate` whose streams are made after it.

    A context that comes from a checkpoint takes no more streams, so a second start failed.
    """
    for call in ast.walk(module.tree):
        match call:
            case ast.Call(func=ast.Attribute(value=owner, attr="getOrCreate")) if module.is_old(
                owner, "StreamingContext"
            ):
                arguments = bind_arguments(call, ("checkpointPath", "setupFunc"))
                function_found = (
                    None if arguments is None else _function(module, arguments["setupFunc"])
                )
                if arguments is None or function_found is None or is_in_batch(module, call):
                    continue
                if not has_any(module, function_found, STREAMS) and is_pure(
                    arguments["checkpointPath"]
                ):
                    text = f"{module.source(arguments['setupFunc'])}()"
                    span = (*module.span(call), text)
                    edit = edit_of_spans(module, *module.lines_of(call), [span])
                    note = module.note(call.lineno, NOTE)
                    yield with_edits(module, [edit], note)


def _function(module: SourceModule, node: ast.expr) -> ast.FunctionDef | None:
    """Return the function of a name that has no other use."""
    if not isinstance(node, ast.Name):
        return None
    functions = (node for node in ast.walk(module.tree) if isinstance(node, ast.FunctionDef))
    matching = [function for function in functions if function.name == node.id]
    plain = len(uses(module.tree, node.id)) == len(matching) == 1
    return matching[0] if plain and not ast.unparse(matching[0].args) else None
