"""`foreach` and `foreachPartition`: functions get the records that they had."""

from __future__ import annotations

import ast
from typing import Any, TypeAlias

from ..dataframes.frames import Frame
from ..program.graph import Node
from ..program.modules import Block
from ..refusals import NotExpressible
from .actions import _action, _selected
from .records import Uses, is_flat, record

# what reads the function; it needs this module
Body: TypeAlias = Any


@_action("foreach", "f")
def _foreach(body: Body, call: ast.Call, owner: Node, given: dict[str, ast.expr]) -> str:
    frame = _selected(body, call, owner)
    function = given["f"]
    _refuse_tracked(body, function)
    if record(frame, "row") == "row" or (is_flat(frame) and _takes_rows(body, function, frame)):
        text = body.module.source(function)
    elif isinstance(function, ast.Lambda):
        text = f"lambda row: {_substituted(body, function, record(frame, 'row'))}"
    else:
        text = f"lambda row: {body.module.source(function)}({record(frame, 'row')})"
    made: str = body.inline(frame.code.call("foreach", text), call)
    return made


@_action("foreachPartition", "f")
def _foreach_partition(body: Body, call: ast.Call, owner: Node, given: dict[str, ast.expr]) -> str:
    frame = _selected(body, call, owner)
    function = given["f"]
    _refuse_tracked(body, function)
    plain = record(frame, "row") == "tuple(row)"
    made = "map(tuple, rows)" if plain else f"{record(frame, 'row')} for row in rows"
    taken = is_flat(frame) and _takes_rows(body, function, frame, many=True)
    if taken or record(frame, "row") == "row":
        text = body.module.source(function)
    elif isinstance(function, ast.Lambda):
        whole = made if plain else f"({made})"
        text = f"lambda rows: {_substituted(body, function, whole)}"
    else:
        text = f"lambda rows: {body.module.source(function)}({made})"
    inlined: str = body.inline(frame.code.call("foreachPartition", text), call)
    return inlined


def _refuse_tracked(body: Body, function: ast.expr) -> None:
    found = _function(body, function)
    for node in ast.walk(found or function):
        if isinstance(node, ast.Name) and (node.id in body.names or node.id in body.outer):
            arguments = found.args.args if found else []
            if node.id not in [each.arg for each in arguments]:
                raise NotExpressible(
                    "RDD_USE", f"`{node.id}` is used in a function of records", node
                )


def _function(body: Body, function: ast.expr) -> ast.Lambda | ast.FunctionDef | None:
    if isinstance(function, ast.Lambda):
        return function
    if isinstance(function, ast.Name):
        found = body.function.block.function(function.id)
        return found or Block(body.module.tree.body).function(function.id)
    return None


def _takes_rows(body: Body, function: ast.expr, frame: Frame, many: bool = False) -> bool:
    """Return whether a function uses its argument so that rows are as good as tuples."""
    found = _function(body, function)
    if found is None or len(found.args.args) != 1:
        return False
    name = found.args.args[0].arg
    uses = Uses(body.module, found).of(frame)
    loads = [n for n in ast.walk(found) if isinstance(n, ast.Name) and n.id == name]
    if any(not isinstance(each.ctx, ast.Load) for each in loads):
        return False
    if many:
        return not any(uses.needs_tuples(each) for each in loads)
    return all(uses.is_field(each) for each in loads)


def _substituted(body: Body, function: ast.Lambda, text: str) -> str:
    """Return the body of a lambda with another text for its argument."""
    (argument,) = function.args.args
    start, end = body.module.span(function.body)
    source = body.module.text[start:end]
    uses = [
        body.module.span(node)
        for node in ast.walk(function.body)
        if isinstance(node, ast.Name) and node.id == argument.arg
    ]
    inner = [n for n in ast.walk(function.body) if isinstance(n, ast.arg)]
    if any(each.arg == argument.arg for each in inner):
        raise NotExpressible(
            "RDD_USE", f"the parameter `{argument.arg}` hides another name", function
        )
    for first, last in sorted(uses, reverse=True):
        source = source[: first - start] + text + source[last - start :]
    made: str = source
    return made
