"""Streams and contexts as plain values: tested, printed, and what their outputs give."""

from __future__ import annotations

import ast

from migrator.spark.kinds import STREAMING, STREAMS, Kind

from ..program.bindings import loads
from ..program.modules import SourceModule
from ..program.values import holds, is_in_batch, is_one_of
from .edits import (
    LineEdit,
    comment_lines,
    edit_of_spans,
    has_long_text,
    indentation,
    instead,
    is_alone,
    with_edits,
)

_SHOWS = frozenset(("print", "type", "str", "repr", "id", "format"))
"""Functions that say something of an object."""


def unfold_value(module: SourceModule) -> SourceModule | None:
    """Return a module without a use of a stream as a plain value; None if there is none."""
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.If | ast.Expr | ast.Assign) or is_in_batch(module, node):
            continue
        match node:
            case ast.If(test=test, body=body) if _is_true(module, test):
                edit = _without_test(module, node, body)
                result = None if edit is None else with_edits(module, [edit])
            case ast.Expr(value=ast.Name() | ast.Call(func=ast.Name()) as shown) if (
                isinstance(shown, ast.Name) or getattr(shown.func, "id", "") in _SHOWS
            ):
                result = _without_display(module, node, shown)
            case ast.Assign(value=ast.Call() as call):
                result = _without_nothing(module, node, call)
            case _:
                continue
        if result is not None:
            return result
    return None


def _is_true(module: SourceModule, test: ast.expr) -> bool:
    """Return whether a test holds as a stream or context is no None, and has no truth value."""
    match test:
        case ast.Compare(left=left, ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]):
            test = left
        case ast.Compare():
            return False
    values = module.facts.values
    while isinstance(test, ast.Call) and isinstance(test.func, ast.Attribute):
        # a stream that is made of another one, and of which no output comes
        arguments = [*test.args, *(keyword.value for keyword in test.keywords)]
        plain = all(isinstance(each, ast.Constant | ast.Lambda | ast.Name) for each in arguments)
        owner = test.func.value
        if not (plain and all(is_one_of(values.get(each), STREAMS) for each in (test, owner))):
            return False
        test = owner
    plain = isinstance(test, ast.Name | ast.Attribute)
    return plain and is_one_of(values.get(test), STREAMING)


def _without_test(module: SourceModule, node: ast.If, body: list[ast.stmt]) -> LineEdit | None:
    """Return the edit that puts the statements of an `if` in its place."""
    first, last = node.lineno, body[-1].end_lineno or 0
    if any(has_long_text(ast.walk(statement)) for statement in body):
        return None
    parent = module.parents[node]
    if body[0].lineno == first or (isinstance(parent, ast.If) and parent.orelse == [node]):
        return None
    pad, inner = indentation(module, node), indentation(module, body[0])
    lines = comment_lines(module, pad, first, body[0].lineno - 1)
    for number in range(body[0].lineno, last + 1):
        text = module.lines[number - 1].rstrip("\n")
        lines.append((pad + text.removeprefix(inner) if text.strip() else "", number))
    if node.orelse:
        lines += comment_lines(module, pad, last + 1, node.end_lineno or last)
    return LineEdit(first, node.end_lineno or last, tuple(lines))


def _without_display(
    module: SourceModule, node: ast.Expr, shown: ast.Name | ast.Call
) -> SourceModule | None:
    """Return a module that does not print or display an object which is none any more."""
    values = module.facts.values
    parts = [part for argument in getattr(shown, "args", [shown]) for part in ast.walk(argument)]
    kinds = STREAMS | {Kind.STREAMING_CONTEXT, Kind.SQL_CONTEXT}
    if not any(isinstance(e, ast.expr) and holds(values.get(e), kinds) for e in parts):
        return None
    effects = [
        part
        for part in parts
        if isinstance(part, ast.NamedExpr)
        or (
            isinstance(part, ast.Call)
            and not (isinstance(part.func, ast.Name) and part.func.id in _SHOWS)
            and not (isinstance(part.func, ast.Attribute) and part.func.attr == "format")
            and not is_one_of(values.get(part), STREAMS)
        )
    ]
    if effects:
        return None
    first = node.lineno
    note = module.note(first, "an object is printed or displayed that is none any more")
    return with_edits(
        module, [instead(module, node, [("pass", first)] * is_alone(module, node))], note
    )


def _without_nothing(module: SourceModule, node: ast.Assign, call: ast.Call) -> SourceModule | None:
    """Return a module in which names get the None of an output after it, if they are read."""
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    values = module.facts.values
    if owner is None or not is_one_of(values.get(owner), STREAMING):
        return None
    if not is_one_of(values.get(call), {Kind.NONE}):
        return None
    first, last = module.lines_of(node)
    start = module.span(call)[0]
    targets = " = ".join(module.source(target) for target in node.targets)
    names = [target for target in node.targets if isinstance(target, ast.Name)]
    read = len(names) < len(node.targets) or any(loads(module.tree, name.id) for name in names)
    edit = edit_of_spans(module, first, last, [(module.span(node)[0], start, "")])
    pad = indentation(module, node)
    more = ((f"{pad}{targets} = None", last),) if read else ()
    return with_edits(module, [LineEdit(first, last, (*edit.lines, *more))])
