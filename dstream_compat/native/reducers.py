"""Reduce functions as aggregates of Spark, where order and grouping cannot change the result.

A function of `reduce` and `reduceByKey` is applied in any order and grouping, so it must be known
by what it computes. It is translated with two variables, and the result is compared with the
forms of sums, largest and smallest values; a tuple is reduced field by field.
"""

from __future__ import annotations

from dataclasses import dataclass

from .expressions import Call, Expression, Operator, Struct, Variable, When, number
from .refusals import Code, Refusal, RefusedError, refusal_error
from .scope import Site
from .translate import Function, Translator
from .types import (
    LONG_MAX,
    LONG_MIN,
    Array,
    Boolean,
    Dictionary,
    Double,
    Long,
    NoneType,
    Nullable,
    Record,
    String,
    Tuple,
    Type,
    simple,
    tuple_of,
    walk,
    words,
)

MAX_ROWS = 2**40
"""No group of one batch has more records than this; sums are proven to fit for so many."""


@dataclass(frozen=True)
class Reduction:
    """A reduce function as aggregates.

    Parameters
    ----------
    aggregates : tuple of Expression
        one for each field of the values, or one
    type : Type
        the type of the reduced values
    accepted : tuple of Refusal
        the differences that occur and that the caller accepts
    """

    aggregates: tuple[Expression, ...]
    type: Type
    accepted: tuple[Refusal, ...] = ()


def reduction(translator: Translator, function: Function, value: Expression) -> Reduction | Refusal:
    """Return the aggregates that a reduce function computes of the values of a group.

    Parameters
    ----------
    translator : Translator
        says what is accepted, and where names are looked up
    function : callable or syntax
        the function of two values
    value : Expression
        a value as columns: one column, or a tuple of columns
    """
    used: list[Refusal] = []
    try:
        fields = value.fields if isinstance(value, Struct) else (value,)
        left, right = (_variables(side, value, fields) for side in "ab")
        widened = Translator(
            translator.environment,
            translator.accept | {Code.INT_RANGE},
            translator.json,
            translator.assume,
        )
        result, _ = widened.apply(function, (left, right), _as_it_is)
        results = (
            result.fields if isinstance(value, Struct) and isinstance(result, Struct) else (result,)
        )
        if len(results) != len(fields):
            raise refusal_error(Code.TYPE, None, "the result has another shape than the values")
        names = [f"{place}" for place in range(len(fields))]
        aggregates = tuple(
            _aggregate(translator, field, each, name, used)
            for field, each, name in zip(fields, results, names, strict=True)
        )
    except RefusedError as error:
        return error.refusal
    kinds = tuple(each.type for each in aggregates)
    kind = tuple_of(*kinds) if isinstance(value, Struct) else kinds[0]
    return Reduction(aggregates, kind, tuple(used))


def key_refusal(kind: Type) -> Refusal | None:
    """Return why values of a type cannot be keys, or None if Spark groups them as Python does."""
    if simple(kind):
        return None
    unhashable = any(isinstance(each, Array | Dictionary | Record) for each in walk(kind))
    code = Code.UNHASHABLE if unhashable else Code.FLOAT_VALUES
    return Refusal(code, f"a key of {words(kind)}: {code.meaning}")


def _as_it_is(here: Site, result: Expression) -> Expression:
    return result


def _variables(side: str, value: Expression, fields: tuple[Expression, ...]) -> Expression:
    """Return one argument of the function; integers may have
    any value, so that all sums look alike.
    """
    if not isinstance(value, Struct):
        return Variable(_any_of(value.type), f"{side}0")
    parts = tuple(Variable(_any_of(each.type), f"{side}{i}") for i, each in enumerate(fields))
    assert isinstance(value.type, Tuple)
    kinds = tuple(part.type for part in parts)
    return Struct(Tuple(value.type.names, kinds, value.type.attributes), parts)


def _any_of(kind: Type) -> Type:
    if isinstance(kind, Nullable | NoneType):
        raise refusal_error(
            Code.TYPE, None, "aggregates leave NULL out; Python's functions get None"
        )
    return Long() if isinstance(kind, Long) else kind


def _aggregate(
    translator: Translator, field: Expression, result: Expression, name: str, used: list[Refusal]
) -> Expression:
    kind = field.type
    a, b = (Variable(_any_of(kind), f"{side}{name}") for side in "ab")
    match _form(result, a, b), kind:
        case "+", Long():
            return _sum(translator, field, kind, used)
        case "+", Double():
            _accept(translator, Code.FLOAT_ORDER, Code.FLOAT_ORDER.meaning, used)
            return Call(Double(), "sum", (field,))
        case ("max" | "min") as extreme, Long() | String() | Boolean():
            return Call(kind, extreme, (field,))
        case _, Double() if isinstance(result, When):
            raise refusal_error(Code.FLOAT_VALUES, None, "NaN and -0.0 compare otherwise in Spark")
        case "|", Boolean():
            return Call(kind, "bool_or", (field,))
        case "&", Boolean():
            return Call(kind, "bool_and", (field,))
        case "first", _:
            raise refusal_error(
                Code.ORDER, None, "the result is the first or last value of the group"
            )
        case "+", _:
            raise refusal_error(Code.ORDER, None, f"the sum of {words(kind)} depends on the order")
    raise refusal_error(Code.UNKNOWN_FUNCTION, None, f"no aggregate of {words(kind)} does the same")


def _form(result: Expression, a: Variable, b: Variable) -> str | None:
    """Return what a result is of its two variables."""
    pair = {a, b}
    match result:
        case Operator(symbol="+" | "|" | "&" as symbol, left=x, right=y) if {x, y} == pair:
            return symbol
        case Call(function="greatest" | "least" as name, arguments=arguments):
            if set(arguments) == pair:
                return "max" if name == "greatest" else "min"
        case Call(function="concat", arguments=arguments) if set(arguments) == pair:
            return "+"
        case When(branches=((Operator(symbol=symbol, left=x, right=y), value),), otherwise=other):
            if {x, y} == pair == {value, other} and symbol in (">", ">=", "<", "<="):
                return "max" if (value == x) == (symbol in (">", ">=")) else "min"
        case Variable() if result in pair:
            return "first"
    return None


def _sum(translator: Translator, field: Expression, kind: Long, used: list[Refusal]) -> Expression:
    if kind.lo == kind.hi == 1:
        return Call(Long(1, MAX_ROWS), "count", (number(1),))
    lo = kind.lo * (MAX_ROWS if kind.lo < 0 else 1)
    hi = kind.hi * (MAX_ROWS if kind.hi > 0 else 1)
    if lo < LONG_MIN or hi > LONG_MAX:
        _accept(translator, Code.INT_RANGE, "the sum of a group may not fit into 64 bits", used)
        lo, hi = max(lo, LONG_MIN), min(hi, LONG_MAX)
    return Call(Long(lo, hi), "sum", (field,))


def _accept(translator: Translator, code: Code, text: str, used: list[Refusal]) -> None:
    refusal = refusal_error(code, None, text)
    if code not in translator.accept:
        raise refusal
    used.append(refusal.refusal)
