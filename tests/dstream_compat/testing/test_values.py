"""Values survive being encoded as JSON, and objects are their class and fields."""

from __future__ import annotations

import datetime
import decimal
import enum
import json
import math
from typing import Any, NamedTuple

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyspark.sql import Row

from dstream_compat.testing.values import decode, encode, readable


def without_fold(time: Any) -> Any:
    return time.replace(fold=0)


PLAIN = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(st.characters()),
    st.binary(),
    st.decimals(),
    st.datetimes(timezones=st.just(datetime.UTC) | st.none()).map(without_fold),
    st.dates(),
    st.times().map(without_fold),
    st.timedeltas(),
)
VALUES = st.recursive(
    PLAIN,
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text(), inner),
)


def written(value: Any) -> Any:
    return json.loads(json.dumps(encode(value)))


@given(VALUES)
def test_encoded_values_are_decoded(value: Any) -> None:
    decoded = decode(written(value))
    if isinstance(value, set):  # its order depends on the hashes of this process
        assert decoded == value
    else:
        assert repr(decoded) == repr(value)


@pytest.mark.parametrize(
    "value",
    [-0.0, math.nan, "\ud800", {1, "a", (2, None)}, Row(b=1, a="x"), Row(a=Row(c=[1])), {(1,): 2}],
)
def test_values_that_json_lacks(value: Any) -> None:
    decoded = decode(written(value))
    if isinstance(value, set):  # its order depends on the hashes of this process
        assert decoded == value
    else:
        assert repr(decoded) == repr(value)
    assert encode(value) == written(value)


class Point:
    def __init__(self) -> None:
        self.y, self.x, self.me = 2, 1.5, self


class Pair(NamedTuple):
    left: int
    right: str


class Color(enum.IntEnum):
    RED = 1


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Point(), "Point(me=cycle(Point), x=1.5, y=2)"),
        (Pair(1, "a"), "Pair(left=1, right='a')"),
        (Color.RED, "Color(value=1)"),
        (object(), "object(<object object>)"),
        (numpy.float64(0.5), "0.5"),
        (numpy.array([1, 2]), "[1, 2]"),
        (decimal.Decimal("1.10"), "Decimal('1.10')"),
        (("a",), "('a',)"),
        (Row(n=None), "Row(n=None)"),
        (b"\x00", "b'\\x00'"),
        ({"a": {1}}, "{'a': {1}}"),
    ],
)
def test_values_are_shown_as_python_does(value: Any, text: str) -> None:
    assert readable(written(value)) == text


def test_an_object_is_not_made_again() -> None:
    with pytest.raises(ValueError, match="cannot make a value of"):
        decode(encode(Point()))


@pytest.mark.parametrize(
    ("one", "other"), [(1, True), (1, 1.0), ("a", b"a"), ((1,), [1]), (0.0, -0.0)]
)
def test_types_and_signs_are_kept_apart(one: Any, other: Any) -> None:
    assert encode(one) != encode(other)
