"""Python's comparisons and `in`."""

from __future__ import annotations

from .access import fields_of
from .arithmetic import as_int
from .expressions import Call, Cast, Expression, Literal, Method, Not, Operator, Struct
from .names import Choices
from .raising import may_raise
from .refusals import Code
from .scope import Site, Value
from .truth import FALSE, TRUE, both, either, negate
from .types import (
    Array,
    Binary,
    Boolean,
    Date,
    Dictionary,
    Double,
    Long,
    NoneType,
    Nullable,
    Record,
    String,
    Timestamp,
    Tuple,
    Type,
    join,
    known_ints,
    present,
    simple,
    words,
)

ORDERED = (Boolean, Long, Double, String, Date, Timestamp, Binary)


def is_none(site: Site, value: Expression) -> Expression:
    """Translate `x is None`."""
    if may_raise(value):
        # Spark leaves out what cannot be NULL, also inside of a condition.
        site.refuse(Code.EVALUATION, "Python may raise here, but Spark may take the test as known")
    if isinstance(value.type, Nullable):
        return Method(Boolean(), "isNull", value)
    return TRUE if isinstance(value.type, NoneType) else FALSE


def comparison(site: Site, symbol: str, left: Expression, right: Expression) -> Expression:
    """Return a comparison of two values."""
    site.tells_like(left, right)
    site.tells_like(right, left)
    _check_evaluated(site, left, right)
    if left == right and may_raise(left):
        # Spark does not compute what is compared with itself.
        site.refuse(Code.EVALUATION, "a value that may raise is compared with itself")
    if symbol in ("==", "!="):
        result = equal(site, left, right)
        return result if symbol == "==" else negate(result)
    left, right = site.present(left, f"`{symbol}`"), site.present(right, f"`{symbol}`")
    left, right = numbers(site, left, right)
    if type(left.type) is not type(right.type) or not isinstance(left.type, ORDERED):
        site.refuse(
            Code.TYPE,
            f"`{symbol}` of {words(left.type)} and {words(right.type)} is not translated",
        )
    result = Operator(Boolean(), symbol, left, right)
    # Spark takes NaN as larger than all else; in Python each comparison with it is false.
    larger = left if symbol in (">", ">=") else right
    smaller = right if symbol in (">", ">=") else left
    if isinstance(larger.type, Double) and larger.type.nan:
        return both(result, Not(Boolean(), Call(Boolean(), "isnan", (larger,))))
    if symbol in ("<=", ">=") and isinstance(smaller.type, Double) and smaller.type.nan:
        return result  # NaN is not at most a number that is not NaN
    return result


def _check_evaluated(site: Site, left: Expression, right: Expression) -> None:
    """Refuse a comparison with a constant of another type, which Spark may decide by the type."""
    for a, b in ((left, right), (right, left)):
        if isinstance(a, Literal) and may_raise(b) and not _compared_uncast(b, a.type):
            site.refuse(Code.EVALUATION, "Python may raise, but Spark may know the comparison")


def _compared_uncast(value: Expression, constant: Type) -> bool:
    """Return whether Spark compares a value as it is, and casts the constant if there is need.

    Of a cast number it compares what is cast; the constant may be none of its values.
    """
    kind, constant = present(value.type), present(constant)
    if isinstance(value, Cast) and isinstance(value.operand.type, Long | Boolean):
        return False
    if isinstance(kind, Long) and isinstance(constant, Long):
        return kind.bits >= constant.bits
    floats = isinstance(kind, Double) and isinstance(constant, Long)
    return floats or type(kind) is type(constant)


def numbers(site: Site, left: Expression, right: Expression) -> tuple[Expression, Expression]:
    """Return two numbers as one type, by which Spark compares them as Python does."""
    if known_ints(left.type) and known_ints(right.type) and left.type != right.type:
        return as_int(left), as_int(right)
    pair = (left.type, right.type)
    if any(isinstance(kind, Double) for kind in pair) and any(map(known_ints, pair)):
        left, right = as_int(left), as_int(right)
        for value in (left, right):
            if isinstance(value.type, Long) and not value.type.exact_in_double:
                site.refuse(Code.INT_RANGE, "the integer may be too large to be an exact float")
        return _double(left), _double(right)
    return left, right


