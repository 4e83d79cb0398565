"""The functions of `transform` and `transformWith`, whose RDD methods take their place."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from ..program.bindings import uses
from ..program.graph import Node
from ..program.job import Lost, Remembered
from ..program.modules import Block
from ..refusals import NotExpressible
from .offset_ranges import global_with_offsets, initial, source_of
from .unsupported import REASONS

if TYPE_CHECKING:
    from .streams import Streams


def apply_transform(
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
    function_found, _ = reader.module.function_given(block, function)
    if function_found is None:
        raise NotExpressible("TRANSFORM", "the function of `transform` is not known", function)
    parameters = [argument.arg for argument in function_found.args.args]
    global_name = (
        global_with_offsets(function_found, parameters[-1])
        if parameters and len(owners) == 1
        else None
    )
    skipped = global_name[1] if global_name else []
    _refuse_unsupported(function_found, skipped)
    if (
        function_found.args.defaults
        or function_found.args.vararg
        or len(parameters) - len(owners) not in (0, 1)
    ):
        raise NotExpressible("TRANSFORM", "the parameters of the function are not known", function)
    if len(parameters) > len(owners) and uses(function_found, parameters[0]):
        raise NotExpressible("BATCH_TIME", "the function of `transform` uses the time", function)
    if global_name is not None:
        owners = (_stream_with_offsets(reader, owners[0], *global_name),)
    inner = {**names, **dict(zip(parameters[-len(owners) :], owners, strict=True))}
    body = (
        function_found.body
        if isinstance(function_found, ast.Lambda)
        else _returned_expression(reader, function_found, block, inner, skipped)
    )
    stream = reader.value(body, block, inner)
    if isinstance(stream, Lost):
        return stream
    if not isinstance(stream, Node) or owners[0] not in [*stream.path()]:
        raise NotExpressible("TRANSFORM", "the function does more than RDD methods", function)
    inside = {*ast.walk(function_found)}
    for step in stream.path():
        if step.operator == "textFile" and step.call in inside:
            raise NotExpressible("STATIC_DATA", "a file is read for each batch", step.call)
    if isinstance(function_found, ast.FunctionDef):
        if len(uses(reader.module.tree, function_found.name)) != 1:
            raise NotExpressible(
                "FUNCTION_USES", f"`{function_found.name}` has several uses", function
            )
        reader.job.expanded[function_found] = reader.module.statement_in(
            reader.job.statements, function
        )
    return stream


def _refuse_unsupported(function: ast.AST, skipped: list[ast.stmt]) -> None:
    """Refuse methods that have no counterpart, outside of some statements."""
    own = {part for statement in skipped for part in ast.walk(statement)}
    for node in ast.walk(function):
        if isinstance(node, ast.Attribute) and node.attr in REASONS and node not in own:
            raise NotExpressible(*REASONS[node.attr], node)


def _stream_with_offsets(
    reader: Streams, owner: Node, name: str, statements: list[ast.stmt]
) -> Node:
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


def _returned_expression(
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
                stream = reader.value(value, block, names)
                if not isinstance(stream, Node):
                    break
                names[name] = stream
            case ast.Return(value=ast.expr() as value):
                return value
            case _:
                break
    raise NotExpressible("TRANSFORM", "the function does more than RDD methods", function)
