"""The functions of `transform` and `transformWith`, whose RDD methods take their place."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from ..program.bindings import uses
from ..program.graph import Node
from ..program.job import Lost, Remembered
from ..program.modules import Block
from ..refusals import NotExpressible
from .offset_ranges import initial, kept_in_global, source_of
from .unsupported import REASONS

if TYPE_CHECKING:
    from .streams import Streams


def transformed(
    reader: Streams,
    owners: tuple[Node, ...],
    function: ast.expr,
    block: Block,
    names: dict[str, Any],
) -> Node | Lost:
    """Return what a function makes of the RDDs of a batch.

    Raises
    ------
    NotExpressible
        if it does more than call RDD methods
    """
    found, _ = reader.module.function_given(block, function)
    if found is None:
        raise NotExpressible("TRANSFORM", "the function of `transform` is not known", function)
    parameters = [each.arg for each in found.args.args]
    kept = kept_in_global(found, parameters[-1]) if parameters and len(owners) == 1 else None
    skipped = kept[1] if kept else []
    _refuse_unsupported(found, skipped)
    if found.args.defaults or found.args.vararg or len(parameters) - len(owners) not in (0, 1):
        raise NotExpressible("TRANSFORM", "the parameters of the function are not known", function)
    if len(parameters) > len(owners) and uses(found, parameters[0]):
        raise NotExpressible("BATCH_TIME", "the function of `transform` uses the time", function)
    if kept is not None:
        owners = (_remembered(reader, owners[0], *kept),)
    inner = {**names, **dict(zip(parameters[-len(owners) :], owners, strict=True))}
    body = (
        found.body
        if isinstance(found, ast.Lambda)
        else _returned(reader, found, block, inner, skipped)
    )
    made = reader.value(body, block, inner)
    if isinstance(made, Lost):
        return made
    if not isinstance(made, Node) or owners[0] not in [*made.path()]:
        raise NotExpressible("TRANSFORM", "the function does more than RDD methods", function)
    inside = {*ast.walk(found)}
    for step in made.path():
        if step.operator == "textFile" and step.call in inside:
            raise NotExpressible("STATIC_DATA", "a file is read for each batch", step.call)
    if isinstance(found, ast.FunctionDef):
        if len(uses(reader.module.tree, found.name)) != 1:
            raise NotExpressible("FUNCTION_USES", f"`{found.name}` has several uses", function)
        reader.job.expanded[found] = reader.module.statement_in(reader.job.statements, function)
    return made


def _refuse_unsupported(function: ast.AST, skipped: list[ast.stmt]) -> None:
    """Refuse methods that have no counterpart, outside of some statements."""
    own = {part for each in skipped for part in ast.walk(each)}
    for node in ast.walk(function):
        if isinstance(node, ast.Attribute) and node.attr in REASONS and node not in own:
            raise NotExpressible(*REASONS[node.attr], node)


def _remembered(reader: Streams, owner: Node, name: str, statements: list[ast.stmt]) -> Node:
    """Return a stream whose offsets are kept under a global name in each batch."""
    declared, statement = statements
    start = initial(reader.module, name)
    if start is None or name in reader.job.remembered:
        raise NotExpressible(
            "OFFSET_RANGES", f"`{name}` is more than the offsets of one stream", declared
        )
    source = source_of(owner, statement)
    assert isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call)
    node = reader.add(Node("transform", statement.value, (owner,), owner.stage, owner.block))
    reader.job.remembered[name] = Remembered(source, node, statement, start)
    return node


def _returned(
    reader: Streams,
    function: ast.FunctionDef,
    block: Block,
    names: dict[str, Any],
    skipped: list[ast.stmt],
) -> ast.expr:
    """Return what a function returns, after the RDDs that it gives names to."""
    for statement in function.body:
        if statement in skipped:
            continue
        match statement:
            case ast.Expr(value=ast.Constant()):
                continue
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                made = reader.value(value, block, names)
                if not isinstance(made, Node):
                    break
                names[name] = made
            case ast.Return(value=ast.expr() as value):
                return value
            case _:
                break
    raise NotExpressible("TRANSFORM", "the function does more than RDD methods", function)
