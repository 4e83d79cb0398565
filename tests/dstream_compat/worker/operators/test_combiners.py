"""Ways to combine pairs: all give what calling the user's functions for each record gives."""

from __future__ import annotations

import itertools
import math
import operator
import pickle
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dstream_compat.wire import errors
from dstream_compat.wire.frames import ERROR, decode, unpack
from dstream_compat.worker import memory
from dstream_compat.worker.chain import Chain, Layout, Narrow, ToOutput, ToShuffle
from dstream_compat.worker.operators import combiners as ways
from dstream_compat.worker.operators import merging, record_functions
from dstream_compat.worker.operators.combine import CombineByKey
from dstream_compat.worker.operators.combiners import Combining, adder_of, way_for
from dstream_compat.worker.operators.merging import combine_pairs, first_pairs
from dstream_compat.worker.operators.record_functions import Map, Paired, UnderOneKey

MEMORY = 1 << 20


class Text(str):
    pass


class Number(int):
    def __add__(self, other: int) -> Number:
        return Number(int(self) + int(other) + 100)


class Bag:
    """Adds up, but only once."""

    def __init__(self, spent: bool = False) -> None:
        self.spent = spent

    def __add__(self, other: Any) -> Bag:
        if self.spent:
            raise LookupError("spent")
        return Bag(True)

    def __repr__(self) -> str:
        return f"Bag({self.spent})"


class Stops:
    def __add__(self, other: Any) -> Any:
        raise StopIteration

    __gt__ = __lt__ = __add__

    def __repr__(self) -> str:
        return "Stops()"


def ends_early(x: Any) -> Any:
    if x == 3:
        raise StopIteration
    return x, 1


def fails_late(x: Any) -> Any:
    if x == 3:
        raise ArithmeticError("no third")
    return x, 1


def added(a: Any, b: Any) -> Any:
    """Named."""
    return a + b


def larger(
    a: Any,
    b: Any,
) -> Any:
    return a if a > b else b


def identity(value: Any) -> Any:
    return value


def appended(values: list[Any], value: Any) -> list[Any]:
    values.append(value)
    return values


PAIRS: dict[str, Callable[[Any], Any]] = {
    "(x, 1)": lambda x: (x, 1),
    "(x, 3)": lambda x: (x, 3),
    "(x, -2**70)": lambda x: (x, -(2**70)),
    "(x, True)": lambda x: (x, True),
    "(x, 0.1)": lambda x: (x, 0.1),
    "(x, 'a')": lambda x: (x, "a"),
    "(x, None)": lambda x: (x, None),
    "(x, (1,))": lambda x: (x, (1,)),
    "(type, 1)": lambda x: (type(x).__name__, 1),
    "(repr[0], 1)": lambda x: (repr(x)[0], 1),
    "(None, x)": lambda x: (None, x),
    "(1, x)": lambda x: (1, x),
    "(type, x)": lambda x: (type(x).__name__, x),
    "(x, x)": lambda x: (x, x),
    "ends": ends_early,
    "fails": fails_late,
}

REDUCERS: dict[str, Callable[[Any, Any], Any]] = {
    "add": operator.add,
    "a + b": lambda a, b: a + b,
    "b + a": lambda a, b: b + a,
    "named": added,
    "a * b": lambda a, b: a * b,
    "a - b": lambda a, b: a - b,
    "a | b": lambda a, b: a | b,
    "max": max,
    "min": min,
    "max(a, b)": lambda a, b: max(a, b),
    "min(b, a)": lambda a, b: min(b, a),
    "larger": larger,
    "a <= b": lambda a, b: a if a <= b else b,
    "last": lambda a, b: b,
    "other": lambda a, b: [a, b],
    "sum": lambda a, b: sum((a, b)),
}

LISTS: dict[str, tuple[Callable[[Any], Any], Callable[[Any, Any], Any]]] = {
    "append": (lambda v: [v], appended),
    "plus": (lambda v: [v], lambda values, v: values + [v]),  # noqa: RUF005
    "own": (lambda v: [v, v], appended),
    "tuples": (lambda v: (v,), lambda values, v: (*values, v)),
    "average": (lambda v: (v, 1), lambda c, v: (c[0] + v, c[1] + 1)),
}

