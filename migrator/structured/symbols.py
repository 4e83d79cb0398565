"""What a function of new values and a state computes, case by case, in symbols.

A case says whether there is a state and whether there are new values, so that tests of these are
decided. What is not understood raises `UnknownForm`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

Path = tuple[int, ...]


class UnknownForm(Exception):
    """The function is not one of those that are known."""


class Old(Enum):
    """The state that a function is given."""

    NONE = "no state"
    SOME = "a state that is true"
    ZERO = "the state 0"
    EMPTY = "the state []"


@dataclass(frozen=True)
class Absent:
    """None."""


@dataclass(frozen=True)
class Before:
    """The state, or a field of it."""

    path: Path = ()


@dataclass(frozen=True)
class Element:
    """A new value in a loop, or a field of it."""

    path: Path = ()


@dataclass(frozen=True)
class Sum:
    """A sum of terms, each with a factor, and a number."""

    terms: frozenset[tuple[Any, float]] = frozenset()
    number: float = 0

    def plus(self, other: Sum, factor: float = 1) -> Sum:
        """The sum of both."""
        found = dict(self.terms)
        for term, times in other.terms:
            found[term] = found.get(term, 0) + factor * times
        terms = frozenset((term, times) for term, times in found.items() if times)
        return Sum(terms, self.number + factor * other.number)


@dataclass(frozen=True)
class Best:
    """The largest or smallest of some values."""

    function: str
    parts: frozenset[Any]


@dataclass(frozen=True)
class Items:
    """A list: a field of each new value, or a number for each, and single values after them."""

    each: Element | Sum | None
    others: tuple[Any, ...] = ()


NOTHING = Absent()
COUNT = Sum(frozenset({("count", 1)}))


def total(path: Path) -> Sum:
    """The sum of a field of the new values."""
    return Sum(frozenset({(("sum", path), 1)}))


def as_sum(value: Any) -> Sum:
    """A value as a sum."""
    match value:
        case Sum():
            return value
        case Before() | Best():
            return Sum(frozenset({(value, 1)}))
    raise UnknownForm


def plain(value: Any) -> Any:
    """A value in the form in which equal values are equal."""
    match value:
        case tuple():
            return tuple(plain(each) for each in value)
        case Sum(terms=terms, number=0) if len(terms) == 1:
            ((term, times),) = terms
            return term if times == 1 and isinstance(term, Before | Best) else value
        case Best(parts=parts) if len(parts) == 1:
            (part,) = parts
            return part if isinstance(part, Before | Sum) else value
    return value


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
        """What the function returns.

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
        """What statements return, None if they go on."""
        for statement in body:
            match statement:
                case ast.Pass() | ast.Expr(value=ast.Constant()):
                    pass
                case ast.Assign(targets=[target], value=node):
                    self._bind(target, self.value(node, names), names)
                case ast.AugAssign(target=ast.Name(id=name) as target, op=op, value=node):
                    whole = ast.BinOp(ast.Name(name, ast.Load()), op, node)
                    self._bind(target, self.value(whole, names), names)
                case ast.If(test=test, body=then, orelse=otherwise):
                    found = self._run(then if self.truth(test, names) else otherwise, names)
                    if found is not None:
                        return found
                case ast.For(target=target, iter=node, body=inner, orelse=[]):
                    self._loop(target, self.value(node, names), inner, names)
                case ast.Return(value=node):
                    return NOTHING if node is None else self.value(node, names)
                case _:
                    raise UnknownForm
        return None

    def _bind(self, target: ast.expr, value: Any, names: dict[str, Any]) -> None:
        match target, value:
            case ast.Name(id=name), _:
                names[name] = value
            case ast.Tuple(elts=parts), tuple() if len(parts) == len(value):
                for part, each in zip(parts, value, strict=True):
                    self._bind(part, each, names)
            case ast.Tuple(elts=parts), Before() | Element():
                for place, part in enumerate(parts):
                    self._bind(part, type(value)((*value.path, place)), names)
            case _:
                raise UnknownForm

    def _loop(
        self, target: ast.expr, items: Any, body: list[ast.stmt], names: dict[str, Any]
    ) -> None:
        """A loop over the new values, each statement of which changes a name of its own."""
        if not isinstance(items, Items) or items.others or not isinstance(items.each, Element):
            raise UnknownForm
        if self.empty:
            return
        inner: dict[str, Any] = {}
        self._bind(target, items.each, inner)
        changed: dict[str, Any] = {}
        for statement in body:
            name, value = self._changed(statement, inner, names)
            if name in changed or name in inner:
                raise UnknownForm
            changed[name] = value
        names.update(dict.fromkeys(inner))
        names.update(changed)

    def _changed(
        self, statement: ast.stmt, inner: dict[str, Any], names: dict[str, Any]
    ) -> tuple[str, Any]:
        """The name that a statement of a loop changes, and its value after the loop."""
        match statement:
            case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=node):
                return name, self._added(names.get(name), node, inner)
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.BinOp(ast.Name(id=same), ast.Add(), node)
                | ast.BinOp(node, ast.Add(), ast.Name(id=same)),
            ) if same == name:
                return name, self._added(names.get(name), node, inner)
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.Call(func=function, args=[ast.Name(id=same), node], keywords=[])
                | ast.Call(func=function, args=[node, ast.Name(id=same)], keywords=[]),
            ) if same == name:
                for best in ("max", "min"):
                    if self.known(function, best):
                        return name, self._best(best, names.get(name), node, inner)
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
                return name, self._replaced(test, name, before, node, inner)
        raise UnknownForm

    def _added(self, before: Any, node: ast.expr, inner: dict[str, Any]) -> Sum:
        match self.value(node, inner):
            case Element(path=path):
                return as_sum(before).plus(total(path))
            case Sum(terms=terms, number=number) if not terms:
                return as_sum(before).plus(COUNT, number)
        raise UnknownForm

    def _replaced(
        self, test: ast.expr, name: str, before: Any, node: ast.expr, inner: dict[str, Any]
    ) -> Best:
        """``if value > largest: largest = value``."""
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
        return self._best(function, before, node, inner)

    def _best(self, function: str, before: Any, node: ast.expr, inner: dict[str, Any]) -> Best:
        found = self.value(node, inner)
        if not isinstance(found, Element):
            raise UnknownForm
        return self._best_of(function, [before, found])

    def _best_of(self, function: str, parts: list[Any]) -> Best:
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
                    found |= self._best_of(function, [*others]).parts if others else set()
                case _:
                    raise UnknownForm
        if not found:
            raise UnknownForm
        return Best(function, frozenset(found))

    def value(self, node: ast.expr, names: dict[str, Any]) -> Any:
        """What an expression is."""
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
                    case tuple() as parts if place < len(parts):
                        return parts[place]
            case ast.ListComp(elt=element, generators=[loop]) | ast.GeneratorExp(
                elt=element, generators=[loop]
            ) if not loop.ifs:
                return self._mapped(loop.target, element, self.value(loop.iter, names))
            case ast.Call(func=function, args=args, keywords=[]):
                return self._call(function, args, names)
        raise UnknownForm

    def _plus(self, left: Any, right: Any) -> Any:
        if self.empty and isinstance(right, Items) and not right.others:
            if right.each is not None or not isinstance(left, Items):
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
        self._bind(target, items.each, inner)
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
                return self._best_of(best, given)
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
                return {left, right} == {a.arg, b.arg}
        return False

    def truth(self, test: ast.expr, names: dict[str, Any]) -> bool:
        """Whether a condition holds."""
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
                return absent == isinstance(op, ast.Is | ast.Eq)
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
