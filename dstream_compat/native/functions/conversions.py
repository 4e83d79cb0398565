"""`int`, `float`, `str`, `bool`, `len`, and bytes as text."""

from __future__ import annotations

from dataclasses import replace

from ..arithmetic import as_float, as_int, truncate
from ..expressions import Call, Cast, Expression, Literal, Method, When, guard, number, text
from ..raising import may_raise
from ..refusals import Code
from ..registry import function, method
from ..scope import Site, Value
from ..truth import truth
from ..types import (
    LENGTH,
    Array,
    Binary,
    Boolean,
    Dictionary,
    Double,
    Long,
    NoneType,
    Nullable,
    String,
    Tuple,
    present,
    words,
)

_INTEGER = r"\A[+-]?[0-9]{1,18}\z"
_LARGEST = 10**18 - 1
_FLOAT = r"\A[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\z"


@function("int", "int(text), int(number)", "a cast; texts and floats by consent only")
def int_(site: Site, x: Value) -> Expression:
    value = site.expect(x, Long, Boolean, Double, String)
    if isinstance(value.type, String):
        site.accept(Code.INT_TEXT, "the text may be an integer that Spark does not read")
        plain = Method(Boolean(), "rlike", value, (text(_INTEGER),))
        cast = Cast(Long(-_LARGEST, _LARGEST), value, "long")
        return guard(plain, cast, "not an integer: ", value)
    if isinstance(value.type, Double):
        return truncate(site, value)
    return as_int(value)


@function("float", "float(text), float(number)", "a cast; texts by consent only")
def float_(site: Site, x: Value) -> Expression:
    value = site.expect(x, Long, Boolean, Double, String)
    if isinstance(value.type, String):
        site.accept(Code.FLOAT_TEXT, "the text may be a float that Spark does not read")
        plain = Method(Boolean(), "rlike", value, (text(_FLOAT),))
        cast = Cast(Double(nan=False), value, "double")
        return guard(plain, cast, "not a float: ", value)
    return as_float(site, value)


def as_text(site: Site, value: Expression) -> Expression:
    """Translate `str(value)`."""
    match value.type:
        case String():
            return value
        case NoneType() if not may_raise(value):
            return text("None")
        case Long() if isinstance(value, Literal):
            return text(str(value.value))
        case Long():
            return Cast(String(True), value, "string")
        case Boolean():
            return When(String(True), ((value, text("True")),), text("False"))
        case Double():
            site.refuse(
                Code.FLOAT_TEXT_FORM, "Spark writes floats as Java does: 1.0E10, not 10000000000.0"
            )
        case Nullable():
            inner = as_text(site, _without_none(value))
            exists = Method(Boolean(), "isNotNull", value)
            return When(String(), ((exists, inner),), text("None"))
    site.refuse(Code.TYPE, f"the text of {words(value.type)} is not translated")


def _without_none(value: Expression) -> Expression:
    return replace(value, type=present(value.type))


@function("str", "str(number)", "a cast to string; not of floats")
def str_(site: Site, x: Value) -> Expression:
    return as_text(site, site.expression(x))


@function("bool", "bool(x)", "a comparison with the empty value")
def bool_(site: Site, x: Value) -> Expression:
    return truth(site, site.expression(x))


@function("len", "len(text), len(list)", "`length` or `size`")
def len_(site: Site, x: Value) -> Expression:
    value = site.expect(x, String, Array, Dictionary, Tuple, Binary)
    match value.type:
        case String() | Binary():
            return Call(LENGTH, "length", (value,))
        case Array(lazy=True):
            site.refuse(Code.ALWAYS_RAISES, "an iterator has no length")
        case Tuple(fields=fields):
            if may_raise(value):
                site.refuse(Code.EVALUATION, "Python computes the fields, and may raise")
            return number(len(fields))
    return Call(LENGTH, "size", (value,))


@method(Binary, "decode", 'data.decode("utf-8")', "`decode`, which raises for other bytes, too")
def decode(site: Site, value: Expression, encoding: Value | None = None) -> Expression:
    name = "utf-8" if encoding is None else site.text(encoding)
    if name.lower().replace("_", "-") not in ("utf-8", "utf8"):
        site.refuse(Code.ARGUMENTS, f"the encoding {name} is not translated")
    return Call(String(), "decode", (value, text("UTF-8")))
