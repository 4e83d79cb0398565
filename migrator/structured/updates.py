"""The functions of `updateStateByKey` that are running sums and counts."""

from __future__ import annotations

import ast

_SUMS = ("sum(V) + S", "S + sum(V)", "sum(V, S)", "sum([S] + V)", "sum(V + [S])")
_COUNTS = ("len(V) + S", "S + len(V)")
_ZEROS = ("S or 0", "0 if S is None else S", "S if S is not None else 0", "S if S else 0")
_IFS = ("S is None", "not S")


def running_form(function: ast.Lambda | ast.FunctionDef) -> str | None:
    """``sum`` or ``count`` if a function of the new values and the state computes that."""
    arguments = function.args
    if len(arguments.args) != 2 or arguments.vararg or arguments.kwarg or arguments.kwonlyargs:
        return None
    if arguments.defaults:
        return None
    values, state = (each.arg for each in arguments.args)
    body: list[ast.stmt] = (
        [ast.Return(function.body)] if isinstance(function, ast.Lambda) else function.body
    )
    result = _result(body, state)
    if result is None:
        return None
    shape = ast.unparse(_Renamed({values: "V", state: "S"}).visit(_copy(result)))
    for zero in _ZEROS:
        shape = shape.replace(f"({zero})", "S0").replace(f"[{zero}]", "[S0]")
        shape = shape.replace(f", {zero})", ", S0)")
    forms = {"sum": _SUMS, "count": _COUNTS}
    for form, shapes in forms.items():
        if shape in (each.replace("S", "S0") for each in shapes):
            return form
    return None


def _result(body: list[ast.stmt], state: str) -> ast.expr | None:
    """What a function returns, with the state's default written where it is used."""
    zero = ast.BoolOp(ast.Or(), [ast.Name(state, ast.Load()), ast.Constant(0)])
    names: dict[str, ast.expr] = {}
    for statement in body:
        match statement:
            case ast.Expr(value=ast.Constant()):
                continue
            case ast.If(
                test=test,
                body=[ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=0))],
                orelse=[],
            ) if name == state and _renamed(test, state) in _IFS:
                names[state] = zero
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                names[name] = _Replaced(names).visit(_copy(value))
            case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=value):
                before = names.get(name, ast.Name(name, ast.Load()))
                names[name] = ast.BinOp(before, ast.Add(), _Replaced(names).visit(_copy(value)))
            case ast.Return(value=ast.expr() as value):
                found: ast.expr = _Replaced(names).visit(_copy(value))
                return found
            case _:
                return None
    return None


def _renamed(node: ast.expr, state: str) -> str:
    return ast.unparse(_Renamed({state: "S"}).visit(_copy(node)))


def _copy(node: ast.expr) -> ast.expr:
    return ast.parse(ast.unparse(node), mode="eval").body


class _Renamed(ast.NodeTransformer):
    """Names under other names."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self.names.get(node.id, node.id), node.ctx)


class _Replaced(ast.NodeTransformer):
    """Names that stand for what was assigned to them."""

    def __init__(self, names: dict[str, ast.expr]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.names.get(node.id, node)
