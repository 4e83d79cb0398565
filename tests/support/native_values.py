"""Records with which Python and Spark are known to differ, for the tests of the translator."""

from __future__ import annotations

from hypothesis import strategies as st

from dstream_compat.native.types import Array, Binary, Boolean, Double, Long, Nullable, String
from tests.support.native import Values

SPECIAL = [
    *("", " ", "\t", "\n", "\r\n", "\x0b", "\x0c", "\x1c", "\x1f", "\x85", "\xa0"),
    *("\u1680", "\u180e", "\u2003", "\u2028", "\u2029", "\u200b", "\u202f", "\u3000", "\ufeff"),
    # characters whose case is special
    *("\x00", "\x7f", "\xdf", "\u1e9e", "\u0130", "\u0131", "\u03a3", "\u03c3", "\u03c2"),
    *("\u0391\u03a3", "\ufb01", "\u0149", "\u212a", "\u01c4", "\xe9", "e\u0301", "\U0001d49c"),
    *("\U0001f600", "\U0010ffff", "\uffff", "\ue000", "a", "b", "A", "Z", "i"),
    *("0", "1", "12", "-1", "+5", "\u0661", "1_0", "0x1f", "1e5", "nan", "inf", ".", ",", ",,"),
    *(";", "::", "|", "\\", "$", "^", "*", "(", ")", "[", "]", "{", "}", "%s", "#", "\\E", "\\Q"),
    *("error", "Error", "a,b", "a b", "abc", "aaa", "'", '"', "true", "None"),
]
ALPHABET = st.one_of(
    st.sampled_from(SPECIAL),
    st.characters(exclude_categories=("Cs",)),
    st.sampled_from(["a", "b", "c", " ", ","]),
)
TEXTS = st.one_of(
    st.lists(ALPHABET, max_size=8).map("".join),
    st.lists(st.sampled_from(["a", "b", "ab", "1", "22", ""]), max_size=6).map(",".join),
    st.lists(st.sampled_from(["a", "error", "b", "Ab", "1"]), max_size=6).map(" ".join),
)
NUMBER_TEXTS = st.one_of(
    st.integers().map(str),
    st.integers(-(10**20), 10**20).map(str),
    st.floats().map(repr),
    st.integers(-99, 99).map(str),
    st.from_regex(r"\A[ \t]?[+-]?[0-9_.]{1,6}(e[0-9]{1,3})?[ \n]?\Z"),
    TEXTS,
)
EDGES = [
    0, 1, -1, 2, -2, 3, 7, 10, -10, 255, 2**31 - 1, 2**31, -(2**31), -(2**31) - 1, 2**52, 2**53 - 1,
    2**53, 2**53 + 1, -(2**53) - 1, 2**62, 2**63 - 1, -(2**63), -(2**63) + 1,
]  # fmt: skip
LONGS = st.one_of(st.sampled_from(EDGES), st.integers(-(2**63), 2**63 - 1), st.integers(-20, 20))


def bounded(limit: int) -> st.SearchStrategy[int]:
    """Integers up to a limit, the edges more often."""
    edges = [edge for edge in [*EDGES, limit, -limit, limit - 1] if abs(edge) <= limit]
    return st.one_of(st.sampled_from(edges), st.integers(-limit, limit), st.integers(-20, 20))


DOUBLES = st.one_of(
    st.floats(),
    st.sampled_from([0.0, -0.0, 1.0, -1.0, 0.1, 0.5, 1e308, 2.0**53, 2.0**63, -(2.0**63), 1e-320]),
    st.integers(-20, 20).map(float),
)

TEXT = Values(
    {"line": String()},
    "line string",
    TEXTS,
    [*SPECIAL, *(f"a{text}b{text}" for text in SPECIAL)],
)
TEXT_PAIR = Values({"a": String(), "b": String()}, "a string, b string", st.tuples(TEXTS, TEXTS))
NUMBER_TEXT = Values({"text": String()}, "text string", NUMBER_TEXTS)
ASCII = Values(
    {"word": String(ascii=True)},
    "word string",
    st.text(st.characters(max_codepoint=127), max_size=12),
)
LONG_PAIR = Values({"a": Long(), "b": Long()}, "a long, b long", st.tuples(LONGS, LONGS))
_SMALL = 2**31 - 1
SMALL_PAIR = Values(
    {"a": Long(-_SMALL, _SMALL), "b": Long(-_SMALL, _SMALL)},
    "a long, b long",
    st.tuples(bounded(_SMALL), bounded(_SMALL)),
)
INT_PAIR = Values(
    {"a": Long(-(2**31), 2**31 - 1, 32), "b": Long(-(2**31), 2**31 - 1, 32)},
    "a int, b int",
    st.tuples(*[st.one_of(bounded(2**31 - 1), st.just(-(2**31)))] * 2),
)
NATURAL_PAIR = Values(
    {"a": Long(-(2**52), 2**52), "b": Long(0, 2**52)},
    "a long, b long",
    st.tuples(bounded(2**52), bounded(2**52).map(abs)),
)
DOUBLE_PAIR = Values(
    {"a": Double(), "b": Double()}, "a double, b double", st.tuples(DOUBLES, DOUBLES)
)
FINITE_PAIR = Values(
    {"a": Double(False, False), "n": Long(-(2**53), 2**53)},
    "a double, n long",
    st.tuples(DOUBLES.filter(lambda x: x - x == 0), bounded(2**53)),
)
FLAGS = Values(
    {"p": Boolean(), "q": Boolean(), "n": Long(0, 100)},
    "p boolean, q boolean, n long",
    st.tuples(st.booleans(), st.booleans(), st.integers(0, 100)),
)
MAYBE = Values(
    {"key": Nullable(String()), "n": Nullable(Long(-1000, 1000))},
    "key string, n long",
    st.tuples(st.none() | TEXTS, st.none() | st.integers(-1000, 1000)),
)
WORDS = Values(
    {"words": Array(String()), "numbers": Array(Long(-(2**31), 2**31))},
    "words array<string>, numbers array<long>",
    st.tuples(st.lists(TEXTS, max_size=5), st.lists(st.integers(-(2**31), 2**31), max_size=5)),
)
BYTES = Values(
    {"data": Binary()},
    "data binary",
    st.one_of(st.binary(max_size=8), TEXTS.map(str.encode)),
)
