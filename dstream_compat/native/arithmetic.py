"""Python's `+`, `-`, `*`, `/`, `//` and `%` on numbers and texts."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from math import prod
from typing import Any

from .access import fields_of
from .expressions import (
    Call,
    Cast,
    Expression,
    Literal,
    Operator,
    guard,
    literal,
    number,
    struct,
    text,
)
from .raising import interval
from .refusals import Code
from .scope import Site
from .types import (
    INT_MAX,
    INT_MIN,
    LONG_MAX,
    LONG_MIN,
    Array,
    Boolean,
    Double,
    Long,
    String,
    Tuple,
    int_of,
    join,
    known_ints,
    words,
)

SYMBOLS: dict[str, Any] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
}
_FLOOR_LIMIT = 2**52


def arithmetic(site: Site, symbol: str, left: Expression, right: Expression) -> Expression:
    """Return an operation of two values."""
    if isinstance(left, Literal) and isinstance(right, Literal):
        return fold_constants(site, symbol, left, right)
    left, right = site.present(left, f"`{symbol}`"), site.present(right, f"`{symbol}`")
    for each, other in ((left, right), (right, left)):
        site.tells_like(each, other)
        if symbol != "+":
            site.tells(each, Double)
    match left.type, right.type:
        case (a, b) if known_ints(a) and known_ints(b):
            return _ints(site, symbol, as_int(left), as_int(right))
        case (Double() | Long() | Boolean(), Double() | Long() | Boolean()):
            return _floats(site, symbol, as_float(site, left), as_float(site, right))
        case String(), String() if symbol == "+":
            return concat(left, right)
        case Array(lazy=False), Array(lazy=False) if symbol == "+":
            kind = join(left.type, right.type)
            if kind is not None:
                return Call(kind, "concat", (left, right))
        case Tuple(), Tuple() if symbol == "+":
            return struct((*fields_of(left), *fields_of(right)))
    site.refuse(
        Code.TYPE, f"`{symbol}` of {words(left.type)} and {words(right.type)} is not translated"
    )


def fold_constants(site: Site, symbol: str, left: Literal, right: Literal) -> Expression:
    """Return an operation of two constants, which Python computes now."""
    if isinstance(left.value, str | None.__class__) or isinstance(
        right.value, str | None.__class__
    ):
        if symbol == "+" and isinstance(left.value, str) and isinstance(right.value, str):
            return concat(left, right)
        site.refuse(Code.TYPE, f"`{symbol}` of these constants is not translated")
    try:
        value = SYMBOLS[symbol](left.value, right.value)
    except (ArithmeticError, TypeError) as failure:
        site.refuse(Code.ALWAYS_RAISES, f"Python raises {type(failure).__name__}")
    constant = literal(value)
    if constant is None:
        site.refuse(Code.INT_RANGE, "the constant does not fit into 64 bits")
    return constant


def concat(*parts: Expression) -> Expression:
    """Return texts in a row; neighbours that are constants become one."""
    flat: list[Expression] = []
    for part in parts:
        inner = part.arguments if isinstance(part, Call) and part.function == "concat" else (part,)
        for each in inner:
            last = flat[-1] if flat else None
            if isinstance(each, Literal) and isinstance(last, Literal):
                flat[-1] = Literal(
                    String((last.value + each.value).isascii()), last.value + each.value
                )
            elif each != Literal(String(True), ""):
                flat.append(each)
    if len(flat) < 2:
        return flat[0] if flat else Literal(String(True), "")
    kinds = [each.type for each in flat]
    return Call(
        String(all(isinstance(k, String) and k.ascii for k in kinds)), "concat", tuple(flat)
    )


def as_int(value: Expression) -> Expression:
    """Return an integer, or a bool as an integer."""
    if isinstance(value.type, Boolean):
        if isinstance(value, Literal):
            return number(int(value.value))
        return Cast(int_of(0, 1), value, "int")
    return value


def as_float(site: Site, value: Expression) -> Expression:
    """Return a number as a float."""
    if isinstance(value.type, Double):
        return value
    value = as_int(value)
    if isinstance(value, Literal):
        return Literal(Double(False, False), float(value.value))
    return Cast(Double(False, False), value, "double")


def wide(value: Expression) -> Expression:
    """Return an integer in 64 bits."""
    assert isinstance(value.type, Long)
    if value.type.bits == 64:
        return value
    return Cast(Long(value.type.lo, value.type.hi), value, "long")


def _long(value: Expression) -> Long:
    assert isinstance(value.type, Long)
    return value.type


def _ints(site: Site, symbol: str, left: Expression, right: Expression) -> Expression:
    a, b = _long(left), _long(right)
    if symbol in ("+", "-", "*"):
        return _within_bounds(site, symbol, left, right)
    if b.lo == b.hi == 0:
        site.refuse(Code.ALWAYS_RAISES, "the divisor is zero")
    if symbol == "/":
        if not (a.exact_in_double and b.exact_in_double):
            site.refuse(Code.INT_DIVISION, "an integer may be too large to be an exact float")
        return Operator(Double(nan=False, inf=False), "/", left, right)
    if b.lo < 0:
        site.refuse(Code.INT_DIVISION, "the divisor may be negative")
    if symbol == "%":
        kind = Long(0, b.hi - 1, max(a.bits, b.bits))
        if a.lo >= 0:
            kind = Long(0, max(0, min(a.hi, b.hi - 1)), kind.bits)
            return Operator(kind, "%", left, right)
        return Call(kind, "pmod", (left, right))
    return _floor(site, left, right)


def _within_bounds(site: Site, symbol: str, left: Expression, right: Expression) -> Expression:
    """Return a sum, difference or product that is proven to fit, or raises by consent."""
    a, b = _long(left), _long(right)
    lo, hi = interval(symbol, a, b)
    bits = max(a.bits, b.bits)
    if bits == 32 and not (lo >= INT_MIN and hi <= INT_MAX and _any_order(symbol, left, right, 32)):
        left, bits = wide(left), 64
    if lo < LONG_MIN or hi > LONG_MAX or not _any_order(symbol, left, right, 64):
        site.accept(Code.INT_RANGE, f"the result of `{symbol}` may not fit into 64 bits")
        lo, hi = max(lo, LONG_MIN), min(hi, LONG_MAX)
    return Operator(Long(lo, hi, bits), symbol, left, right)


def _any_order(symbol: str, left: Expression, right: Expression, bits: int) -> bool:
    """Return whether the operands may be computed in any order: Spark puts constants together."""
    terms = [*_terms(symbol, left), *_terms(symbol, right)]
    if symbol == "-" or sum(isinstance(term, Literal) for term in terms) < 2:
        return True
    sizes = [max(abs(_long(term).lo), abs(_long(term).hi), 1) for term in terms]
    most = sum(sizes) if symbol == "+" else prod(sizes)
    return most < 1 << (bits - 1)


def _terms(symbol: str, value: Expression) -> Iterator[Expression]:
    if isinstance(value, Operator) and value.symbol == symbol:
        yield from (*_terms(symbol, value.left), *_terms(symbol, value.right))
    else:
        yield value


def _floor(site: Site, left: Expression, right: Expression) -> Expression:
    """Translate `a // b` of a divisor that is not negative."""
    a, b = _long(left), _long(right)
    least = max(b.lo, 1)
    kind = Long(min(a.lo // least, 0), max(a.hi // least, 0), 64)
    if a.lo >= -_FLOOR_LIMIT and max(a.hi, b.hi) <= _FLOOR_LIMIT:
        return Call(kind, "floor", (Operator(Double(False, False), "/", left, right),))
    if a.lo < 0:
        # `div` rounds towards zero.
        rest = Call(Long(0, b.hi - 1, 64), "pmod", (wide(left), right))
        left = _ints(site, "-", wide(left), rest)
    return Call(kind, "call_function", (text("div"), left, right))


def _floats(site: Site, symbol: str, left: Expression, right: Expression) -> Expression:
    a, b = left.type, right.type
    assert isinstance(a, Double) and isinstance(b, Double)
    # infinity - infinity, 0 * infinity; and finite numbers may overflow to infinity
    kind = Double(nan=a.nan or b.nan or a.inf or b.inf, inf=True)
    if symbol in ("+", "-", "*"):
        return Operator(kind, symbol, left, right)
    if symbol == "/":
        return Operator(kind, "/", left, right)
    site.refuse(Code.FLOAT_ARITHMETIC, f"`{symbol}` of floats rounds differently in Spark")


def negative(site: Site, value: Expression) -> Expression:
    """Translate `-x`."""
    value = site.present(value, "`-`")
    if isinstance(value.type, Double):
        if isinstance(value, Literal):
            return Literal(value.type, -value.value)
        return Call(value.type, "negative", (value,))
    if known_ints(value.type):
        value = as_int(value)
        if isinstance(value, Literal):
            return number(-value.value)
        kind = _long(value)
        if kind.lo == INT_MIN and kind.bits == 32:
            value = wide(value)
        if kind.lo == LONG_MIN:
            site.accept(Code.INT_RANGE, "the result of `-` may not fit into 64 bits")
        result = Long(-kind.hi, min(-kind.lo, LONG_MAX), _long(value).bits)
        return Call(result, "negative", (value,))
    site.refuse(Code.TYPE, f"`-` of {words(value.type)} is not translated")


def absolute(site: Site, value: Expression) -> Expression:
    """Translate `abs(x)`."""
    value = site.expect(value, Long, Boolean, Double)
    if isinstance(value.type, Double):
        return Call(value.type, "abs", (value,))
    value = as_int(value)
    kind = _long(value)
    if kind.lo >= 0:
        return value
    if kind.lo == INT_MIN and kind.bits == 32:
        value = wide(value)
    if kind.lo == LONG_MIN:
        site.accept(Code.INT_RANGE, "the result of `abs` may not fit into 64 bits")
    high = min(max(kind.hi, -kind.lo), LONG_MAX)
    low = 0 if kind.hi >= 0 else -kind.hi
    return Call(Long(low, high, _long(value).bits), "abs", (value,))


def truncate(site: Site, value: Expression) -> Expression:
    """Translate `int(x)` of a float: towards zero; NaN and infinity raise."""
    site.accept(Code.INT_RANGE, "the float may be an integer that does not fit into 64 bits")
    # A cast takes 2.0**63, too, and gives the largest integer.
    size = Call(Double(), "abs", (value,))
    fits = Operator(Boolean(), "<", size, Literal(Double(False, False), 2.0**63))
    cast = Cast(Long(), value, "long")
    return guard(fits, cast, "the float does not fit into 64 bits")