plain_values = st.one_of(
    st.integers(-5, 5),
    st.integers(),
    st.booleans(),
    st.sampled_from([0.0, -0.0, 1.0, 0.1, 1e308, math.inf, math.nan, 2.0**53]),
    st.floats(),
    st.text("abć", max_size=2),
    st.sampled_from([None, b"a", Decimal("0.1"), Decimal(1), Fraction(1, 3), 1j, (), (1, "a")]),
    st.sampled_from([Text("a"), Number(1), Number(2), np.int64(1), np.float32(0.1), np.int8(127)]),
)
rare_values = st.one_of(
    st.builds(list), st.builds(dict), st.builds(set), st.builds(Bag), st.just(Stops()),
    st.just(np.array([1, 2])), st.lists(st.integers(0, 2), max_size=2),
)  # fmt: skip
records_of = st.one_of(
    st.lists(st.sampled_from([1, 1.0, True, 2, "a", Text("a"), (1,), (1.0,)]), max_size=30),
    st.lists(st.integers(-3, 4), max_size=30),
    st.lists(st.floats(-1, 1), max_size=30),
    st.lists(plain_values, max_size=30),
    st.lists(st.one_of(plain_values, rare_values), max_size=15),
)


@contextmanager
def nothing_recognised() -> Iterator[None]:
    with (
        patch.object(record_functions, "pairs_of", lambda _: None),
        patch.object(ways, "reducer_of", lambda _: None),
        patch.object(ways, "is_identity", lambda _: False),
        patch.object(ways, "is_list", lambda *_: False),
    ):
        yield


def outcome(
    records: Iterable[Any], pair: Any, create: Any, merge: Any, copies: Any
) -> tuple[list[Any], str]:
    """Return what came out, in order, and the text of the error that ended it."""
    seen: list[Any] = []
    try:
        for held in combine_pairs(Map(pair).results(iter(copies(records))), create, merge, MEMORY):
            seen.extend((described(key), described(value)) for key, value in held)
    except Exception as error:
        if isinstance(error.__cause__, StopIteration):
            return seen, repr(error)  # with the frames of the cause, ours among them
        return seen, errors.capture(error).text
    return seen, ""


def described(value: Any) -> Any:
    """Return a value so that what compares equal is told apart."""
    if isinstance(value, (list, tuple)):
        return type(value).__name__, [described(element) for element in value]
    return type(value).__name__, repr(value)


def copied(records: Iterable[Any]) -> list[Any]:
    return pickle.loads(pickle.dumps(list(records)))


def assert_same(records: list[Any], pair: Any, create: Any, merge: Any) -> None:
    found = outcome(records, pair, create, merge, copied)
    with nothing_recognised():
        expected = outcome(records, pair, create, merge, copied)
    assert found == expected


@pytest.mark.slow
@settings(max_examples=400, deadline=None)
@given(records_of, st.sampled_from(sorted(PAIRS)), st.sampled_from(sorted(REDUCERS)))
def test_reduced_as_by_calls(records: list[Any], pair: str, reducer: str) -> None:
    assert_same(records, PAIRS[pair], identity, REDUCERS[reducer])


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(records_of, st.sampled_from(sorted(PAIRS)), st.sampled_from(sorted(LISTS)))
def test_combined_as_by_calls(records: list[Any], pair: str, functions: str) -> None:
    assert_same(records, PAIRS[pair], *LISTS[functions])


