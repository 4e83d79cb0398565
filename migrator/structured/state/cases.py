"""Runs a function of new values and a state in one case."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from .loops import loop
from .symbols import (
    COUNT,
    NOTHING,
    Absent,
    Before,
    Best,
    Element,
    Items,
    Old,
    Sum,
    UnknownForm,
    as_sum,
    plain,
    total,
)


class Case:
    """One case.

    Parameters
    ----------
    old : Old
        the state
    empty : bool
        whether there are no new values
    known : callable
        whether a name is the function of Python of this name: ``sum``, ``functools.reduce``
    """

    def __init__(self, old: Old, empty: bool, known: Callable[[ast.expr, str], bool]) -> None:
        self.old = old
        self.empty = empty
        self.known = known
        self.tests_truth = False
        self.has_float = False

    def result(self, function: ast.Lambda | ast.FunctionDef) -> Any:
        """Return what the function returns.

        Raises
        ------
        UnknownForm
            if it is not known
        """
        given = function.args
        if len(given.args) != 2 or given.vararg or given.kwarg or given.kwonlyargs:
            raise UnknownForm
        if given.defaults or given.posonlyargs:
            raise UnknownForm
        values, state = (each.arg for each in given.args)
        states: dict[Old, Any] = {Old.NONE: NOTHING, Old.SOME: Before(), Old.ZERO: Sum()}
        states[Old.EMPTY] = Items(None)
        names: dict[str, Any] = {values: Items(Element()), state: states[self.old]}
        if isinstance(function, ast.Lambda):
            return plain(self.value(function.body, names))
        found = self._run(function.body, names)
        return NOTHING if found is None else plain(found)

    def _run(self, body: list[ast.stmt], names: dict[str, Any]) -> Any:
        """Return what statements return, None if they go on."""
        for statement in body:
            match statement:
                case ast.Pass() | ast.Expr(value=ast.Constant()):
                    pass
                case ast.Assign(targets=[target], value=node):
                    self.bind(target, self.value(node, names), names)
                case ast.AugAssign(target=ast.Name(id=name) as target, op=op, value=node):
                    whole = ast.BinOp(ast.Name(name, ast.Load()), op, node)
                    self.bind(target, self.value(whole, names), names)
                case ast.If(test=test, body=then, orelse=otherwise):
                    found = self._run(then if self.truth(test, names) else otherwise, names)
                    if found is not None:
                        return found
                case ast.For(target=target, iter=node, body=inner, orelse=[]):
                    loop(self, target, self.value(node, names), inner, names)
                case ast.Return(value=node):
                    return NOTHING if node is None else self.value(node, names)
                case _:
                    raise UnknownForm
        return None

    def bind(self, target: ast.expr, value: Any, names: dict[str, Any]) -> None:
        """Give a value to the names of a target."""
        match target, value:
            case ast.Name(id=name), _:
                names[name] = value
            case ast.Tuple(elts=parts), tuple() if len(parts) == len(value):
                for part, each in zip(parts, value, strict=True):
                    self.bind(part, each, names)
            case ast.Tuple(elts=parts), Before() | Element():
                for place, part in enumerate(parts):
                    self.bind(part, type(value)((*value.path, place)), names)
            case _:
                raise UnknownForm

    def best_of(self, function: str, parts: list[Any]) -> Best:
        """Return the largest or smallest of some values."""
        found: set[Any] = set()
        for part in parts:
            match plain(part):
                case Best(function=same, parts=inner) if same == function:
                    found |= inner
                case Before() | Element() as one:
                    found.add(one)
                case Sum(terms=terms) as constant if not terms:
                    found.add(constant)
                case Items(each=Element() as each, others=others):
                    found |= set() if self.empty else {each}
                    found |= self.best_of(function, [*others]).parts if others else set()
                case _:
                    raise UnknownForm
        if not found:
            raise UnknownForm
        return Best(function, frozenset(found))

    def value(self, node: ast.expr, names: dict[str, Any]) -> Any:
        """Return what an expression is."""
        match node:
            case ast.Constant(value=None):
                return NOTHING
            case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
                self.has_float |= isinstance(number, float)
                return Sum(number=number)
            case ast.Name(id=name) if names.get(name) is not None:
                return names[name]
            case ast.Tuple(elts=parts) if parts:
                return tuple(self.value(each, names) for each in parts)
            case ast.List(elts=parts):
                return Items(None, tuple(self.value(each, names) for each in parts))
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return self._plus(self.value(left, names), self.value(right, names))
            case ast.BoolOp(op=ast.Or(), values=[first, second]):
                return self.value(first if self.truth(first, names) else second, names)
            case ast.IfExp(test=test, body=body, orelse=otherwise):
                return self.value(body if self.truth(test, names) else otherwise, names)
            case ast.Subscript(value=owner, slice=ast.Constant(value=int() as place)) if place >= 0:
                match self.value(owner, names):
                    case Before() | Element() as found:
                        return type(found)((*found.path, place))
                    case tuple() as fields if place < len(fields):
                        return fields[place]
            case (
                ast.ListComp(elt=element, generators=[loop])
                | ast.GeneratorExp(elt=element, generators=[loop])
            ) if not loop.ifs:
                return self._mapped(loop.target, element, self.value(loop.iter, names))
            case ast.Call(func=function, args=args, keywords=[]):
                return self._call(function, args, names)
        raise UnknownForm

    def _plus(self, left: Any, right: Any) -> Any:
        nothing = self.empty and isinstance(right, Items) and not right.others
        if nothing and (right.each is not None or not isinstance(left, Items)):
            return left
        if isinstance(left, Items) and isinstance(right, Items):
            if left.each is not None and right.each is not None:
                raise UnknownForm
            return Items(left.each or right.each, (*left.others, *right.others))
        return as_sum(left).plus(as_sum(right))

    def _mapped(self, target: ast.expr, element: ast.expr, items: Any) -> Items:
        if not isinstance(items, Items) or items.others or not isinstance(items.each, Element):
            raise UnknownForm
        inner: dict[str, Any] = {}
        self.bind(target, items.each, inner)
        found = self.value(element, inner)
        if isinstance(found, Element) or (isinstance(found, Sum) and not found.terms):
            return Items(found)
        raise UnknownForm

    def _call(self, function: ast.expr, args: list[ast.expr], names: dict[str, Any]) -> Any:
        if self.known(function, "map") and len(args) == 2 and isinstance(args[0], ast.Lambda):
            target = args[0].args
            if len(target.args) == 1 and not target.defaults:
                name = ast.Name(target.args[0].arg, ast.Store())
                return self._mapped(name, args[0].body, self.value(args[1], names))
        if self.known(function, "functools.reduce") and 2 <= len(args) <= 3:
            if not self._adds(args[0]):
                raise UnknownForm
            return self._sum([self.value(each, names) for each in args[1:]], self.empty)
        given = [self.value(each, names) for each in args]
        if self.known(function, "sum") and 1 <= len(given) <= 2:
            return self._sum(given, False)
        match given:
            case [Items(each=Element() | Sum(), others=())] if self.known(function, "len"):
                return Sum() if self.empty else COUNT
        for best in ("max", "min"):
            if self.known(function, best) and (len(given) > 1 or isinstance(given[0], Items)):
                if len(given) > 1 and any(isinstance(each, Items) for each in given):
                    raise UnknownForm
                return self.best_of(best, given)
        raise UnknownForm

    def _sum(self, given: list[Any], raises: bool) -> Sum:
        if not isinstance(given[0], Items) or (raises and len(given) == 1):
            raise UnknownForm
        made = as_sum(given[1]) if len(given) > 1 else Sum()
        for other in given[0].others:
            made = made.plus(as_sum(other))
        match given[0].each:
            case Element(path=path) if not self.empty:
                made = made.plus(total(path))
            case Sum(number=number) if not self.empty:
                made = made.plus(COUNT, number)
        return made

    def _adds(self, function: ast.expr) -> bool:
        if self.known(function, "operator.add"):
            return True
        match function:
            case ast.Lambda(
                args=ast.arguments(args=[a, b], defaults=[]),
                body=ast.BinOp(ast.Name(id=left), ast.Add(), ast.Name(id=right)),
            ):
                return {str(left), str(right)} == {a.arg, b.arg}
        return False

    def truth(self, test: ast.expr, names: dict[str, Any]) -> bool:
        """Return whether a condition holds."""
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                return not self.truth(inner, names)
            case ast.BoolOp(op=ast.And(), values=parts):
                return all(self.truth(each, names) for each in parts)
            case ast.BoolOp(op=ast.Or(), values=parts):
                return any(self.truth(each, names) for each in parts)
            case ast.Compare(
                left=left,
                ops=[ast.Is() | ast.Eq() | ast.IsNot() | ast.NotEq() as op],
                comparators=[ast.Constant(value=None)],
            ):
                absent = self.value(left, names) == NOTHING
                return bool(absent == isinstance(op, ast.Is | ast.Eq))
            case ast.Compare(left=left, ops=[op], comparators=[ast.Constant(value=0)]):
                if plain(self.value(left, names)) not in (COUNT, Sum()):
                    raise UnknownForm
                if isinstance(op, ast.Gt | ast.NotEq):
                    return not self.empty
                if isinstance(op, ast.Eq):
                    return self.empty
                raise UnknownForm
        match plain(self.value(test, names)):
            case Absent():
                return False
            case Items(each=each, others=others):
                return bool(others) or (each is not None and not self.empty)
            case tuple():
                return True
            case Before(path=()):
                self.tests_truth = True
                return True
            case Sum(terms=terms, number=number) if not terms:
                return bool(number)
            case found if found == COUNT:
                return True
        raise UnknownForm
