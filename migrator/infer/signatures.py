"""What signatures say about functions: annotations, and what decorators make of them."""

from __future__ import annotations

import ast

from migrator.infer.calls import Args, call
from migrator.infer.expressions import evaluate
from migrator.infer.functions import is_transparent
from migrator.infer.narrowing import instance_of
from migrator.infer.program import ExecutionState, FunctionInfo
from migrator.infer.values import (
    BOTTOM,
    UNKNOWN,
    Function,
    LocalClass,
    LocalObj,
    Partial,
    Value,
    join,
    one,
)


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
            sides = [side for side in (left, right) if not _is_none(side)]
            kinds = [annotation(frame, side) for side in sides]
            declared = [kind for kind in kinds if kind is not None]
            # the other side may be anything
            rest = BOTTOM if len(declared) == len(kinds) else UNKNOWN
            return join(*declared, rest) if declared else None
        case ast.Subscript(value=ast.Name(id="Optional") | ast.Attribute(attr="Optional")):
            evaluate(frame, node.value)
            return annotation(frame, node.slice)
        case ast.Subscript(value=ast.Name() | ast.Attribute()):
            evaluate(frame, node.slice)
            return instance_of(frame, evaluate(frame, node.value), node.lineno)
        case _:
            return instance_of(frame, evaluate(frame, node), node.lineno)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def value_of_decorated(
    frame: ExecutionState, info: FunctionInfo, decorators: list[ast.expr]
) -> Value:
    """Return the value that a function's name is bound to, after its decorators."""
    value = one(Function(info))
    for decorator in reversed(decorators):
        wrapper = evaluate(frame, decorator)
        ours = frozenset(
            a for a in wrapper.atoms if isinstance(a, Function | LocalObj | LocalClass | Partial)
        )
        if ours:
            result = call(frame, Value(ours), Args([value], line=info.node.lineno))
            sure = ours == wrapper.atoms and not wrapper.unknown
            value = result if sure else join(value, result)
        elif "decorated" in info.flags or wrapper == BOTTOM or is_transparent(decorator):
            continue
        else:
            # what it does with the function is not known
            info.flags |= {"decorated"}
            info.program.touch()
    return value
