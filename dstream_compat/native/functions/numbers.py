"""`abs`, `max`, `min`, `round`, and the operators as functions."""

from __future__ import annotations

from ..access import fields_of, item
from ..arithmetic import absolute, arithmetic, negative
from ..comparisons import comparison, membership
from ..expressions import Call, Expression, Literal, When, error
from ..names import Getter
from ..raising import may_raise
from ..refusals import Code
from ..registry import function
from ..scope import Site, Value
from ..truth import negate, truth
from ..types import Array, Boolean, Long, String, Tuple, join, nullable, words


@function("abs", "abs(number)", "`abs`")
def abs_(site: Site, x: Value) -> Expression:
    return absolute(site, site.expression(x))


@function("operator.neg", "operator.neg(number)", "`-`")
def neg(site: Site, x: Value) -> Expression:
    return negative(site, site.expression(x))


def _extreme(site: Site, name: str, values: tuple[Value, ...]) -> Expression:
    if len(values) == 1:
        only = site.expression(values[0])
        if not isinstance(only.type, Tuple):
            return _of_array(site, name, only)
        values = fields_of(only)
    first, *rest = (site.expression(each) for each in values)
    for each in rest:
        first = _of_two(site, name, first, each)
    return first


def _of_two(site: Site, name: str, a: Expression, b: Expression) -> Expression:
    """Python keeps the first value unless the second one is larger, also for NaN and -0.0."""
    kind = join(a.type, b.type)
    if kind is None:
        site.refuse(
            Code.MIXED_TYPES, f"`{name}` of {words(a.type)} and {words(b.type)} has two types"
        )
    if isinstance(kind, Long | String):
        return Call(kind, "greatest" if name == "max" else "least", (a, b))
    second = comparison(site, ">" if name == "max" else "<", b, a)
    if may_raise(a) or may_raise(b):
        site.refuse(Code.EVALUATION, "both values are computed, and may raise")
    return When(kind, ((second, b),), a)


def _of_array(site: Site, name: str, values: Value) -> Expression:
    array = site.expect(values, Array)
    assert isinstance(array.type, Array)
    element = array.type.element
    if not isinstance(element, Long | String | Boolean):
        site.refuse(Code.TYPE, f"`{name}` of {words(element)} is not translated")
    result = Call(nullable(element), f"array_{name}", (array,))
    return Call(element, "coalesce", (result, error(f"{name}() of an empty list")))


@function("max", "max(a, b), max(list)", "`greatest`, `array_max`; of floats by comparison")
def max_(site: Site, *values: Value) -> Expression:
    return _extreme(site, "max", values)


@function("min", "min(a, b), min(list)", "`least`, `array_min`; of floats by comparison")
def min_(site: Site, *values: Value) -> Expression:
    return _extreme(site, "min", values)


@function("round", "round(number)", "not translated")
def round_(site: Site, number: Value, ndigits: Value | None = None) -> Expression:
    value = site.expression(number)
    if isinstance(value.type, Long) and ndigits is None:
        return value
    site.refuse(
        Code.FLOAT_ARITHMETIC, "Python rounds the exact value, half to even; Spark its text"
    )


def _operator(name: str, symbol: str) -> None:
    @function(f"operator.{name}", f"operator.{name}(a, b)", f"as `a {symbol} b`")
    def apply(site: Site, a: Value, b: Value) -> Expression:
        return arithmetic(site, symbol, site.expression(a), site.expression(b))


def _comparison(name: str, symbol: str) -> None:
    @function(f"operator.{name}", f"operator.{name}(a, b)", f"as `a {symbol} b`")
    def apply(site: Site, a: Value, b: Value) -> Expression:
        return comparison(site, symbol, site.expression(a), site.expression(b))


for _name, _symbol in (
    ("add", "+"),
    ("sub", "-"),
    ("mul", "*"),
    ("truediv", "/"),
    ("floordiv", "//"),
    ("mod", "%"),
):
    _operator(_name, _symbol)

for _name, _symbol in (
    ("eq", "=="),
    ("ne", "!="),
    ("lt", "<"),
    ("le", "<="),
    ("gt", ">"),
    ("ge", ">="),
):
    _comparison(_name, _symbol)


@function("operator.not_", "operator.not_(x)", "as `not x`")
def not_(site: Site, x: Value) -> Expression:
    return negate(truth(site, site.expression(x)))


@function("operator.getitem", "operator.getitem(x, 0)", "as `x[0]`")
def getitem(site: Site, x: Value, index: Value) -> Expression:
    return item(site, site.expression(x), site.expression(index))


@function("operator.contains", "operator.contains(x, a)", "as `a in x`")
def contains(site: Site, container: Value, value: Value) -> Expression:
    return membership(site, value, container)


@function("operator.itemgetter", "operator.itemgetter(1)", "as `x[1]`; several keys give a tuple")
def itemgetter(site: Site, *keys: Value) -> Value:
    literals = tuple(key for key in keys if isinstance(key, Literal))
    if len(literals) != len(keys) or not keys:
        site.refuse(Code.ARGUMENTS, "the keys must be constants")
    return Getter(literals)
