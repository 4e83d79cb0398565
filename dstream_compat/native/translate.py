"""The front door: functions of `map`, `filter` and `flatMap`, as expressions.

Decision 0090: Functions are translated only if they are equal for every input.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from types import FunctionType
from typing import Any

from . import functions, syntax
from .access import fields_of
from .expressions import Call, Column, Expression, Struct, struct
from .json_uses import JsonUses
from .live import meaning_of
from .names import Builtins, Environment, Local, Meaning, defaults
from .raising import may_raise
from .refusals import ACCEPTABLE, Code, Refusal, RefusedError, refusal_error
from .registry import FUNCTIONS, SYNTAX
from .scope import Scope, Site, TranslationRun
from .syntax.calls import call_condition, call_value
from .syntax.conditions import condition
from .types import (
    Array,
    Never,
    Tuple,
    Type,
    join,
    walk,
    words,
)

Function = Callable[..., Any] | ast.Lambda | ast.FunctionDef | ast.expr
assert FUNCTIONS and SYNTAX and functions and syntax


@dataclass(frozen=True)
class Translation:
    """A translated function.

    Parameters
    ----------
    expression : Expression
        computes what the function returns; of `flatMap`, the array of records
    type : Type
        the type of a record of the result
    accepted : tuple of Refusal
        the differences that occur and that the caller accepts
    """

    expression: Expression
    type: Type
    accepted: tuple[Refusal, ...] = ()

    @property
    def may_raise(self) -> bool:
        """Whether an input may raise; then the expression must not be left out as unused."""
        return may_raise(self.expression)

    def columns(self, names: Iterable[str]) -> list[tuple[str, Expression]]:
        """Return the columns of a record with their names: the fields of a tuple, or one column."""
        expression = self.expression
        fields = fields_of(expression) if isinstance(expression.type, Tuple) else (expression,)
        return [*zip(names, fields, strict=True)]


def column(name: str, kind: Type) -> Expression:
    """Return a record that is one column."""
    return Column(kind, name)


def row(columns: Mapping[str, Type], attributes: bool = False) -> Expression:
    """Return a record that is a tuple, each field a column; or, with attributes, a `Row`."""
    fields = tuple(Column(kind, name) for name, kind in columns.items())
    record = struct(fields, tuple(columns))
    kind = Tuple(tuple(columns), tuple(columns.values()), attributes)
    return Struct(kind, record.fields)


class Translator:
    """Translates functions.

    Parameters
    ----------
    environment : Environment, optional
        the names of functions that are given as syntax; by default the built-in ones
    accept : collection of Code
        the differences that are accepted: see `Code.accepted`
    json : Type or JsonUses, optional
        the shape of the texts that `json.loads` reads, or what finds it out from their uses
    assume : collection of Code
        accepted differences that the caller rules out for its data, so that no expression tests
        for them; only `Code.CASE_MAPPING` has such a test
    """

    def __init__(
        self,
        environment: Environment | None = None,
        accept: Collection[Code] = (),
        json: Type | JsonUses | None = None,
        assume: Collection[Code] = (),
    ) -> None:
        if not ACCEPTABLE.issuperset(accept):
            names = ", ".join(code.name for code in set(accept) - ACCEPTABLE)
            raise ValueError(f"these differences cannot be accepted: {names}")
        self.environment = environment or Builtins()
        self.assume = frozenset(assume)
        self.accept = frozenset(accept) | self.assume
        self.json = json

    def map(self, function: Function, *arguments: Expression) -> Translation | Refusal:
        """Return the record that a function makes of its arguments."""
        return self._translate(function, arguments, _record)

    def filter(self, function: Function, *arguments: Expression) -> Translation | Refusal:
        """Return the condition that a function is true of its arguments."""
        return self._translate(function, arguments, _condition)

    def flat_map(self, function: Function, *arguments: Expression) -> Translation | Refusal:
        """Return the array of records that a function makes of its arguments, for ``explode``."""
        return self._translate(function, arguments, _elements)

    def _translate(
        self,
        function: Function,
        arguments: tuple[Expression, ...],
        finished: Callable[[Site, Expression], Expression],
    ) -> Translation | Refusal:
        try:
            expression, used = self.apply(function, arguments, finished)
        except RefusedError as error:
            return error.refusal
        kind = expression.type
        if finished is _elements:
            assert isinstance(kind, Array)
            kind = kind.element
        return Translation(expression, kind, used)

    def apply(
        self,
        function: Function,
        arguments: tuple[Expression, ...],
        finished: Callable[[Site, Expression], Expression],
    ) -> tuple[Expression, tuple[Refusal, ...]]:
        """Return the result of a function, and the accepted differences.

        Raises
        ------
        RefusedError
            if the function has no exact translation
        """
        run = TranslationRun(
            self.accept, SYNTAX, condition, call_value, call_condition, self.json, self.assume
        )
        scope = Scope({}, self.environment, run)
        try:
            meaning = self._meaning(function, scope)
            here = Site(_node(function, meaning), scope)
            if finished is _condition:
                result = call_condition(here, meaning, *arguments)
            else:
                result = here.expression(call_value(here, meaning, arguments, {}))
            return finished(here, result), tuple(run.used)
        except RecursionError:
            raise refusal_error(Code.SYNTAX, None, "the function is nested too deeply") from None

    def _meaning(self, function: Function, scope: Scope) -> Meaning:
        if isinstance(function, ast.Lambda | ast.FunctionDef):
            return Local(function, self.environment, defaults(function, self.environment))
        if isinstance(function, ast.expr):
            return scope.value(function)
        meaning = meaning_of(function)
        if meaning is None:
            kind = Code.NO_SOURCE if isinstance(function, FunctionType) else Code.UNKNOWN_FUNCTION
            raise refusal_error(kind, None, f"the function {_name(function)} is not translated")
        return meaning


def _node(function: Function, meaning: Meaning) -> ast.AST:
    """Return the syntax that messages about a whole function show."""
    if isinstance(function, ast.AST):
        return function
    return meaning.node if isinstance(meaning, Local) else ast.Name(_name(function), ast.Load())


def _name(function: object) -> str:
    name: str = getattr(function, "__qualname__", type(function).__name__)
    return name


def _record(here: Site, result: Expression) -> Expression:
    _check_complete(here, result.type)
    return result


def _condition(here: Site, result: Expression) -> Expression:
    if isinstance(result.type, Never):
        here.refuse(Code.ALWAYS_RAISES, "the function gives no value for any input")
    return result


def _elements(here: Site, result: Expression) -> Expression:
    result = here.present(result, "elements")
    here.tells(result, Array)
    if isinstance(result, Struct):
        kind: Type = Never()
        for each in result.fields:
            joined = join(kind, each.type)
            if joined is None:
                here.refuse(Code.MIXED_TYPES, "the records have several types")
            kind = joined
        result = Call(Array(kind), "array", result.fields)
    if not isinstance(result.type, Array):
        here.refuse(Code.TYPE, f"the elements of {words(result.type)} are not translated")
    _check_complete(here, result.type.element)
    return result


def _check_complete(here: Site, kind: Type) -> None:
    """Refuse types that no record has."""
    for each in walk(kind):
        if isinstance(each, Never):
            here.refuse(Code.ALWAYS_RAISES, "the function gives no value for any input")
        if isinstance(each, Array) and each.lazy:
            here.refuse(Code.TYPE, "the record is an iterator")
