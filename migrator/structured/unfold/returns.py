"""Functions of a job that return in the branches of an `if`: they return at their end."""

from __future__ import annotations

import ast
from itertools import pairwise

from ..program.modules import SourceModule
from ..program.values import JOB, holds, is_in_batch
from .edits import LineEdit, Span, edit_of_spans, has_long_text, indentation, with_edits
from .functions import own_nodes


def unfold_return(module: SourceModule) -> SourceModule | None:
    """Return a module in which a function has one `return` less; None if none can have that."""
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.FunctionDef) or is_in_batch(module, node):
            continue
        returns = [inner for inner in own_nodes(node) if isinstance(inner, ast.Return)]
        values = (
            module.facts.values.get(ending.value) for ending in returns if ending.value is not None
        )
        if len(returns) < 2 or not any(holds(each, JOB) for each in values):
            continue
        if has_long_text(ast.walk(node)):
            continue
        for edits in (_with_else(module, node.body), _with_result(module, node, returns)):
            if edits:
                return with_edits(module, edits)
    return None


def _with_else(module: SourceModule, body: list[ast.stmt]) -> list[LineEdit]:
    """Return the edits that put what follows an `if` with a `return` into its `else`."""
    for statement, following in pairwise(body):
        match statement:
            case ast.If(body=[*_, ast.Return()], orelse=[]):
                first = (statement.end_lineno or statement.lineno) + 1
                last = body[-1].end_lineno or first
                if following.lineno < first:
                    return []
                lines = [(f"{indentation(module, statement)}else:", statement.lineno)]
                for number in range(first, last + 1):
                    text = module.lines[number - 1].rstrip("\n")
                    lines.append((f"    {text}" if text.strip() else "", number))
                return [LineEdit(first, last, tuple(lines))]
    match body[-1:]:
        case [ast.If(body=one, orelse=other)]:
            return _with_else(module, one) or _with_else(module, other)
    return []


def _with_result(
    module: SourceModule, node: ast.FunctionDef, returns: list[ast.Return]
) -> list[LineEdit]:
    """Return the edits that give a name to what the branches of the last `if` return."""
    ends = _ends(node.body)
    values = [end.value for end in ends if isinstance(end, ast.Return)]
    if len(ends) != len(returns) or not all(ending in ends for ending in returns) or None in values:
        return []
    name, last = module.free_name("result"), node.end_lineno or node.lineno
    edits = []
    for ending in returns:
        start = module.span(ending)[0]
        spans: list[Span] = [(start, start + len("return"), f"{name} =")]
        edits.append(edit_of_spans(module, *module.lines_of(ending), spans))
    text = f"{indentation(module, node.body[-1])}return {name}"
    return [*edits, LineEdit(last + 1, last, ((text, last),))]


def _ends(body: list[ast.stmt]) -> list[ast.stmt]:
    """Return the last statements that may run in a block."""
    match body[-1:]:
        case [ast.If(body=one, orelse=other)] if other:
            return [*_ends(one), *_ends(other)]
    return body[-1:]
