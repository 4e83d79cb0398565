"""`for` loops that yield, or append to a list: as ``transform`` of a ``filter``."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Generic, TypeVar

from ..expressions import Expression, Literal, Variable
from ..functions.arrays import over
from ..raising import always_evaluated, may_raise
from ..refusals import Code
from ..scope import Scope, Site
from ..truth import both, either, negate, not_none
from ..types import Array, Boolean
from .comprehensions import target_names
from .conditions import choice

Emitted = Callable[[ast.stmt], ast.expr | None]
Found = TypeVar("Found")
YES, NO = Literal(Boolean(), True), Literal(Boolean(), False)


def yielded_value(statement: ast.stmt) -> ast.expr | None:
    """Return what a statement yields, None if it is no `yield`."""
    match statement:
        case ast.Expr(value=ast.Yield(value=value)):
            return value or ast.copy_location(ast.Constant(None), statement)
    return None


def appended_value(name: str) -> Emitted:
    """Return what a statement appends to a list of a name."""

    def value_of(statement: ast.stmt) -> ast.expr | None:
        match statement:
            case ast.Expr(
                value=ast.Call(
                    func=ast.Attribute(value=ast.Name(id=own), attr="append"),
                    args=[value],
                    keywords=[],
                )
            ) if own == name and not isinstance(value, ast.Starred):
                return value
        return None

    return value_of


def list_name(loop: ast.For) -> str | None:
    """Return the only name of a list to which a loop appends."""
    names = {
        statement.value.func.value.id
        for statement in ast.walk(loop)
        if isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Call)
        and isinstance(statement.value.func, ast.Attribute)
        and statement.value.func.attr == "append"
        and isinstance(statement.value.func.value, ast.Name)
    }
    return names.pop() if len(names) == 1 else None


def is_generator(function: ast.FunctionDef) -> bool:
    """Return whether a function yields."""
    return any(isinstance(each, ast.Yield | ast.YieldFrom) for each in _own(function.body))


def loop_array(scope: Scope, loop: ast.For, emitted: Emitted) -> Expression:
    """Return the list of what a loop yields or appends: at most one value for each element."""
    here = scope.at(loop)
    if loop.orelse:
        here.refuse(Code.SYNTAX, "`else` of a loop is not translated")
    again = sorted(name for name in _assigned_names(loop) if scope.names.get(name) is not None)
    if again:
        here.refuse(Code.SYNTAX, f"`{again[0]}` is assigned again in the loop")
    array = here.expect(scope.value(loop.iter), Array)
    assert isinstance(array.type, Array)
    name = loop.target.id if isinstance(loop.target, ast.Name) else "pair"
    element = Variable(array.type.element, scope.free_name(name))
    array = replace(array, type=replace(array.type, lazy=False))
    inner = scope.binding(target_names(here, loop.target, element))
    test = _Test(emitted).of(loop.body, inner)
    if test == NO:
        here.refuse(Code.SYNTAX, "the loop gives nothing")
    if test != YES:
        array = over(array, "filter", element, test)
    value = _Value(emitted, test == YES).of(loop.body, inner)
    assert value is not None
    return over(array, "transform", element, value)


class _Walk(Generic[Found]):
    """Follows the statements of a loop along its branches."""

    def __init__(self, emitted: Emitted) -> None:
        self._emitted = emitted

    def of(self, statements: list[ast.stmt], scope: Scope) -> Found:
        """Return what the statements give."""
        if not statements or isinstance(statements[0], ast.Continue):
            return self.nothing()
        first, rest = statements[0], statements[1:]
        here = scope.at(first)
        value = self._emitted(first)
        if value is not None:
            if rest and not isinstance(rest[0], ast.Continue):
                here.refuse(Code.SYNTAX, "the loop goes on after it has given a value")
            return self.value(scope, value)
        match first:
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                return self.of(rest, scope)
            case ast.If():
                test = scope.condition(first.test)
                body = scope.with_known_values(not_none(test, True))
                orelse = scope.with_known_values(not_none(test, False))
                if isinstance(test, Literal):
                    return self.of([*(first.body if test.value else first.orelse), *rest], scope)
                return self.either(
                    here,
                    test,
                    self.of([*first.body, *rest], body),
                    self.of([*first.orelse, *rest], orelse),
                )
            case ast.Assign(targets=[target], value=node):
                named = scope.value(node)
                if not isinstance(named, Expression):
                    here.refuse(Code.TYPE, "a function is used as a value")
                if isinstance(named.type, Array) and named.type.lazy:
                    here.refuse(Code.TYPE, "an iterator gets a name; it can be read only once")
                if not isinstance(target, ast.Name) and isinstance(named.type, Array):
                    here.refuse(Code.SYNTAX, "a list is unpacked in a loop")
                names = target_names(here, target, named)
                again = [name for name in names if scope.names.get(name) is not None]
                if again:
                    here.refuse(Code.SYNTAX, f"`{again[0]}` is assigned again in the loop")
                result = self.of(rest, scope.binding(names))
                parts = [each for each in names.values() if isinstance(each, Expression)]
                self.evaluates(here, result, [each for each in parts if may_raise(each)])
                return result
        here.refuse(Code.SYNTAX, "this statement in a loop is not translated")

    def nothing(self) -> Found:
        """Return where an element gives no value."""
        raise NotImplementedError

    def value(self, scope: Scope, node: ast.expr) -> Found:
        """Return where an element gives a value."""
        raise NotImplementedError

    def either(self, here: Site, test: Expression, body: Found, orelse: Found) -> Found:
        """Return where a condition decides."""
        raise NotImplementedError

    def evaluates(self, here: Site, result: Found, raising: list[Expression]) -> None:
        """Refuse what Python evaluates and the result may not."""
        raise NotImplementedError


class _Test(_Walk[Expression]):
    """The condition that an element gives a value."""

    def nothing(self) -> Expression:
        return NO

    def value(self, scope: Scope, node: ast.expr) -> Expression:
        return YES

    def either(
        self, here: Site, test: Expression, body: Expression, orelse: Expression
    ) -> Expression:
        if body == orelse:
            if body != YES and may_raise(test):
                here.refuse(Code.EVALUATION, "the condition may raise, but decides nothing")
            return body
        if body == YES:
            return test if orelse == NO else either(test, orelse)
        if orelse == NO:
            return both(test, body)
        if body == NO:
            return negate(test) if orelse == YES else both(negate(test), orelse)
        return choice(here, test, body, orelse)

    def evaluates(self, here: Site, result: Expression, raising: list[Expression]) -> None:
        if result != YES and not {*always_evaluated(result)}.issuperset(raising):
            here.refuse(Code.EVALUATION, "the value may raise, but is not always used")


class _Value(_Walk[Expression | None]):
    """The value of an element that gives one; None where it gives none."""

    def __init__(self, emitted: Emitted, always: bool) -> None:
        super().__init__(emitted)
        self._always = always

    def nothing(self) -> Expression | None:
        return None

    def value(self, scope: Scope, node: ast.expr) -> Expression | None:
        return scope.expression(node)

    def either(
        self, here: Site, test: Expression, body: Expression | None, orelse: Expression | None
    ) -> Expression | None:
        # the filter has taken care of the elements that give nothing
        if body is None or orelse is None:
            return orelse if body is None else body
        return choice(here, test, body, orelse)

    def evaluates(self, here: Site, result: Expression | None, raising: list[Expression]) -> None:
        # where there is a filter, it evaluates the value for all elements
        if not self._always or result is None:
            return
        if not {*always_evaluated(result)}.issuperset(raising):
            here.refuse(Code.EVALUATION, "the value may raise, but is not always used")


def _assigned_names(loop: ast.For) -> set[str]:
    return {
        each.id
        for each in _own([loop])
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    }


def _own(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """Yield the nodes of statements, without those of functions inside."""
    pending: list[ast.AST] = [*body]
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.Lambda | ast.ClassDef):
            pending.extend(ast.iter_child_nodes(node))
