"""The type of a value that is of one of two types has the values of both, in any order."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dstream_compat.native.types import (
    Array,
    Boolean,
    Double,
    Long,
    Never,
    NoneType,
    Nullable,
    String,
    Type,
    nullable,
    tuple_of,
)
from migrator.structured.udfs.types import Mixed, SetOf, Unbounded, union_of

pytestmark = pytest.mark.slow

BOUNDS = st.sampled_from([-(2**63), -1, 0, 1, 5, 2**31, 2**63 - 1])
SIMPLE: st.SearchStrategy[Type] = st.one_of(
    st.tuples(BOUNDS, BOUNDS).map(lambda pair: Long(min(pair), max(pair))),
    st.builds(Double, st.booleans(), st.booleans()),
    st.builds(String, st.booleans()),
    st.sampled_from([Boolean(), NoneType(), Never(), Unbounded()]),
)
TYPES: st.SearchStrategy[Type] = st.recursive(
    SIMPLE,
    lambda inner: st.one_of(
        inner.map(nullable),
        inner.map(Array),
        inner.map(SetOf),
        st.tuples(inner, inner).map(lambda fields: tuple_of(*fields)),
    ),
    max_leaves=4,
)


def values(kind: Type) -> list[Any]:
    """Values of a type, those at its limits among them."""
    match kind:
        case Long(lo=lo, hi=hi):
            return [lo, hi]
        case Unbounded():
            return [0, 2**70]
        case Double(nan=nan, inf=inf):
            return [1.5, *[float("nan")] * nan, *[float("inf")] * inf]
        case String(ascii=ascii_):
            return ["a", *["é"] * (not ascii_)]
        case Boolean():
            return [True]
        case NoneType():
            return [None]
        case Nullable(inner=inner):
            return [None, *values(inner)]
        case Array(element=element):
            return [[], *([each] for each in values(element))]
        case Mixed(kinds=kinds):
            return [value for each in kinds for value in values(each)]
        case SetOf(element=element):
            # a list stands for a set, as its elements need no hash here
            return [("set",), *(("set", each) for each in values(element))]
    fields = [values(each) for each in getattr(kind, "fields", ())]
    return [tuple(parts) for parts in zip(*fields, strict=False)]


def has(kind: Type, value: Any) -> bool:
    """Whether a value is of a type."""
    match kind:
        case Long(lo=lo, hi=hi):
            return type(value) is int and lo <= value <= hi
        case Unbounded():
            return type(value) is int
        case Double(nan=nan, inf=inf):
            return type(value) is float and (nan or value == value) and (inf or value != 2e308)
        case String(ascii=ascii_):
            return type(value) is str and (not ascii_ or value.isascii())
        case Boolean():
            return type(value) is bool
        case NoneType():
            return value is None
        case Nullable(inner=inner):
            return value is None or has(inner, value)
        case Array(element=element):
            return type(value) is list and all(has(element, each) for each in value)
        case Mixed(kinds=kinds):
            return any(has(each, value) for each in kinds)
        case SetOf(element=element):
            return (
                type(value) is tuple
                and value[:1] == ("set",)
                and all(has(element, each) for each in value[1:])
            )
    fields = getattr(kind, "fields", ())
    return bool(fields) and type(value) is tuple and all(map(has, fields, value))


@settings(max_examples=400, deadline=None)
@given(TYPES, TYPES)
def test_it_has_the_values_of_both(one: Type, other: Type) -> None:
    whole = union_of(one, other)
    assert whole == union_of(other, one)
    assert all(has(whole, value) for value in (*values(one), *values(other)))
    assert union_of(whole, one) == whole


@settings(max_examples=200, deadline=None)
@given(TYPES, TYPES, TYPES)
def test_the_order_of_three_does_not_matter(one: Type, other: Type, third: Type) -> None:
    assert union_of(union_of(one, other), third) == union_of(one, union_of(other, third))
