"""Says whether the inverse function of a window takes away what its reduce function adds."""

from __future__ import annotations

import ast

from dstream_compat.native.names import Environment, Known

Function = ast.expr | ast.FunctionDef

_POSITIVE = ("P[1] > 0", "P[1] != 0", "P[1] >= 1", "P[1]", "0 < P[1]", "bool(P[1])")


def is_inverse(add: Function, subtract: Function, names: Environment) -> bool:
    """Return whether one function has a difference wherever the other has a sum.

    Parameters
    ----------
    add : syntax
        the reduce function, which is known to give sums
    subtract : syntax
        the inverse
    names : Environment
        the names of both
    """
    first, second = _shape(add, ast.Add, names), _shape(subtract, ast.Sub, names)
    return first is not None and first == second


def drops_zeros(function: Function) -> bool:
    """Return whether a filter of pairs drops those whose value
    is 0, of values that are not negative.
    """
    parts = _parts(function)
    if parts is None or len(parts[0]) != 1:
        return False
    return ast.unparse(_Renamed({parts[0][0]: "P"}).visit(_copy(parts[1]))) in _POSITIVE


def _shape(function: Function, sign: type[ast.operator], names: Environment) -> str | None:
    """Return what a function of two values computes, with the same sign for all operations."""
    if isinstance(function, ast.Name | ast.Attribute):
        return "A + B" if _operator(function, names) == sign else None
    parts = _parts(function)
    if parts is None or len(parts[0]) != 2:
        return None
    body = _Renamed(dict(zip(parts[0], "AB", strict=True))).visit(_copy(parts[1]))
    for node in ast.walk(body):
        if isinstance(node, ast.BinOp):
            if not isinstance(node.op, sign) or not _in_order(node):
                return None
            node.op = ast.Add()
    return ast.unparse(body)


def _in_order(node: ast.BinOp) -> bool:
    """Return whether an operation has the first value on its left, and the second on its right."""
    sides = [
        {each.id for each in ast.walk(side) if isinstance(each, ast.Name)}
        for side in (node.left, node.right)
    ]
    return sides == [{"A"}, {"B"}]


def _operator(function: ast.Name | ast.Attribute, names: Environment) -> type[ast.operator] | None:
    if isinstance(function, ast.Name):
        found = names.lookup(function.id)
        name = found.name if isinstance(found, Known) else ""
    else:
        owner = names.lookup(function.value.id) if isinstance(function.value, ast.Name) else None
        name = f"{owner.name}.{function.attr}" if isinstance(owner, Known) else ""
    return {"operator.add": ast.Add, "operator.sub": ast.Sub}.get(name)


def _parts(function: Function) -> tuple[list[str], ast.expr] | None:
    """Return the parameters and the result of a function that is one expression."""
    if not isinstance(function, ast.Lambda | ast.FunctionDef):
        return None
    given = function.args
    if given.vararg or given.kwarg or given.kwonlyargs or given.defaults:
        return None
    names = [each.arg for each in given.args]
    if isinstance(function, ast.Lambda):
        return names, function.body
    body = [e for e in function.body if not isinstance(getattr(e, "value", None), ast.Constant)]
    if len(body) == 1 and isinstance(body[0], ast.Return) and body[0].value is not None:
        return names, body[0].value
    return None


def _copy(node: ast.expr) -> ast.expr:
    return ast.parse(ast.unparse(node), mode="eval").body


class _Renamed(ast.NodeTransformer):
    """Names under other names."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self.names.get(node.id, node.id), node.ctx)
