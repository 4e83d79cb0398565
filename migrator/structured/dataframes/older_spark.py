"""Expressions as an older Spark has them: the same values, by functions that it has."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any, Final

from dstream_compat.native.expressions import (
    Call,
    Expression,
    Literal,
    Method,
    Operator,
    Raise,
    When,
    error,
    text,
    walk,
)
from dstream_compat.native.functions.texts import java_literal
from dstream_compat.native.raising import raises_itself
from dstream_compat.native.types import (
    INT_MAX,
    LONG_MAX,
    LONG_MIN,
    Array,
    Binary,
    Boolean,
    Dictionary,
    Long,
    NoneType,
)
from dstream_compat.native.whitespace import CHARACTERS, RANGES
from migrator.spark.since import ANSI_SPARK, FUNCTIONS, OLDEST, Version

_RAISES_ALWAYS = frozenset(("decode", "from_json"))
"""Functions that raise by settings of their own, or are checked by what is around them."""


def least_spark(node: Expression) -> Version:
    """Return the first Spark that gives what an expression means with its own settings.

    Spark 4 switched ANSI SQL on, and made `decode` raise for bytes that are no UTF-8.
    """
    decodes = any(isinstance(part, Call) and part.function == "decode" for part in walk(node))
    return ANSI_SPARK if decodes or needs_ansi(node) else OLDEST


def needs_ansi(node: Expression) -> bool:
    """Return whether an expression raises in ANSI SQL only, where it has to raise."""
    return any(map(_needs_ansi, walk(node)))


def _needs_ansi(node: Expression) -> bool:
    match node:
        case Raise():
            return False
        case Call(function="sum", type=Long(lo=lo, hi=hi)):
            return lo <= LONG_MIN or hi >= LONG_MAX
        case Call(function=name) if name in _RAISES_ALWAYS:
            return False
    return raises_itself(node)


def expression_for(node: Expression, spark: Version) -> Expression:
    """Return an expression by functions that a Spark has, as far as they are known."""
    expression = with_parts(node, lambda part: expression_for(part, spark))
    if isinstance(expression, Call) and expression.function in _SPELLINGS:
        since, spelling = _SPELLINGS[expression.function]
        if spark < since:
            return spelling(expression, spark)
    return expression


def with_parts(node: Expression, change: Callable[[Expression], Expression]) -> Expression:
    """Return an expression with each of its parts changed."""

    def change_value(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(map(change_value, value))
        return change(value) if isinstance(value, Expression) else value

    names = (field.name for field in fields(node) if field.name != "type")
    return replace(node, **{name: change_value(getattr(node, name)) for name in names})


def _strip_by_pattern(call: Call, spark: Version) -> Expression:
    """Return a text without characters at its ends, by a pattern."""
    value, characters = call.arguments
    if not isinstance(characters, Literal):
        return call
    inside = RANGES
    if characters.value != CHARACTERS:
        inside = re.sub(r"([\\\]\[^&-])", r"\\\1", characters.value)
    left, right = rf"\A[{inside}]+", rf"[{inside}]+\z"
    pattern = {"ltrim": left, "rtrim": right, "btrim": f"{left}|{right}"}[call.function]
    return Call(call.type, "regexp_replace", (value, text(pattern), text("")))


def _replace_by_pattern(call: Call, spark: Version) -> Expression:
    value, before, after = call.arguments
    if not (isinstance(before, Literal) and isinstance(after, Literal)):
        return call
    pattern = text(java_literal(before.value))
    written = text(after.value.replace("\\", r"\\").replace("$", r"\$"))
    return Call(call.type, "regexp_replace", (value, pattern, written))


def _part_of_text(call: Call, spark: Version) -> Expression:
    """Return a part of a text whose length is computed; `substr` takes two columns."""
    value, start, length = call.arguments
    if isinstance(start, Literal) and isinstance(length, Literal):
        return call
    arguments = tuple(
        Call(bound.type, "lit", (bound,)) if isinstance(bound, Literal) else bound
        for bound in (start, length)
    )
    return Method(call.type, "substr", value, arguments)


def _decode_of_utf8(call: Call, spark: Version) -> Expression:
    """Return bytes as a text, which gives the same bytes again: else they are no UTF-8."""
    raw, encoding = call.arguments
    again = Call(Binary(), "encode", (call, encoding))
    same = Method(Boolean(), "eqNullSafe", again, (raw,))
    return When(call.type, ((same, call),), error("the bytes are not UTF-8"))


def _remainder(call: Call, spark: Version) -> Expression:
    value, divisor = call.arguments
    if not isinstance(divisor, Literal) or not isinstance(divisor.type, Long):
        return call
    if not 0 < divisor.value <= INT_MAX // 2:
        # the sum below may be too large
        return call
    rest = Operator(call.type, "%", value, divisor)
    return Operator(call.type, "%", Operator(call.type, "+", rest, divisor), divisor)


def _has_key(call: Call, spark: Version) -> Expression:
    mapping, key = call.arguments
    if spark >= FUNCTIONS[call.function] and isinstance(key, Literal):
        return call
    keys = Call(Array(key.type), "map_keys", (mapping,))
    return Call(call.type, "array_contains", (keys, key))


def _value_of_key(call: Call, spark: Version) -> Expression:
    mapping, key = call.arguments
    if not isinstance(mapping.type, Dictionary):
        return call
    exists = expression_for(Call(Boolean(), "map_contains_key", (mapping, key)), spark)
    element = Call(call.type, "element_at", (mapping, key))
    return When(call.type, ((exists, element),), Literal(NoneType(), None))


def _under_name(name: str) -> Callable[[Call, Version], Expression]:
    return lambda call, spark: replace(call, function=name)


_SPELLINGS: Final[dict[str, tuple[Version, Callable[[Call, Version], Expression]]]] = {
    "bool_and": ((3, 5), _under_name("min")),
    "bool_or": ((3, 5), _under_name("max")),
    "btrim": ((3, 5), _strip_by_pattern),
    "day": ((3, 5), _under_name("dayofmonth")),
    "decode": ((4, 0), _decode_of_utf8),
    "ltrim": ((4, 0), _strip_by_pattern),
    "map_contains_key": ((4, 0), _has_key),
    "pmod": ((3, 4), _remainder),
    "replace": ((3, 5), _replace_by_pattern),
    "rtrim": ((4, 0), _strip_by_pattern),
    "substring": ((4, 0), _part_of_text),
    "try_element_at": ((3, 5), _value_of_key),
}
"""How functions are written for a Spark before the one that has them so."""
