"""Values survive being encoded as JSON, and objects are their class and fields."""

from __future__ import annotations

import datetime
import decimal
import enum
import json
import math
import re
import threading
import uuid
import weakref
from collections import deque
from fractions import Fraction
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


@pytest.mark.slow
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
        (object(), "object(not comparable)"),
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


class Slots:
    __slots__ = ("a", "unset")

    def __init__(self, a: Any, *more: Any) -> None:
        self.a = a


class MoreSlots(Slots):
    __slots__ = ("__hidden", "__weakref__")

    def __init__(self, a: Any, hidden: Any) -> None:
        self.a, self.__hidden = a, hidden


class SlotsAndFields(Slots):
    def __init__(self, a: Any, b: Any) -> None:
        self.a, self.b = a, b


class Lines(deque[str]):
    pass


class Failure(Exception):
    def __init__(self, text: str, code: int) -> None:
        super().__init__(text)
        self.code = code


class OwnState:
    def __init__(self, kept: int) -> None:
        self.kept, self.lock = kept, threading.Lock()

    def __getstate__(self) -> dict[str, int]:
        return {"kept": self.kept}


class Weights:
    """Its fields are read, so that a tolerance counts, though pickle keeps bytes."""

    def __init__(self, weight: float) -> None:
        self.weight = weight

    def __reduce__(self) -> Any:
        return Weights, (numpy.float64(self.weight).tobytes(),)


class Plain:
    pass


class Referring:
    def __init__(self, given: Any) -> None:
        self.given, self.me = given, weakref.ref(self)


def failure(text: str, code: int) -> Failure:
    return Failure(text, code)


@pytest.mark.parametrize(
    ("make", "one", "other", "text"),
    [
        (Slots, (1,), (2,), "Slots(a=1)"),
        (MoreSlots, (1, 2), (1, 3), "MoreSlots(_MoreSlots__hidden=2, a=1)"),
        (SlotsAndFields, (1, 2), (1, 3), "SlotsAndFields(a=1, b=2)"),
        (SlotsAndFields, (1, 2), (3, 2), "SlotsAndFields(a=1, b=2)"),
        (deque, ([1],), ([2],), "deque(items=[1])"),
        (Lines, (["a"],), (["b"],), "Lines(items=['a'])"),
        (Failure, ("no", 1), ("no", 2), "Failure(code=1, args=('no',))"),
        (Failure, ("no", 1), ("yes", 1), "Failure(code=1, args=('no',))"),
        (complex, (1, 2), (1, 3), "complex(args=(1.0, 2.0))"),
        (range, (3,), (4,), "range(args=(0, 3, 1))"),
        (Weights, (1.5,), (2.5,), "Weights(weight=1.5)"),
        (re.compile, ("a",), ("b",), "Pattern(made by='_compile', args=('a', 32))"),
        (OwnState, (1,), (2,), "OwnState(kept=1)"),
        (Referring, (1,), (2,), "Referring(given=1, me=ReferenceType(referent=cycle(Referring)))"),
    ],
)
def test_objects_are_what_they_have(make: Any, one: Any, other: Any, text: str) -> None:
    assert encode(make(*one)) == encode(make(*one))
    assert encode(make(*one)) != encode(make(*other))
    assert readable(written(make(*one))) == text


@pytest.mark.parametrize("make", [uuid.UUID, Fraction, decimal.Decimal])
def test_classes_of_python_are_kept_apart(make: Any) -> None:
    texts = {uuid.UUID: ("1" * 32, "2" * 32)}.get(make, ("1", "2"))
    assert encode(make(texts[0])) == encode(make(texts[0]))
    assert encode(make(texts[0])) != encode(make(texts[1]))


@pytest.mark.parametrize(
    "make",
    [object, threading.Lock, lambda: lambda: 1, lambda: (x for x in ())],
)
def test_what_has_only_an_address_is_like_nothing(make: Any) -> None:
    value = make()
    assert encode(value)[0] == "not comparable"
    assert encode(value) != encode(value)
    assert encode((1, [value])) != encode((1, [value]))


@pytest.mark.parametrize("value", [Plain(), Plain, failure, json, len, Color.RED])
def test_what_has_a_name_is_like_itself(value: Any) -> None:
    assert encode(value) == encode(value)
    assert "0x" not in readable(encode(value))


def test_classes_without_fields_are_kept_apart() -> None:
    assert encode(Plain()) == encode(Plain())
    assert encode(Plain()) != encode(type("Other", (), {})())