def _double(value: Expression) -> Expression:
    if isinstance(value.type, Double):
        return value
    if isinstance(value, Literal):
        return Literal(Double(False, False), float(value.value))
    return Cast(Double(False, False), value, "double")


def equal(site: Site, left: Expression, right: Expression) -> Expression:
    """Translate `left == right`."""
    if isinstance(left.type, NoneType) or isinstance(right.type, NoneType):
        other = right if isinstance(left.type, NoneType) else left
        return is_none(site, other)
    optional = isinstance(left.type, Nullable) or isinstance(right.type, Nullable)
    if isinstance(left.type, Tuple) and isinstance(right.type, Tuple):
        return _equal_tuples(site, left, right)
    a, b = present(left.type), present(right.type)
    if not optional:
        left, right = numbers(site, left, right)
        a, b = left.type, right.type
    floats = isinstance(a, Double) and isinstance(b, Double) and not optional
    alike = simple(a) and simple(b)
    if not floats and not (alike and type(a) is type(b) and join(a, b)):
        message = f"equality of {words(left.type)} and {words(right.type)} is not translated"
        site.refuse(Code.MIXED_TYPES if alike else Code.TYPE, message)
    if optional:
        return Method(Boolean(), "eqNullSafe", left, (right,))
    result: Expression = Operator(Boolean(), "==", left, right)
    # Spark takes NaN as equal to itself.
    if isinstance(a, Double) and isinstance(b, Double) and a.nan and b.nan:
        result = both(result, Not(Boolean(), Call(Boolean(), "isnan", (left,))))
    return result


def _equal_tuples(site: Site, left: Expression, right: Expression) -> Expression:
    pairs = [*zip(fields_of(left), fields_of(right), strict=False)]
    if any(map(may_raise, (left, right))):
        site.refuse(Code.EVALUATION, "Python computes all fields first, and may raise")
    if len(fields_of(left)) != len(fields_of(right)):
        return FALSE
    result: Expression = TRUE
    for a, b in pairs:
        result = both(result, equal(site, a, b))
    return result


def membership(site: Site, value: Value, container: Value) -> Expression:
    """Translate `value in container`."""
    value = site.expression(value)
    if isinstance(container, Choices):
        return _among(site, value, container.values)
    container = site.present(site.expression(container), "`in`")
    match container.type:
        case String():
            needle = site.expect(value, String)
            return Method(Boolean(), "contains", container, (needle,))
        case Tuple() if isinstance(container, Struct):
            return _among(site, value, container.fields)
        case Array(element=element, lazy=False) if searchable(element, value.type):
            return Call(Boolean(), "array_contains", (container, value))
        case Dictionary(key=key) if searchable(key, value.type):
            return Call(Boolean(), "map_contains_key", (container, value))
        case Record(names=names) if isinstance(value, Literal) and isinstance(value.value, str):
            if value.value not in names and container.type.path is None:
                site.refuse(Code.JSON_SHAPE, f"the shape has no key {value.value!r}")
            site.refuse(Code.MISSING_KEY, "Spark cannot tell a missing key from None")
    site.refuse(
        Code.TYPE, f"`in` of {words(value.type)} and {words(container.type)} is not translated"
    )


def searchable(element: Type, value: Type) -> bool:
    """Return whether a search for a value among elements uses the same equality in Spark."""
    same = type(element) is type(value) and isinstance(element, Long | String | Boolean)
    return same and not isinstance(value, Nullable)


def _among(site: Site, value: Expression, values: tuple[Expression, ...]) -> Expression:
    for each in values:
        site.tells_like(value, each)
        _check_evaluated(site, value, each)
    if not values:
        if may_raise(value):
            site.refuse(Code.EVALUATION, "Python may raise here, but the search is constant")
        return FALSE
    if all(isinstance(each, Literal) and searchable(each.type, value.type) for each in values):
        return Method(Boolean(), "isin", value, values)
    result = equal(site, value, values[0])
    for each in values[1:]:
        result = either(result, equal(site, value, each))
    return result
