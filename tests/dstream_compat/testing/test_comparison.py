"""Encoded values are the same by type and value, with a tolerance, and without ignored fields."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NamedTuple

import pytest
from pyspark.sql import Row

from dstream_compat.testing.comparison import IGNORED, Equality, match_rows, without
from dstream_compat.testing.values import encode, written_record

EXACT = Equality()
CLOSE = Equality(tolerance=1e-9)
COLUMNS = Equality(columns=True)


@dataclass
class Point:
    x: float
    name: str


class Tweet(NamedTuple):
    user: str
    place: tuple[int, int]


SAME: list[tuple[Any, Any]] = [
    (1, 1),
    ("a", "a"),
    (None, None),
    (b"a", b"a"),
    (("a", 1), ("a", 1)),
    ([1, [2]], [1, [2]]),
    ({1, 2}, {2, 1}),
    ({"x": 1, "y": 2}, {"y": 2, "x": 1}),
    (Row(a=1, b=2), Row(a=1, b=2)),
    (float("nan"), float("nan")),
    (Point(1.0, "a"), Point(1.0, "a")),
    (Decimal("1.0"), Decimal("1.0")),
]
DIFFERENT: list[tuple[Any, Any]] = [
    (1, 1.0),
    (1, True),
    (1, "1"),
    ("a", b"a"),
    ("", None),
    (("a", 1), ["a", 1]),
    (("a",), "a"),
    (("a", 1), ("a", 1, None)),
    ((1, 2), (2, 1)),
    ([1, 2], [2, 1]),
    ({1, 2}, {1, 2, 3}),
    ({"x": 1}, {"x": 2}),
    ({"x": 1}, {"y": 1}),
    (Row(a=1), Row(b=1)),
    (Row(a=1, b=2), (1, 2)),
    (0.0, -0.0),
    (0.1 + 0.2, 0.3),
    (Point(1.0, "a"), Point(1.0, "b")),
    (Decimal("1.0"), Decimal("1.00")),
    (datetime.date(2020, 1, 1), datetime.datetime(2020, 1, 1)),
]
FIT_COLUMNS: list[tuple[Any, Any]] = [
    (("a", 1), Row(word="a", count=1)),
    ("a", Row(value="a")),
    (("a", (1, 2.5)), Row(k="a", v=Row(x=1, y=2.5))),
    ((("a", "b"), 1), Row(one="a", two="b", count=1)),
    ({"x": 1, "y": 2}, Row(y=2, x=1)),
    ({1, 2}, Row(value=[2, 1])),
    (Row(a=1), Row(b=1)),
]
NO_COLUMNS: list[tuple[Any, Any]] = [
    (("a", 1), Row(word="a", count=2)),
    (("a", 1), Row(count=1, word="a")),
    (("a", [1, 2]), Row(k="a", v=[2, 1])),
    (1, Row(value=1.0)),
    ("", Row(value=None)),
]


@pytest.mark.parametrize(("value", "other"), SAME)
def test_same(value: Any, other: Any) -> None:
    assert EXACT.same(encode(value), encode(other))
    assert CLOSE.same(encode(value), encode(other))


@pytest.mark.parametrize(("value", "other"), DIFFERENT)
def test_different(value: Any, other: Any) -> None:
    assert not EXACT.same(encode(value), encode(other))
    assert not EXACT.same(encode(other), encode(value))


@pytest.mark.parametrize(("value", "other"), FIT_COLUMNS)
def test_columns_stand_for_values(value: Any, other: Any) -> None:
    assert COLUMNS.same(encode(value), encode(other))
    assert not EXACT.same(encode(value), encode(other))


@pytest.mark.parametrize(("value", "other"), NO_COLUMNS)
def test_columns_are_no_licence(value: Any, other: Any) -> None:
    assert not COLUMNS.same(encode(value), encode(other))


def test_text_of_a_file_is_a_column() -> None:
    assert COLUMNS.same(written_record(("a", 1)), encode(Row(value="('a', 1)")))
    assert not COLUMNS.same(written_record(("a", 1)), encode(Row(value="(a, 1)")))


@pytest.mark.parametrize(
    ("value", "other", "same"),
    [
        (0.1 + 0.2, 0.3, True),
        (1e12, 1e12 + 1e-3, True),
        (0.0, -0.0, True),
        (1.0, 1.001, False),
        (1.0, float("nan"), False),
        (float("inf"), 1e308, False),
        (1.0, 1, False),
        (("a", [0.1 + 0.2]), ("a", [0.3]), True),
        ({"x": 0.1 + 0.2}, {"x": 0.3}, True),
        ({0.1 + 0.2}, {0.3}, True),
        (Point(0.1 + 0.2, "a"), Point(0.3, "a"), True),
        (Point(0.1 + 0.2, "a"), Point(0.3, "b"), False),
        (Row(a=0.1 + 0.2), Row(a=0.3), True),
        (Row(a=0.1 + 0.2), Row(b=0.3), False),
    ],
)
def test_tolerance_is_of_floats_wherever_they_are(value: Any, other: Any, same: bool) -> None:
    assert CLOSE.same(encode(value), encode(other)) is same


@pytest.mark.parametrize(
    ("value", "path", "other"),
    [
        (("a", 1), "1", ("a", 2)),
        ([1, ("a", 2)], "1.0", [1, ("b", 2)]),
        (Row(at=1, x=2), "at", Row(at=5, x=2)),
        (Row(at=1, x=2), "0", Row(at=5, x=2)),
        ({"at": 1, "x": 2}, "at", {"at": 3, "x": 2}),
        (("k", {"at": 1}), "1.at", ("k", {"at": 2})),
        (Point(1.0, "a"), "x", Point(2.0, "a")),
    ],
)
def test_ignored_fields(value: Any, path: str, other: Any) -> None:
    paths = [path.split(".")]
    assert not EXACT.same(encode(value), encode(other))
    assert EXACT.same(without(encode(value), paths), without(encode(other), paths))


@pytest.mark.parametrize(
    ("value", "path"),
    [(("a", 1), "2"), ("a", "0"), (1, "at"), ({"x": 1}, "at"), (("a", 1), "1.at"), ({1}, "0")],
)
def test_a_field_that_is_not_there_changes_nothing(value: Any, path: str) -> None:
    assert without(encode(value), [path.split(".")]) == encode(value)


def test_a_whole_value_can_be_ignored() -> None:
    assert without(encode(1), [[]]) == IGNORED


def matched(old: list[Any], new: list[Any], equality: Equality = CLOSE) -> tuple[list[Any], ...]:
    return match_rows([encode(one) for one in old], [encode(one) for one in new], equality)


def test_rows_are_multisets() -> None:
    only_old, only_new, both = matched(["a", "a", "b"], ["b", "a", "c"])
    assert only_old == [encode("a")]
    assert only_new == [encode("c")]
    assert sorted(both) == [encode("a"), encode("b")]


def test_nothing_is_lost_or_made() -> None:
    old = [("k", 0.1 * n) for n in range(9)] + ["x", None, ("k", 0.3)]
    new = [("k", 0.1 * n + 1e-16) for n in range(9)] + ["y", None, None]
    only_old, only_new, both = matched(old, new)
    assert len(only_old) + len(both) == len(old)
    assert len(only_new) + len(both) == len(new)
    assert sorted(only_old) == sorted([encode("x"), encode(("k", 0.3))])
    assert sorted(only_new) == sorted([encode("y"), encode(None)])


def test_close_floats_match_beside_exact_ones() -> None:
    assert matched([("a", 0.1 + 0.2), ("a", 0.3)], [("a", 0.3), ("a", 0.3)])[:2] == ([], [])


def test_a_partner_that_fits_another_row_only_is_left_to_it() -> None:
    assert matched([1.0, 1.2], [1.1, 0.95], Equality(tolerance=0.15))[:2] == ([], [])


def test_rows_of_columns_match_values() -> None:
    old = [("a", 1), {"x": 1}, "t"]
    new = [Row(k="t"), Row(x=1), Row(k="a", n=1)]
    assert matched(old, new, COLUMNS)[:2] == ([], [])


@pytest.mark.slow
def test_many_rows_that_differ_in_floats_only_take_no_quadratic_time() -> None:
    old = [(f"user{n}", n / 3) for n in range(20_000)]
    new = [(f"user{n}", n / 3 + 1e-15) for n in reversed(range(20_000))]
    assert matched(old, new)[:2] == ([], [])


def test_a_named_tuple_is_a_row_with_its_names() -> None:
    tweets = [encode(Tweet("ann", (1, 2))), encode(("k", Tweet("bob", (3, 4))))]
    place = Row(x=1, y=2)
    rows = [
        encode(Row(key="k", value=Row(user="bob", place=Row(x=3, y=4)))),
        encode(Row(user="ann", place=place)),
    ]
    assert match_rows(tweets, rows, COLUMNS)[:2] == ([], [])
    assert not COLUMNS.same(tweets[0], encode(Row(name="ann", place=place)))
    assert not COLUMNS.same(tweets[0], encode(Row(user="eve", place=place)))
    assert not EXACT.same(tweets[0], rows[1])
