"""Translated functions on blocks of texts give what Python gives for each text."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dstream_compat.native.whitespace import CHARACTERS
from dstream_compat.settings import ALWAYS, AUTO
from dstream_compat.wire.frames import FIXED, LINES, Frame, decode, pack, unpack
from dstream_compat.wire.text import REPLACE
from dstream_compat.worker.chain import Consumer, Narrow, ToOutput, UnionSide, of_texts
from dstream_compat.worker.columns.records import Texts
from dstream_compat.worker.columns.translated import Native, native_of
from dstream_compat.worker.operators.merging import combine_pairs
from dstream_compat.worker.operators.record_functions import (
    Filter,
    FlatMap,
    Map,
    MapValues,
    RecordFunction,
)
from tests.support.streaming.processes import run_python

PREFIX = "error"
TEXTS = st.lists(
    st.text(
        st.sampled_from([*"abBerroEx ,.|#-", *CHARACTERS, *"\0\x7féßİK\u017fΣﬀ☃\U0001f388"])
        | st.characters(exclude_categories=["Cs"]),
        max_size=12,
    ).map(lambda text: text.replace("\n", "")),
    min_size=1,
    max_size=30,
)

NATIVE: dict[str, RecordFunction] = {
    "split": FlatMap(lambda x: x.split(" ")),
    "split-comma": FlatMap(lambda x: x.split(",")),
    "split-dot": FlatMap(lambda x: x.split(".")),
    "split-pipe": FlatMap(lambda x: x.split("|")),
    "split-two": FlatMap(lambda x: x.split("rr")),
    "split-overlap": FlatMap(lambda x: x.split("  ")),
    "split-snow": FlatMap(lambda x: x.split("☃")),
    "split-break": FlatMap(lambda x: x.split("\n")),
    "split-null": FlatMap(lambda x: x.split("\0")),
    "words": FlatMap(lambda x: x.split()),
    "words-method": FlatMap(str.split),
    "stripped-words": FlatMap(lambda x: x.strip().split(" ")),
    "lower-words": FlatMap(lambda x: x.lower().split(" ")),
    "words-if": FlatMap(lambda x: [w for w in x.split(" ") if w]),
    "words-if-long": FlatMap(lambda x: [w for w in x.split(",") if len(w) > 2]),
    "words-stripped": FlatMap(lambda x: [w.strip() for w in x.split(",")]),
    "same": Map(lambda x: x),
    "strip": Map(lambda x: x.strip()),
    "strip-method": Map(str.strip),
    "strip-characters": Map(lambda x: x.strip("#-")),
    "lstrip": Map(lambda x: x.lstrip()),
    "rstrip": Map(lambda x: x.rstrip("b")),
    "lower": Map(lambda x: x.lower()),
    "upper": Map(str.upper),
    "replace": Map(lambda x: x.replace("r", "☃☃")),
    "replace-overlap": Map(lambda x: x.replace("aa", "b")),
    "truth": Filter(lambda x: x),
    "bool": Filter(bool),
    "contains": Filter(lambda x: "b" in x),
    "contains-empty": Filter(lambda x: "" in x),
    "contains-not": Filter(lambda x: "b" not in x),
    "contains-lower": Filter(lambda x: "k" in x.lower()),
    "contains-pattern": Filter(lambda x: "." in x),
    "global": Filter(lambda x: x.startswith(PREFIX)),
    "startswith": Filter(lambda x: x.startswith(("a", "#", "☃"))),
    "startswith-empty": Filter(lambda x: x.startswith("")),
    "endswith": Filter(lambda x: x.endswith(" ")),
    "equal": Filter(lambda x: x == "a"),
    "unequal": Filter(lambda x: x != "a" and not x.startswith("#")),
    "less": Filter(lambda x: x < "b"),
    "more": Filter(lambda x: x >= "é"),
    "length": Filter(lambda x: len(x) > 3),
    "length-between": Filter(lambda x: 1 <= len(x) <= 3),
    "length-stripped": Filter(lambda x: len(x.strip()) == 1),
    "one-of": Filter(lambda x: x in ("a", "b", "")),
    "none-of": Filter(lambda x: x not in ("a", "☃")),
    "always": Filter(lambda x: True),
    "never": Filter(lambda x: False),
}
PYTHON: dict[str, RecordFunction] = {
    "pairs": Map(lambda x: (x, 1)),
    "lengths": Map(lambda x: len(x)),
    "fields": Map(lambda x: x.split(",")[1]),
    "limited": FlatMap(lambda x: x.split(",", 1)),
    "characters": FlatMap(lambda x: x),
    "adds-breaks": Map(lambda x: x.replace(" ", "\n")),
    "parts": FlatMap(lambda x: x.split("")),
    "lists": Map(lambda x: [x]),
    "title": Map(str.title),
    "numbers": Filter(lambda x: int(x) > 3),
    "ones": FlatMap(lambda x: [1, 2]),
    "values": MapValues(lambda x: x),
}


def framed(texts: list[str]) -> list[Frame]:
    """Return frames of lines, some of them of several."""
    cuts = [*range(0, len(texts), 7), len(texts)]
    parts = [texts[a:b] for a, b in pairwise(cuts) if a < b]
    made = (pack(LINES, 1, 2, (), "\n".join(p).encode(), count=len(p)) for p in parts)
    return [unpack(frame) for frame in made]


def natively(frames: Iterable[Frame], *functions: RecordFunction, way: str = ALWAYS) -> Texts:
    found = Texts(frames, way)
    for function in functions:
        native = native_of(function)
        assert isinstance(native, Native), native
        found = found.then(native, function)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", NATIVE)
@settings(max_examples=60, deadline=None)
@given(texts=TEXTS)
def test_the_same_as_in_python(name: str, texts: list[str]) -> None:
    function = NATIVE[name]
    expected = list(function.results(iter(texts)))
    found = natively(framed(texts), function)
    assert list(found) == expected
    assert all(type(text) is str for text in found)
    assert found.size() == len(expected)
    again = [decode(unpack(pack(k, 1, 2, (), p, count=n))) for k, n, p in found.frames()]
    assert [text for part in again for text in part] == expected


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(texts=TEXTS, names=st.lists(st.sampled_from([*NATIVE]), max_size=4))
def test_several_in_turn(texts: list[str], names: list[str]) -> None:
    functions = [NATIVE[name] for name in names]
    expected: Iterable[Any] = texts
    for function in functions:
        expected = list(function.results(iter(expected)))
    assert list(natively(framed(texts), *functions)) == expected


@settings(max_examples=100, deadline=None)
@given(texts=TEXTS, names=st.lists(st.sampled_from([*NATIVE]), max_size=2))
def test_counts(texts: list[str], names: list[str]) -> None:
    functions = [NATIVE[name] for name in names]
    pairs = Map(lambda word: (word, 3)).results(natively(framed(texts), *functions))
    (found,) = [dict(held) for held in combine_pairs(pairs, lambda v: v, operator.add, 512)]
    expected = Counter(natively(framed(texts), *functions))
    assert found == {word: 3 * number for word, number in expected.items()}
    assert all(type(number) is int for number in found.values())


@settings(max_examples=50, deadline=None)
@given(texts=TEXTS)
def test_lists_of_values(texts: list[str]) -> None:
    pairs = Map(lambda word: (word, "v")).results(natively(framed(texts), NATIVE["words"]))
    made = combine_pairs(pairs, lambda v: [v], lambda a, b: a.append(b) or a, 512)
    found = Counter[str]()
    for key, values in (pair for held in made for pair in held):
        assert set(values) == {"v"}
        found[key] += len(values)
    assert found == Counter(word for text in texts for word in text.split())


@pytest.mark.parametrize("name", PYTHON)
def test_functions_that_stay_in_python(name: str) -> None:
    assert isinstance(native_of(PYTHON[name]), str)


@pytest.mark.parametrize("data", [b"a \xff b", b"\xed\xa0\x80", b"a\xc3", b"\xc0\xaf"])
def test_bytes_that_are_no_text_are_replaced(data: bytes) -> None:
    good = pack(LINES, 1, 2, (), b"a b\nc", count=2)
    frames = [unpack(pack(LINES, 1, 2, (), data, count=1)), unpack(good)]
    expected = [*data.decode("utf-8", REPLACE).split(" "), "a", "b", "c"]
    assert list(natively(frames, NATIVE["split"])) == expected


def test_records_that_are_no_lines() -> None:
    frames = [unpack(pack(FIXED, 1, 2, (), b"abcdef", part=3, count=2))]
    assert list(Texts(frames, ALWAYS)) == [b"abc", b"def"]


def test_no_records() -> None:
    empty = [unpack(pack(LINES, 1, 2))]
    for frames in ([], empty):
        found = natively(frames, NATIVE["split"], NATIVE["truth"])
        assert list(found) == []
        assert found.size() == 0
        assert list(found.count_distinct()) == []


def test_few_texts_are_no_block_unless_asked() -> None:
    few, many = framed(["a b"]), framed(["a b"] * 20_000)
    assert isinstance(next(natively(few, NATIVE["split"]).pieces()), tuple)
    assert not isinstance(next(natively(few, NATIVE["split"], way=AUTO).pieces()), tuple)
    assert isinstance(next(natively(many, NATIVE["split"], way=AUTO).pieces()), tuple)


def _made(value: Any) -> Callable[[str], bool]:
    return lambda text: text == value


def test_what_a_function_sees_may_change() -> None:
    assert natively(framed(["a", "b"]), Filter(_made("a"))).size() == 1
    assert natively(framed(["a", "b"]), Filter(_made("c"))).size() == 0
    names: dict[str, Any] = globals()
    before = native_of(NATIVE["global"])
    names["PREFIX"] = "☃"
    try:
        changed = native_of(NATIVE["global"])
        assert isinstance(before, Native)
        assert isinstance(changed, Native)
        assert before.expression != changed.expression
        names["PREFIX"] = ["a"]
        assert isinstance(native_of(NATIVE["global"]), str)
    finally:
        names["PREFIX"] = "error"
    assert native_of(NATIVE["global"]) == before


def test_a_builtin_that_is_replaced() -> None:
    names: dict[str, Any] = globals()
    function = NATIVE["length"]
    assert isinstance(native_of(function), Native)
    names["len"] = lambda text: 4
    try:
        assert isinstance(native_of(function), (str, Native))
        assert list(function.results(iter(["a"]))) == ["a"]
        found = native_of(function)
        assert isinstance(found, str) or list(natively(framed(["a"]), function)) == ["a"]
    finally:
        del names["len"]
    assert list(natively(framed(["a"]), function)) == []


@pytest.mark.slow
def test_pandas_is_not_imported() -> None:
    """It would take 35 MiB of each worker."""
    code = """
import sys
import pyarrow
from tests.dstream_compat.worker.columns.test_kernels import NATIVE, framed, natively
from dstream_compat.worker.chain import Consumer, Narrow, ToOutput, UnionSide, of_texts
from dstream_compat.worker.columns.records import ALWAYS
imported = "pandas" in sys.modules
for function in NATIVE.values():
    found = natively(framed(["a b", "", "c #"]), function)
    list(found.frames())
    list(natively(framed(["a b"]), function).count_distinct())
assert not imported and "pandas" not in sys.modules, imported
"""
    ended = run_python("-c", code)
    assert ended.code == 0, ended.err


def test_many_ways_to_one_stream() -> None:
    """What of consumers is computed on blocks is as large as the consumers are."""
    output = ToOutput(1)
    then: list[Consumer] = [output]
    for _ in range(100):
        then = [UnionSide(0, then), Narrow(NATIVE["strip"], then)]
    found = of_texts(then)
    for _ in range(100):
        side, narrow = found
        assert isinstance(side, UnionSide)
        assert isinstance(narrow, Narrow)
        assert isinstance(narrow.native, Native)
        assert side.then is narrow.then
        found = side.then
    assert found == [output]
