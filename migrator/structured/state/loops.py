"""Loops over new values that sum them up, or keep the largest or smallest one."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from .symbols import COUNT, NOTHING, Best, Element, Items, Sum, UnknownForm, as_sum, total

if TYPE_CHECKING:
    from .cases import Case


def loop(
    case: Case, target: ast.expr, items: Any, body: list[ast.stmt], names: dict[str, Any]
) -> None:
    """Read a loop over the new values, each statement of which changes a name of its own."""
    if not isinstance(items, Items) or items.others or not isinstance(items.each, Element):
        raise UnknownForm
    if case.empty:
        return
    inner: dict[str, Any] = {}
    case.bind(target, items.each, inner)
    changed: dict[str, Any] = {}
    for statement in body:
        name, value = _changed(case, statement, inner, names)
        if name in changed or name in inner:
            raise UnknownForm
        changed[name] = value
    names.update(dict.fromkeys(inner))
    names.update(changed)


def _changed(
    case: Case, statement: ast.stmt, inner: dict[str, Any], names: dict[str, Any]
) -> tuple[str, Any]:
    """Return the name that a statement of a loop changes, and its value after the loop."""
    match statement:
        case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=node):
            return name, _added(case, names.get(name), node, inner)
        case ast.Assign(
            targets=[ast.Name(id=name)],
            value=ast.BinOp(ast.Name(id=same), ast.Add(), node)
            | ast.BinOp(node, ast.Add(), ast.Name(id=same)),
        ) if same == name:
            return name, _added(case, names.get(name), node, inner)
        case ast.Assign(
            targets=[ast.Name(id=name)],
            value=ast.Call(func=function, args=[ast.Name(id=same), node], keywords=[])
            | ast.Call(func=function, args=[node, ast.Name(id=same)], keywords=[]),
        ) if same == name:
            for best in ("max", "min"):
                if case.known(function, best):
                    return name, _best(case, best, names.get(name), node, inner)
        case ast.If(
            test=test, body=[ast.Assign(targets=[ast.Name(id=name)], value=node)], orelse=[]
        ):
            before = names.get(name)
            match test:
                case ast.BoolOp(
                    op=ast.Or(),
                    values=[
                        ast.Compare(
                            left=ast.Name(id=same),
                            ops=[ast.Is()],
                            comparators=[ast.Constant(value=None)],
                        ),
                        test,
                    ],
                ) if same == name:
                    if before == NOTHING:
                        before = Best("max", frozenset())
                case _ if before == NOTHING:
                    raise UnknownForm
            return name, _replaced(case, test, name, before, node, inner)
    raise UnknownForm


def _added(case: Case, before: Any, node: ast.expr, inner: dict[str, Any]) -> Sum:
    match case.value(node, inner):
        case Element(path=path):
            return as_sum(before).plus(total(path))
        case Sum(terms=terms, number=number) if not terms:
            return as_sum(before).plus(COUNT, number)
    raise UnknownForm


def _replaced(
    case: Case, test: ast.expr, name: str, before: Any, node: ast.expr, inner: dict[str, Any]
) -> Best:
    """Return the value of ``if value > largest: largest = value``."""
    if not (isinstance(test, ast.Compare) and len(test.ops) == 1):
        raise UnknownForm
    left, right = ast.unparse(test.left), ast.unparse(test.comparators[0])
    more = isinstance(test.ops[0], ast.Gt | ast.GtE)
    if not more and not isinstance(test.ops[0], ast.Lt | ast.LtE):
        raise UnknownForm
    if {left, right} != {ast.unparse(node), name}:
        raise UnknownForm
    function = "max" if more == (right == name) else "min"
    if isinstance(before, Best) and not before.parts:
        before = Best(function, frozenset())
    return _best(case, function, before, node, inner)


def _best(case: Case, function: str, before: Any, node: ast.expr, inner: dict[str, Any]) -> Best:
    found = case.value(node, inner)
    if not isinstance(found, Element):
        raise UnknownForm
    return case.best_of(function, [before, found])
