"""What signatures say about parameters and results: defaults and annotations."""

from __future__ import annotations

import ast

from migrator.infer.expressions import evaluate
from migrator.infer.functions import default_values
from migrator.infer.narrowing import instance_of
from migrator.infer.program import ExecutionState
from migrator.infer.values import NONE, OTHER, Value, join


def defaults(frame: ExecutionState, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    """Add default values to what a parameter may be."""
    info = frame.program.functions[node]
    for name, default in default_values(node):
        value = evaluate(frame, default)
        if value not in (NONE, OTHER) and name not in info.declared:
            frame.program.grow(info.params, name, value)


def declared_parameters(
    frame: ExecutionState, node: ast.FunctionDef | ast.AsyncFunctionDef
) -> None:
    """Give parameters the classes of Spark that their annotations name."""
    info = frame.program.functions[node]
    args = node.args
    for argument in (*args.posonlyargs, *args.args, *args.kwonlyargs):
        if argument.annotation is None:
            continue
        value = annotation(frame, argument.annotation)
        if value is not None:
            info.declared.add(argument.arg)
            frame.program.grow(info.params, argument.arg, value)
    if node.returns is not None:
        value = annotation(frame, node.returns)
        if value is not None:
            frame.program.grow_result(info, value)


def annotation(frame: ExecutionState, node: ast.expr) -> Value | None:
    """Return what an annotation with one of Spark's classes says, or None."""
    match node:
        case ast.Constant(value=str(text)):
            try:
                parsed = ast.parse(text, mode="eval").body
            except (SyntaxError, ValueError):
                return None
            for child in ast.walk(parsed):
                ast.copy_location(child, node)
            return annotation(frame, parsed)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            evaluate(frame, node)
            found = [v for v in (annotation(frame, left), annotation(frame, right)) if v]
            return join(*found) if found else None
        case ast.Subscript(value=ast.Name(id="Optional") | ast.Attribute(attr="Optional")):
            evaluate(frame, node.value)
            return annotation(frame, node.slice)
        case ast.Subscript(value=ast.Name() | ast.Attribute()):
            evaluate(frame, node.slice)
            return instance_of(frame, evaluate(frame, node.value), node.lineno)
        case _:
            return instance_of(frame, evaluate(frame, node), node.lineno)