@pytest.mark.parametrize("reducer", sorted(REDUCERS))
@pytest.mark.parametrize(
    "records",
    [
        [1, "a", 1, "a", None],
        [1, 2, [], 1],
        [None, None],
        [Bag(), Bag(), Bag()],
        [Stops(), Stops()],
        [np.array([1, 2]), np.array([2, 1])],
        [0.1] * 10,
        [{}, {}],
    ],
    ids=repr,
)
def test_the_same_errors(reducer: str, records: list[Any]) -> None:
    for pair in PAIRS.values():
        assert_same(records, pair, identity, REDUCERS[reducer])


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(records_of, st.sampled_from(sorted(REDUCERS)))
def test_merged_as_by_calls(values: list[Any], reducer: str) -> None:
    def merged() -> tuple[list[Any], str]:
        held: dict[Any, Any] = {}
        try:
            adder_of(REDUCERS[reducer])(held, ((number % 3, v) for number, v in copied_pairs()))
        except StopIteration:
            return [], "StopIteration"
        except Exception as error:
            return [], errors.capture(error).text
        return [(described(k), described(v)) for k, v in held.items()], ""

    def copied_pairs() -> list[tuple[int, Any]]:
        return list(enumerate(copied(values)))

    found = merged()
    with nothing_recognised():
        assert found == merged()


def test_the_first_of_equal_keys_stays() -> None:
    first, second = Text("a"), "a"
    for create, merge in [(identity, operator.add), (identity, max), LISTS["append"]]:
        [held] = combine_pairs(
            Map(lambda w: (w, 1)).results(iter([first, second])), create, merge, 9
        )
        [(key, _)] = list(held)
        assert key is first


def test_a_list_under_change_is_seen_as_it_is_at_each_record() -> None:
    def growing() -> Iterator[list[int]]:
        values: list[int] = []
        for number in range(4):
            values.append(number)
            yield values

    pairs = Map(lambda x: (None, x)).results(map(tuple, growing()))
    [held] = combine_pairs(pairs, identity, operator.add, MEMORY)
    assert dict(held) == {None: (0, 0, 1, 0, 1, 2, 0, 1, 2, 3)}


def test_nothing_is_asked_again_after_the_end() -> None:
    def ends(x: int) -> int:
        if x == 2:
            raise StopIteration
        return x

    for pair in (PAIRS["(x, 1)"], PAIRS["(None, x)"], PAIRS["(x, x)"], PAIRS["(type, 1)"]):
        [held] = combine_pairs(Map(pair).results(map(ends, [1, 1, 2, 1])), identity, added, MEMORY)
        assert sum(value for _, value in held) == 2


def way(pair: Any, create: Any, merge: Any) -> Combining:
    return way_for(create, merge, Map(pair).results(iter(())))


@pytest.mark.parametrize(
    ("pair", "merge", "text"),
    [
        ("(x, 1)", "add", "counts keys in C: each value is 1, and the function is add"),
        ("(x, 3)", "a + b", "counts keys in C: each value is 3, and the function is a + b"),
        ("(type, 1)", "b + a", "counts keys in C: each value is 1, and the function is b + a"),
        ("(x, True)", "add", "does not call the function for each record: it is add"),
        ("(x, 0.1)", "named", "does not call the function for each record: it is a + b"),
        ("(x, 1)", "max", "does not call the function for each record: it is max"),
        ("(x, x)", "a + b", "does not call the function for each record: it is a + b"),
        ("(x, 1)", "sum", "calls the function for each record: it is none of those recognised"),
        ("(None, x)", "sum", "reduces all values in C: each record gets the key None"),
    ],
)
def test_ways_to_reduce(pair: str, merge: str, text: str) -> None:
    assert way(PAIRS[pair], identity, REDUCERS[merge]).text == text


@pytest.mark.parametrize(
    ("pair", "functions", "text"),
    [
        ("(x, 1)", "append", "counts keys in C, then makes the lists: each value is 1"),
        ("(x, 'a')", "plus", "counts keys in C, then makes the lists: each value is 'a'"),
        ("(x, (1,))", "append", "appends to lists"),
        ("(x, x)", "append", "appends to lists"),
        (
            "(x, 1)",
            "own",
            "calls the functions for each record: they are none of those recognised",
        ),
    ],
)
def test_ways_to_make_lists(pair: str, functions: str, text: str) -> None:
    assert way(PAIRS[pair], *LISTS[functions]).text == text


