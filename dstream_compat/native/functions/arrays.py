"""`sum`, `sorted`, `list`, `map`, `filter`, `any`, `all`, and methods of lists and dictionaries."""

from __future__ import annotations

from dataclasses import replace

from ..arithmetic import as_int, wide
from ..expressions import (
    Call,
    Expression,
    Fold,
    Literal,
    Operator,
    OverArray,
    Variable,
    When,
    number,
)
from ..raising import may_raise
from ..refusals import Code
from ..registry import function, method
from ..scope import Site, Value
from ..truth import truth
from ..types import (
    LONG_MAX,
    LONG_MIN,
    MAX_LENGTH,
    Array,
    Boolean,
    Dictionary,
    Long,
    NoneType,
    String,
    join,
    nullable,
    words,
)


def over(array: Expression, name: str, element: Variable, body: Expression) -> Expression:
    """Return `transform` or `filter` of an array; an array of unchanged elements is itself."""
    assert isinstance(array.type, Array)
    if name == "transform":
        if body == element:
            return array
        return OverArray(Array(body.type, array.type.lazy), name, array, element, body)
    return OverArray(array.type, name, array, element, body)


def _array(site: Site, values: Value, doing: str) -> tuple[Expression, Array]:
    array = site.expect(values, Array)
    assert isinstance(array.type, Array)
    return array, array.type


@function("list", "list(map(f, words))", "the array itself")
def list_(site: Site, values: Value) -> Expression:
    array, kind = _array(site, values, "list")
    return replace(array, type=replace(kind, lazy=False))


@function("iter", "iter(words)", "the array itself")
def iter_(site: Site, values: Value) -> Expression:
    array, kind = _array(site, values, "iter")
    return replace(array, type=replace(kind, lazy=True))


@function("map", "map(f, words)", "`transform`")
def map_(site: Site, f: Value, values: Value) -> Expression:
    array, kind = _array(site, values, "map")
    element = Variable(kind.element, site.scope.free_name("x"))
    body = site.expression(site.apply(f, element))
    lazy = replace(array, type=replace(kind, lazy=True))
    return over(lazy, "transform", element, body)


@function("filter", "filter(f, words)", "`filter`")
def filter_(site: Site, f: Value, values: Value) -> Expression:
    array, kind = _array(site, values, "filter")
    element = Variable(kind.element, site.scope.free_name("x"))
    nothing = isinstance(f, Literal) and f.value is None
    body = truth(site, element) if nothing else site.condition(f, element)
    lazy = replace(array, type=replace(kind, lazy=True))
    return over(lazy, "filter", element, body)


@function("sum", "sum(numbers)", "`aggregate`, if the sum is proven to fit into 64 bits")
def sum_(site: Site, values: Value) -> Expression:
    array, kind = _array(site, values, "sum")
    if not isinstance(kind.element, Long | Boolean):
        site.refuse(Code.TYPE, f"the sum of {words(kind.element)} is not translated")
    total = Variable(Long(), site.scope.free_name("total"))
    element = Variable(kind.element, site.scope.free_name("x"))
    term = as_int(element)
    assert isinstance(term.type, Long)
    lo, hi = min(0, term.type.lo * MAX_LENGTH), max(0, term.type.hi * MAX_LENGTH)
    if lo < LONG_MIN or hi > LONG_MAX:
        site.accept(Code.INT_RANGE, "the sum may not fit into 64 bits")
        lo, hi = max(lo, LONG_MIN), min(hi, LONG_MAX)
        body: Expression = Operator(Long(), "+", total, term)
    else:
        # The sum so far is a part of the proven sum.
        body = Operator(Long(2 * lo, 2 * hi), "+", replace(total, type=Long(lo, hi)), term)
    zero = wide(number(0))
    return Fold(Long(lo, hi), array, zero, (replace(total, type=Long(lo, hi)), element), body)


@function("sorted", "sorted(words)", "`array_sort`")
def sort_array(site: Site, values: Value) -> Expression:
    array, kind = _array(site, values, "sorted")
    if not isinstance(kind.element, Long | String | Boolean):
        site.refuse(Code.TYPE, f"sorting {words(kind.element)} is not translated")
    return Call(replace(kind, lazy=False), "array_sort", (array,))


def _quantifier(site: Site, values: Value, name: str) -> Expression:
    array, kind = _array(site, values, name)
    if may_raise(array):
        # Python stops at the first element that decides.
        site.refuse(Code.EVALUATION, f"`{name}` may stop before the element that raises")
    element = Variable(kind.element, site.scope.free_name("x"))
    body = truth(site, element)
    if isinstance(array, OverArray) and array.function == "transform":
        return OverArray(Boolean(), name, array.array, array.variable, truth(site, array.body))
    return OverArray(Boolean(), name, array, element, body)


@function("any", "any(w in x for w in words)", "`exists`")
def any_(site: Site, values: Value) -> Expression:
    return _quantifier(site, values, "exists")


@function("all", "all(w in x for w in words)", "`forall`")
def all_(site: Site, values: Value) -> Expression:
    return _quantifier(site, values, "forall")


@function("set", "set(words)", "not translated")
def set_(site: Site, *values: Value) -> Expression:
    site.refuse(Code.ORDER, "a set has no order; its elements come in another one in Spark")


@method(
    Dictionary, "get", 'd.get("k"), d.get("k", 0)', "`element_at`, which is NULL for a missing key"
)
def get(site: Site, value: Expression, key: Value, default: Value | None = None) -> Expression:
    kind = value.type
    assert isinstance(kind, Dictionary)
    index = site.expect(key, type(kind.key))
    if not isinstance(kind.key, Long | String):
        site.refuse(Code.TYPE, f"a key of {words(kind.key)} is not translated")
    if default is None or (isinstance(default, Literal) and isinstance(default.type, NoneType)):
        return Call(nullable(kind.value), "try_element_at", (value, index))
    other = site.expression(default)
    result = join(kind.value, other.type)
    if result is None or may_raise(other):
        site.refuse(Code.MIXED_TYPES, "the default has another type than the values")
    exists = Call(Boolean(), "map_contains_key", (value, index))
    return When(result, ((exists, Call(kind.value, "try_element_at", (value, index))),), other)
