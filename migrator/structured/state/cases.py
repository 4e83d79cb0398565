"""What a function of new values and a state computes, case by case, in symbols.

A case says whether there is a state and whether there are new values, so that tests of these are
decided. None stands for None. What is not understood raises `UnknownForm`.
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
class Sum:
    """A sum of terms, each with a factor, and a number."""

    terms: frozenset[tuple[Symbol | Best, float]] = frozenset()
    number: float = 0

    @property
    def single(self) -> Symbol | Best | None:
        """What it is, if it is one term."""
        ((term, times),) = self.terms if len(self.terms) == 1 else ((None, 0),)
        return term if times == 1 and not self.number else None

    def plus(self, other: Any, factor: float = 1) -> Sum:
        """Return the sum of both."""
        if not isinstance(other, Sum):
            raise UnknownForm
        found = dict(self.terms)
        for term, times in other.terms:
            found[term] = found.get(term, 0) + factor * times
        terms = frozenset((term, times) for term, times in found.items() if times)
        return Sum(terms, self.number + factor * other.number)


@dataclass(frozen=True)
class Items:
    """A list: a field of each new value, or a number for each, and single values after them."""

    each: Sum | None
    others: tuple[Any, ...] = ()


def one(term: Symbol | Best) -> Sum:
    """Return a value that is one term."""
    return Sum(frozenset({(term, 1)}))


def symbol(name: str, path: Path = ()) -> Sum:
    """Return a value that is one symbol."""
    return one(Symbol(name, path))


def field(value: Any, place: int) -> Any:
    """Return a field of a value."""
    match value:
        case Sum(single=Symbol(name="state" | "value" as name, path=path)):
            return symbol(name, (*path, place))
        case tuple() if place < len(value):
            return value[place]
    raise UnknownForm


def items_of(value: Any) -> Items:
    """Return a list of a field of each new value, or of a number for each."""
    if path_of(value) is not None or (isinstance(value, Sum) and not value.terms):
        return Items(value)
    raise UnknownForm


def path_of(value: Any) -> Path | None:
    """Return the field of a new value that a value is, None if it is none."""
    match value:
        case Sum(single=Symbol(name="value", path=path)):
            return path
    return None


COUNT = symbol("count")
Values = dict[str, Any]


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
        extra = given.vararg or given.kwarg or given.kwonlyargs or given.defaults
        if len(given.args) != 2 or extra or given.posonlyargs:
            raise UnknownForm
        states: dict[Old, Any] = {Old.NONE: None, Old.SOME: symbol("state"), Old.ZERO: Sum()}
        states[Old.EMPTY] = Items(None)
        values, state = (each.arg for each in given.args)
        names: Values = {values: Items(symbol("value")), state: states[self.old]}
        if isinstance(function, ast.Lambda):
            return self.value(function.body, names)
        return next(iter(self._run(function.body, names)), None)

    def _run(self, body: list[ast.stmt], names: Values) -> list[Any]:
        """Return what statements return, nothing if they go on."""
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
                    if found:
                        return found
                case ast.For(target=target, iter=node, body=inner, orelse=[]):
                    loop(self, target, self.value(node, names), inner, names)
                case ast.Return(value=node):
                    return [None if node is None else self.value(node, names)]
                case _:
                    raise UnknownForm
        return []

    def bind(self, target: ast.expr, value: Any, names: Values) -> None:
        """Give a value to the names of a target."""
        match target:
            case ast.Name(id=name):
                names[name] = value
            case ast.Tuple(elts=elts) if not isinstance(value, tuple) or len(elts) == len(value):
                for place, part in enumerate(elts):
                    self.bind(part, field(value, place), names)
            case _:
                raise UnknownForm

    def best_of(self, function: str, several: list[Any]) -> Sum:
        """Return the largest or smallest of some values."""
        found = frozenset(part for each in several for part in self._parts(function, each))
        if not found:
            raise UnknownForm
        (first, *rest) = found
        return one(Best(function, found)) if rest or path_of(first) is not None else first

    def _parts(self, function: str, value: Any) -> set[Sum]:
        """Return the values whose largest or smallest one a value, or an element of it, is."""
        match value:
            case Sum(single=Best(function=same, parts=parts)) if same == function:
                return set(parts)
            case Sum(terms=terms, single=single) if not terms or isinstance(single, Symbol):
                return {value}
            case Items(each=each, others=others) if path_of(each) is not None:
                found = set() if self.empty or each is None else {each}
                return found.union(*(self._parts(function, other) for other in others))
        raise UnknownForm

    def value(self, node: ast.expr, names: Values) -> Any:
        """Return what an expression is."""
        match node:
            case ast.Constant(value=None):
                return None
            case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
                self.has_float |= isinstance(number, float)
                return Sum(number=number)
            case ast.Name(id=name) if name in names:
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
        return self._part(node, names)

    def _part(self, node: ast.expr, names: Values) -> Any:
        """Return what a field, a list or a call is."""
        match node:
            case ast.Subscript(value=owner, slice=ast.Constant(value=int() as place)) if place >= 0:
                return field(self.value(owner, names), place)
            case (
                ast.ListComp(elt=elt, generators=[each])
                | ast.GeneratorExp(elt=elt, generators=[each])
            ) if not each.ifs:
                return self._mapped(each.target, elt, self.value(each.iter, names))
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
        return Sum().plus(left).plus(right)

    def _mapped(self, target: ast.expr, element: ast.expr, items: Any) -> Items:
        if not isinstance(items, Items) or items.others or path_of(items.each) is None:
            raise UnknownForm
        inner: Values = {}
        self.bind(target, items.each, inner)
        return items_of(self.value(element, inner))

    def _call(self, function: ast.expr, args: list[ast.expr], names: Values) -> Any:
        match args:
            case [ast.Lambda(args=ast.arguments(args=[one], defaults=[])) as mapping, node] if (
                self.known(function, "map")
            ):
                target = ast.Name(one.arg, ast.Store())
                return self._mapped(target, mapping.body, self.value(node, names))
            case [adding, *rest] if self.known(function, "functools.reduce") and self._adds(adding):
                return self.sum_of([self.value(each, names) for each in rest], self.empty)
        given = [self.value(each, names) for each in args]
        if self.known(function, "sum"):
            return self.sum_of(given, False)
        match given:
            case [Items(each=Sum(), others=())] if self.known(function, "len"):
                return Sum() if self.empty else COUNT
        for best in ("max", "min"):
            if self.known(function, best) and given:
                lists = [each for each in given if isinstance(each, Items)]
                if len(lists) == (len(given) == 1):
                    return self.best_of(best, given)
        raise UnknownForm

    def sum_of(self, given: list[Any], raises: bool) -> Sum:
        """Return the sum of a list and its start, which must be there if `raises` is true."""
        if not 1 + raises <= len(given) <= 2 or not isinstance(given[0], Items):
            raise UnknownForm
        made = Sum()
        for other in (*given[1:], *given[0].others):
            made = made.plus(other)
        match given[0].each:
            case Sum(single=Symbol(name="value", path=path)) if not self.empty:
                made = made.plus(symbol("sum", path))
            case Sum(number=number) if not self.empty:
                made = made.plus(COUNT, number)
        return made

    def _adds(self, function: ast.expr) -> bool:
        match function:
            case ast.Lambda(
                args=ast.arguments(args=[a, b], defaults=[]),
                body=ast.BinOp(ast.Name(id=left), ast.Add(), ast.Name(id=right)),
            ):
                return {str(left), str(right)} == {a.arg, b.arg}
        return self.known(function, "operator.add")

    def truth(self, test: ast.expr, names: Values) -> bool:
        """Return whether a condition holds."""
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                return not self.truth(inner, names)
            case ast.BoolOp(op=op, values=parts):
                holds = (self.truth(each, names) for each in parts)
                return all(holds) if isinstance(op, ast.And) else any(holds)
            case ast.Compare(
                left=left,
                ops=[ast.Is() | ast.Eq() | ast.IsNot() | ast.NotEq() as op],
                comparators=[ast.Constant(value=None)],
            ):
                absent = self.value(left, names) is None
                return absent == isinstance(op, ast.Is | ast.Eq)
            case ast.Compare(left=left, ops=[op], comparators=[ast.Constant(value=0)]):
                known = self.value(left, names) in (COUNT, Sum())
                if known and isinstance(op, ast.Gt | ast.NotEq | ast.Eq):
                    return self.empty == isinstance(op, ast.Eq)
                raise UnknownForm
        return self._is_true(self.value(test, names))

    def _is_true(self, value: Any) -> bool:
        match value:
            case None:
                return False
            case tuple():
                return True
            case Items(each=each, others=others):
                return bool(others) or (each is not None and not self.empty)
            case Sum(terms=terms, number=number) if not terms:
                return bool(number)
            case Sum(single=Symbol(name="state", path=())):
                self.tests_truth = True
                return True
        if value == COUNT:
            return True
        raise UnknownForm


@dataclass(frozen=True)
class _Row:
    """A statement of a loop, in which ``N`` is the name that it changes and ``V`` a value."""

    function: str
    written: str
    starts: bool = False
    """Whether None is taken for no value yet."""

    @property
    def statement(self) -> ast.stmt:
        """The statement."""
        return ast.parse(self.written).body[0]


_TABLE = (
    *(_Row("sum", each) for each in ("N += V", "N = N + V", "N = V + N")),
    *(_Row(best, f"N = {best}({each})") for best in ("max", "min") for each in ("N, V", "V, N")),
    *(
        _Row(best, f"if {guard}{left} {sign}{equal} {right}:\n    N = V", bool(guard))
        for guard in ("", "N is None or ")
        for equal in ("", "=")
        for best, left, sign, right in (
            *(("max", "V", ">", "N"), ("max", "N", "<", "V")),
            *(("min", "V", "<", "N"), ("min", "N", ">", "V")),
        )
    ),
)


def loop(case: Case, target: ast.expr, items: Any, body: list[ast.stmt], names: Values) -> None:
    """Read a loop over the new values, each statement of which changes a name of its own."""
    if not isinstance(items, Items) or items.others or path_of(items.each) is None:
        raise UnknownForm
    if case.empty:
        return
    inner: Values = {}
    case.bind(target, items.each, inner)
    changed: Values = {}
    for statement in body:
        name, value = _change(case, statement, inner, names)
        if name in changed or name in inner:
            raise UnknownForm
        changed[name] = value
    for name in inner:
        names.pop(name, None)
    names.update(changed)


def _change(case: Case, statement: ast.stmt, inner: Values, names: Values) -> tuple[str, Any]:
    """Return the name that a statement of a loop changes, and its value after the loop."""
    for row in _TABLE:
        found: dict[str, ast.AST] = {}
        if not _is_like(case, statement, row.statement, found):
            continue
        name, node = found["N"], found["V"]
        if not isinstance(name, ast.Name) or not isinstance(node, ast.expr) or name.id not in names:
            raise UnknownForm
        before, value = names[name.id], case.value(node, inner)
        if row.function == "sum":
            return name.id, case.sum_of([items_of(value), before], False)
        if path_of(value) is None:
            raise UnknownForm
        earlier = [] if before is None and row.starts else [before]
        return name.id, case.best_of(row.function, [*earlier, value])
    raise UnknownForm


def _is_like(case: Case, node: Any, row: Any, found: dict[str, ast.AST]) -> bool:
    """Return whether a piece of code is like one of the table, and note what N and V are."""
    if isinstance(row, ast.Name):
        if row.id in "NV":
            return ast.unparse(found.setdefault(row.id, node)) == ast.unparse(node)
        return isinstance(node, ast.expr) and case.known(node, row.id)
    if isinstance(row, list):
        same = isinstance(node, list) and len(node) == len(row)
        return same and all(_is_like(case, *pair, found) for pair in zip(node, row, strict=True))
    if isinstance(row, ast.AST):
        fields = (each for each in row._fields if each not in ("ctx", "type_comment"))
        return type(node) is type(row) and all(
            _is_like(case, getattr(node, each), getattr(row, each), found) for each in fields
        )
    return bool(node == row)
