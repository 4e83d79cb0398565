"""States as columns: with types where these give back the same objects."""

from __future__ import annotations

import io
import math
import pickle
from collections import Counter, OrderedDict, defaultdict
from datetime import date
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as some
from pyarrow import parquet

from dstream_compat.export.columns import parquet_of, table_of


class Seen(NamedTuple):
    number: int


class Flag(int):
    pass


def restored(value: Any, like: Any) -> Any:
    """What Spark's rows have of a value, with tuples for rows."""
    if isinstance(like, tuple):
        return tuple(restored(value[f"_{n}"], each) for n, each in enumerate(like, 1))
    if isinstance(like, list):
        return [restored(*each) for each in zip(value, like, strict=True)]
    if isinstance(like, dict):
        pairs = zip(value, like.items(), strict=True)
        return {restored(key, old): restored(each, was) for (key, each), (old, was) in pairs}
    return value


def round_trip(pairs: list[tuple[Any, Any]]) -> list[tuple[Any, Any]] | None:
    """What a file gives back; None if it has pickles."""
    table = parquet.read_table(io.BytesIO(parquet_of(table_of(pairs))))
    if table.column_names == ["pickled"]:
        assert [pickle.loads(data) for data in table["pickled"].to_pylist()] == pairs
        return None
    rows = zip(table["key"].to_pylist(), table["value"].to_pylist(), pairs, strict=True)
    return [(restored(key, pair[0]), restored(value, pair[1])) for key, value, pair in rows]


@pytest.mark.parametrize(
    "value",
    [
        *(True, 0, -(2**63), 2**63 - 1, 1.5, -0.0, math.inf, "", "ü\0 𝄞", b"", b"\x00\xff"),
        *((1, "a"), (1, (2.5, b"c")), [1, 2], [[1], []], [(1, "a")], {"a": 1}, {1: [("b", 2.0)]}),
        ({"a": (1, True)}, [b"x"]),
    ],
    ids=repr,
)
def test_values_with_types(value: Any) -> None:
    for pairs in ([("k", value)], [(("k", 1), value), (("l", 2), value)]):
        found = round_trip(pairs)
        assert repr(found) == repr(pairs)


@pytest.mark.parametrize(
    "value",
    [
        *(None, 2**63, "\ud800", 1j, date(2020, 1, 1), {1, 2}, (), [], {}, [None], (1, None)),
        *([1, "a"], [1, 2.0], [True, 1], {"a": 1, 2: 3}, [(1,), (1, 2)], {"a": {}}, [[]]),
        *(Seen(1), Flag(1), [Seen(1)], Counter("a"), OrderedDict(a=1), defaultdict(int, a=1)),
    ],
    ids=repr,
)
def test_values_without(value: Any) -> None:
    assert round_trip([("k", value)]) is None


def test_all_states_have_one_type() -> None:
    assert round_trip([("a", []), ("b", [1])]) == [("a", []), ("b", [1])]
    assert round_trip([("a", 1), ("b", 2.0)]) is None
    assert round_trip([("a", 1), (1, 1)]) is None
    assert round_trip([("a", (1, 2)), ("b", (1, 2, 3))]) is None
    assert round_trip([]) is None


def test_what_cannot_be_pickled() -> None:
    with pytest.raises((pickle.PicklingError, AttributeError)):
        table_of([("a", lambda: 1)])


LEAVES = some.one_of(
    some.booleans(),
    some.integers(-(2**65), 2**65),
    some.floats(allow_nan=False),
    some.text(max_size=3),
    some.binary(max_size=3),
    some.none(),
)
VALUES = some.recursive(
    LEAVES,
    lambda inner: some.one_of(
        some.lists(inner, max_size=3),
        some.tuples(inner, inner),
        some.dictionaries(some.text(max_size=2), inner, max_size=3),
    ),
    max_leaves=6,
)


@pytest.mark.slow
@given(some.lists(some.tuples(some.text(max_size=3), VALUES), max_size=4))
def test_any_values(pairs: list[tuple[str, Any]]) -> None:
    found = round_trip(pairs)
    # as text, since True, 1 and 1.0 are equal
    assert found is None or repr(found) == repr(pairs)