@pytest.mark.slow
def test_lists_of_a_constant_are_bounded() -> None:
    records = 3 * ways._MOST_REPEATED
    pairs = Map(lambda x: ("all", 1)).results(iter(range(5)))
    assert not isinstance(pairs, Paired), "both are constants"
    made = Map(lambda x: (x, 1)).results(0 for _ in range(records))
    sizes = [len(values) for held in combine_pairs(made, *LISTS["append"], MEMORY)
             for _, values in held]  # fmt: skip
    assert sum(sizes) == records
    assert max(sizes) <= ways._MOST_REPEATED + 2 * merging._LAST_LOOK


@pytest.mark.slow
def test_counted_keys_are_sent_on_when_memory_is_used_up(monkeypatch: pytest.MonkeyPatch) -> None:
    # What this process really uses need not grow: memory of earlier tests is free in it.
    used = itertools.count(start=100, step=2)
    monkeypatch.setattr(memory, "used_memory", lambda: next(used))
    pairs = Map(lambda x: (x, 1)).results(f"{i:0500}" for i in range(60_000))
    held = [dict(each) for each in combine_pairs(pairs, identity, operator.add, 1)]
    assert len(held) > 1
    assert sum(map(len, held)) == 60_000


def test_pairs_that_nobody_combines_are_made() -> None:
    assert list(Map(lambda w: (w, 1))(0, iter("ab"))) == [("a", 1), ("b", 1)]
    assert list(Map(lambda x: (None, x))(0, iter("ab"))) == [(None, "a"), (None, "b")]
    assert list(Map(lambda w: (w * 2, 1))(0, iter("ab"))) == [("aa", 1), ("bb", 1)]
    assert isinstance(Map(lambda x: (None, x)).results(iter("ab")), UnderOneKey)
    assert next(Map(lambda x: (None, x))(0, iter("ab"))) == (None, "a")


def test_keys_that_have_become_equal_are_merged() -> None:
    assert first_pairs([("a", 1), ("b", 2), ("a", 3)], adder_of(operator.add)) == {"a": 4, "b": 2}
    assert first_pairs([], adder_of(operator.add)) == {}
    nan = math.nan
    assert len(first_pairs([(nan, 1), (float("nan"), 2)], adder_of(operator.add))) == 2


@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        (lambda w: (w, 1), {"a": 2, "B": 1}),
        (lambda w: (w.lower(), 2), {"a": 4, "b": 2}),
        (lambda w: (w, (1,)), {"a": (1, 1), "B": (1,)}),
        (lambda w: ("x", w), {"x": "aBa"}),
        (lambda w: (w, w), {"a": "aa", "B": "B"}),
    ],
)
def test_several_operators_read_the_same_pairs(pair: Any, expected: dict[Any, Any]) -> None:
    ops = [CombineByKey(n, 2, 1000, 1000, identity, added, added) for n in (2, 3)]
    consumers = [Narrow(Map(pair), [*(ToShuffle(op.node, op) for op in ops), ToOutput(1)])]
    found: dict[int, list[Any]] = {1: [], 2: [], 3: []}
    for _, data in Chain(Layout((5, 9))).run(consumers, ["a", "B", "a"], 1000, (0,)):
        found[unpack(data).node].extend(decode(unpack(data)))
    assert found[1] == [pair("a"), pair("B"), pair("a")]
    assert dict(found[2]) == dict(found[3]) == expected


def test_several_operators_fail_by_the_same_record() -> None:
    op = CombineByKey(2, 2, 1000, 1000, identity, added, added)
    consumers = [Narrow(Map(lambda w: (w.lower(), 1)), [ToShuffle(2, op), ToOutput(1)])]
    out = Chain(Layout((5,))).run(consumers, ["a", None], 1000, (0,))
    frames = [unpack(data) for _, data in out]
    assert [(frame.node, frame.kind) for frame in frames] == [(2, ERROR), (1, ERROR)]
    assert all("(w.lower(), 1)" in errors.load(frame.payload).text for frame in frames)
