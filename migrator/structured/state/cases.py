"""What a function of new values and a state computes, case by case: types with one value each.

A case says whether there is a state and whether there are new values, so that tests of these are
decided. What has no symbol is of a type as elsewhere, and equal to no symbol.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from dstream_compat.native.names import Known, Local
from dstream_compat.native.types import Array, Boolean, Double, Long, NoneType, String, Tuple, Type

from ..udfs.expressions import TypeInference
from ..udfs.names import JobNames, Names, Value
from ..udfs.types import Certain, UnknownTypeError, is_lazy

Path = tuple[int, ...]


@dataclass(frozen=True)
class Symbol:
    """``state``, ``value`` (a new one, in a loop), ``sum`` and ``count`` of the new values; or a
    field of it.
    """

    name: str
    path: Path = ()


@dataclass(frozen=True)
class Best:
    """The largest or smallest of some values."""

    function: str
    parts: frozenset[Sum]


@dataclass(frozen=True)
class Sum(Type):
    """A sum of terms, each with a factor, and a number."""

    terms: frozenset[tuple[Symbol | Best, float]] = frozenset()
    number: float = 0
    word = "a number of a state"

    @property
    def single(self) -> Symbol | Best | None:
        """What it is, if it is one term."""
        ((term, times),) = self.terms if len(self.terms) == 1 else ((None, 0),)
        return term if times == 1 and not self.number else None

    def plus(self, other: Any, factor: float = 1) -> Sum:
        """Return the sum of both."""
        if not isinstance(other, Sum):
            raise UnknownTypeError("no number is added")
        sums = dict(self.terms)
        for term, times in other.terms:
            sums[term] = sums.get(term, 0) + factor * times
        terms = frozenset((term, times) for term, times in sums.items() if times)
        return Sum(terms, self.number + factor * other.number)


@dataclass(frozen=True)
class Items(Type):
    """A list: a field of each new value, or a number for each, and single values after them; an
    iterator of them if `lazy` is true.
    """

    each: Sum | None
    others: tuple[Type, ...] = ()
    lazy: bool = False
    word = "a list of new values"


def one(term: Symbol | Best) -> Sum:
    """Return a value that is one term."""
    return Sum(frozenset({(term, 1)}))


def symbol(name: str, path: Path = ()) -> Sum:
    """Return a value that is one symbol."""
    return one(Symbol(name, path))


def items_of(value: Any, lazy: bool = False) -> Items:
    """Return a list of a field of each new value, or of a number for each."""
    if path_of(value) is not None or (isinstance(value, Sum) and not value.terms):
        return Items(value, lazy=lazy)
    raise UnknownTypeError("the elements of a list are not known")


def path_of(value: Any) -> Path | None:
    """Return the field of a new value that a value is, None if it is none."""
    match value:
        case Sum(single=Symbol(name="value", path=path)):
            return path
    return None


COUNT = symbol("count")
VALUES = Items(symbol("value"))
STATE = symbol("state")
"""A state that is true; other states are given as None, the number 0 or an empty list."""


class Case(TypeInference):
    """One case.

    Parameters
    ----------
    empty : bool
        whether there are no new values
    """

    def __init__(self, names: JobNames, empty: bool = False) -> None:
        module = names.module
        super().__init__(names.lookup, module.environment_in(names.node.block))
        self.path_of = module.path_of
        self.empty = empty
        self.tests_truth = False
        self.has_float = False

    def result(self, function: Value, *kind: Type) -> Type:
        """Return what a function returns.

        Raises
        ------
        UnknownTypeError
            if it is not known, or if the function may raise
        """
        result_kind = self.call(function, [*kind])
        if self.raised | self.uncaught:
            raise UnknownTypeError("the function may raise")
        return result_kind

    def call(self, function: Value, arguments: list[Type]) -> Type:
        if isinstance(function, Local) and any(map(is_lazy, arguments)):
            raise UnknownTypeError("an iterator is passed on, which can only be read once")
        return super().call(function, arguments)

    def value(self, node: ast.expr, names: Names) -> Value:
        match node:
            case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
                self.has_float |= isinstance(number, float)
                return Sum(number=number)
            case ast.List(elts=parts) if not any(isinstance(e, ast.Starred) for e in parts):
                return Items(None, tuple(self.type(part, names) for part in parts))
            case (
                ast.ListComp(elt=made, generators=[each])
                | ast.GeneratorExp(elt=made, generators=[each])
            ) if not each.ifs:
                items = self.type(each.iter, names)
                if isinstance(items, Items):
                    inner = dict(names)
                    self.bind(each.target, self._element(items), inner)
                    return items_of(self.type(made, inner), isinstance(node, ast.GeneratorExp))
            case ast.Call(func=function, args=[adding, *rest], keywords=[]) if (
                self.path_of(function) == "functools.reduce"
            ):
                a, b = symbol("a"), symbol("b")
                if self.call(self.value(adding, names), [a, b]) != a.plus(b):
                    raise UnknownTypeError("the function of `reduce` adds no values")
                return self.sum_of([self.type(each, names) for each in rest], self.empty)
        return super().value(node, names)

    @staticmethod
    def _element(items: Type) -> Sum:
        """Return the element of a list of a field of each new value."""
        if not isinstance(items, Items) or items.others or path_of(items.each) is None:
            raise UnknownTypeError("the elements of a list are not known")
        assert items.each is not None
        return items.each

    def part_at(self, owner: Type, index: Type) -> Type:
        if not isinstance(index, Sum) or index.terms or not isinstance(index.number, int):
            return super().part_at(owner, index)
        if isinstance(owner, Tuple):
            return super().part_at(owner, Long(index.number, index.number))
        return self.type_of_unpacked(index.number, 0, owner)

    def type_of_unpacked(self, place: int, number: int, kind: Type) -> Type:
        match kind:
            case Sum(single=Symbol(name="state" | "value" as name, path=path)):
                return symbol(name, (*path, place))
        return super().type_of_unpacked(place, number, kind)

    def operation(self, op: ast.operator, left: Type, right: Type) -> Type:
        if not isinstance(op, ast.Add) or is_lazy(left) or is_lazy(right):
            return super().operation(op, left, right)
        if self.empty and isinstance(right, Items) and not right.others:
            return left
        if isinstance(left, Items) and isinstance(right, Items):
            if left.each is not None and right.each is not None:
                raise UnknownTypeError("two lists of the new values")
            return Items(left.each or right.each, (*left.others, *right.others))
        if isinstance(left, Sum):
            return left.plus(right)
        return super().operation(op, left, right)

    def type_of_known_call(
        self, name: str, values: list[Value], keywords: dict[str, Value], nodes: list[ast.expr]
    ) -> Type:
        kinds = [value for value in values if isinstance(value, Type)]
        match name, values:
            case "map", [function, Items() as items] if not keywords:
                return items_of(self.call(function, [self._element(items)]), lazy=True)
            case "operator.add", [Type() as left, Type() as right]:
                return self.operation(ast.Add(), left, right)
            case "sum", [Items(), *_] if not keywords and len(kinds) == len(values):
                return self.sum_of(kinds, False)
            case "len", [Items(each=Sum(), others=(), lazy=False)]:
                return Sum() if self.empty else COUNT
            case "max" | "min", [_, *_] if not keywords:
                lists = [each for each in kinds if isinstance(each, Items)]
                if len(lists) == (len(values) == 1):
                    return self.best_of(name, kinds)
        return super().type_of_known_call(name, values, keywords, nodes)

    def sum_of(self, kinds: list[Type], raises: bool) -> Sum:
        """Return the sum of a list and its start, which must be there if `raises` is true."""
        if not 1 + raises <= len(kinds) <= 2 or not isinstance(kinds[0], Items):
            raise UnknownTypeError("the sum is not known")
        total = Sum()
        for other in (*kinds[1:], *kinds[0].others):
            total = total.plus(other)
        match kinds[0].each:
            case Sum(single=Symbol(name="value", path=path)) if not self.empty:
                total = total.plus(symbol("sum", path))
            case Sum(number=number) if not self.empty:
                total = total.plus(COUNT, number)
        return total

    def best_of(self, function: str, several: list[Type]) -> Sum:
        """Return the largest or smallest of some values."""
        parts = frozenset(part for kind in several for part in self._parts(function, kind))
        if not parts:
            raise UnknownTypeError("there may be no values")
        (first, *rest) = parts
        return one(Best(function, parts)) if rest or path_of(first) is not None else first

    def _parts(self, function: str, value: Type) -> set[Sum]:
        """Return the values whose largest or smallest one a value, or an element of it, is."""
        match value:
            case Sum(single=Best(function=same, parts=parts)) if same == function:
                return set(parts)
            case Sum(terms=terms, single=single) if not terms or isinstance(single, Symbol):
                return {value}
            case Items(each=each, others=others) if path_of(each) is not None:
                found = set() if self.empty or each is None else {each}
                return found.union(*(self._parts(function, other) for other in others))
        raise UnknownTypeError(f"the {function} is not known")

    def comparison(self, node: ast.Compare, kinds: list[Type]) -> Type:
        match node.ops, kinds:
            case [ast.Gt() | ast.NotEq() | ast.Eq() as op], [left, Sum()] if kinds[1] == Sum():
                if left in (COUNT, Sum()):
                    return Certain((left == Sum()) == isinstance(op, ast.Eq))
        return super().comparison(node, kinds)

    def truth(self, kind: Type) -> bool | None:
        match kind:
            case Items(each=each, others=others, lazy=False):
                return bool(others) or (each is not None and not self.empty)
            case Sum(terms=terms, number=number) if not terms:
                return bool(number)
            case Sum(single=Symbol(name="state", path=())):
                self.tests_truth = True
                return True
        return True if kind == COUNT else super().truth(kind)

    def loop(self, loop: ast.For, names: Names) -> Names:
        """Return the names after a loop over the new values, each statement of which changes
        a name of its own.
        """
        inner: Names = {}
        self.bind(loop.target, self._element(self.type(loop.iter, names)), inner)
        if self.empty:
            return names
        changed: Names = {}
        for statement in loop.body:
            name, value = self._change(statement, inner, names)
            if name in changed or name in inner:
                raise UnknownTypeError(f"`{name}` is changed twice")
            changed[name] = value
        return {name: kind for name, kind in names.items() if name not in inner} | changed

    def _change(self, statement: ast.stmt, inner: Names, names: Names) -> tuple[str, Type]:
        """Return the name that a statement of a loop changes, and its value after the loop."""
        text = ast.unparse(statement)
        parts = {ast.unparse(e): e for e in ast.walk(statement) if isinstance(e, ast.expr)}
        for (function, form), name, part in product(_TABLE, names.keys() & parts.keys(), parts):
            before = names[name]
            if form.format(N=name, V=part) != text or not isinstance(before, Type):
                continue
            value = self.type(parts[part], inner)
            if function == "sum":
                return name, self.sum_of([items_of(value), before], False)
            built_in = self.value(ast.Name(function, ast.Load()), names) == Known(function)
            if path_of(value) is None or not (built_in or form.startswith("if ")):
                break
            none = "is None" in form and isinstance(before, NoneType)
            return name, self.best_of(function, [*([] if none else [before]), value])
        raise UnknownTypeError("what a statement of a loop does is not known", statement)


_TABLE = (
    *(("sum", form) for form in ("{N} += {V}", "{N} = {N} + {V}", "{N} = {V} + {N}")),
    *((best, f"{{N}} = {best}({{N}}, {{V}})") for best in ("max", "min")),
    *((best, f"{{N}} = {best}({{V}}, {{N}})") for best in ("max", "min")),
    *(
        (best, f"if {guard}{{V}} {sign}{equal} {{N}}:\n    {{N}} = {{V}}")
        for guard, equal in product(("", "{N} is None or "), ("", "="))
        for best, sign in (("max", ">"), ("min", "<"))
    ),
    *(
        (best, f"if {guard}{{N}} {sign}{equal} {{V}}:\n    {{N}} = {{V}}")
        for guard, equal in product(("", "{N} is None or "), ("", "="))
        for best, sign in (("max", "<"), ("min", ">"))
    ),
)
"""Statements of a loop, in which ``N`` is the name that they change and ``V`` a value; after
``N is None or``, None is taken for no value yet.
"""


@dataclass(frozen=True)
class RunningValue:
    """A running value.

    Parameters
    ----------
    function : str
        ``sum``, ``count``, ``max`` or ``min``
    path : tuple of int
        the field of the values, empty for the values themselves
    """

    function: str
    path: Path = ()


@dataclass(frozen=True)
class Running:
    """A function of new values and a state that only goes on with running values.

    Parameters
    ----------
    parts : tuple of Part
        the fields of the state, or the state
    is_tuple : bool
        whether the state is a tuple
    tests_truth : bool
        whether the function takes a state of 0 for none
    has_float : bool
        whether a float is among its numbers, so that sums of integers become floats
    """

    parts: tuple[RunningValue, ...]
    is_tuple: bool
    tests_truth: bool
    has_float: bool


def running_values(function: Local, names: JobNames) -> Running | None:
    """Return the running values of a function of
    `updateStateByKey`; None if it does more, or less.
    """
    try:
        start = Case(names)
        first = start.result(function, VALUES, NoneType())
        is_tuple = isinstance(first, Tuple)
        parts = tuple(map(_part, _fields(first)))
        tests_truth, has_float = False, start.has_float
        for old in [STATE] if is_tuple else [STATE, Sum()]:
            before = [symbol("state", (n,)) for n in range(len(parts))] if is_tuple else [old]
            for empty in (False, True):
                case = Case(names, empty)
                kind = case.result(function, VALUES, old)
                pairs = zip(parts, before, strict=True)
                expected = tuple(before if empty else (_next(*pair) for pair in pairs))
                tests_truth |= case.tests_truth
                has_float |= case.has_float
                same = empty and kind == old
                if not same and (is_tuple, expected) != (isinstance(kind, Tuple), _fields(kind)):
                    return None
    except UnknownTypeError:
        return None
    return Running(parts, is_tuple, tests_truth, has_float)


def _fields(kind: Type) -> tuple[Type, ...]:
    return kind.fields if isinstance(kind, Tuple) else (kind,)


def _part(kind: Type) -> RunningValue:
    match kind:
        case Sum(single=Best(function=function, parts=parts)) if len(parts) == 1:
            path = path_of(*parts)
            if path is not None:
                return RunningValue(function, path)
        case Sum(single=Symbol(name="count" | "sum" as name, path=path)):
            return RunningValue(name, path)
    raise UnknownTypeError("it is no running value")


def _next(part: RunningValue, before: Sum) -> Sum:
    """Return the running value after some values, from the one before."""
    if part.function in ("max", "min"):
        return one(Best(part.function, frozenset({before, symbol("value", part.path)})))
    return before.plus(symbol(part.function, part.path))


def keeps_idle_state(function: Local, kind: Type, names: JobNames) -> bool:
    """Return whether it is shown that a state stays as it is without new values.

    A result that is cut or removed by a test of itself stays as it is, because a state is such a
    result already.
    """
    olds: list[Type] = [STATE]
    if isinstance(kind, Long | Double | Boolean):
        olds.append(Sum())
    if isinstance(kind, Array):
        olds.append(Items(None))
    plain = replace(function, node=_without_last_step(function))
    for old in olds:
        case = Case(names, empty=True)
        try:
            idle_kind = case.result(plain, VALUES, old)
        except UnknownTypeError:
            return False
        same = idle_kind == old
        if isinstance(idle_kind, Tuple) and isinstance(kind, Tuple):
            fields = tuple(symbol("state", (place,)) for place in range(len(kind.fields)))
            same = idle_kind.fields == fields
        if not same or (case.tests_truth and isinstance(kind, String)):
            return False
    return True


def _without_last_step(function: Local) -> ast.Lambda | ast.FunctionDef:
    node = function.node
    if isinstance(node, ast.Lambda):
        return ast.Lambda(node.args, _inner(node.body, function))
    returns = [inner for inner in ast.walk(node) if isinstance(inner, ast.Return)]
    last = node.body[-1]
    if len(returns) != 1 or not isinstance(last, ast.Return) or last.value is None:
        return node
    body = [*node.body[:-1], ast.Return(_inner(last.value, function))]
    return ast.FunctionDef(node.name, node.args, body, [])


def _inner(result: ast.expr, function: Local) -> ast.expr:
    """Return a result without a step that does nothing when it is done again."""
    match result:
        case ast.IfExp(test=test, body=ast.Name(id=name) as body, orelse=ast.Constant(value=None)):
            if _is_test_of(test, name):
                return body
        case ast.IfExp(test=test, body=ast.Constant(value=None), orelse=ast.Name(id=name) as body):
            if _is_test_of(test, name):
                return body
        case ast.Subscript(value=inner, slice=ast.Slice(lower=lower, upper=None, step=None)):
            if isinstance(lower, ast.UnaryOp) and isinstance(lower.op, ast.USub):
                return inner
        case ast.Subscript(value=inner, slice=ast.Slice(lower=None, step=None)):
            return inner
        case ast.Call(func=ast.Name(id=name), args=[inner], keywords=[]):
            if name == "sorted" and function.environment.lookup(name) == Known(name):
                return inner
    return result


def _is_test_of(test: ast.expr, name: str) -> bool:
    """Return whether a test has a fixed result for a value:
    it compares the value with constants.
    """
    allowed = (ast.Compare, ast.BoolOp, ast.UnaryOp, ast.Name, ast.Constant, ast.Subscript)
    context = (ast.cmpop, ast.boolop, ast.unaryop, ast.expr_context)
    return all(
        isinstance(node, context)
        or (isinstance(node, allowed) and (not isinstance(node, ast.Name) or node.id == name))
        for node in ast.walk(test)
    )
