"""Functions of lists, bytes, JSON, patterns and times give what Python gives."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st
from pyspark.sql import SparkSession

from dstream_compat.native.refusals import Code
from dstream_compat.native.types import Dictionary, Long, String
from tests.support.native import Values, compare, filters, flat_maps, maps, refuse
from tests.support.native_values import BYTES, WORDS

pytestmark = pytest.mark.slow

LISTS = [
    *maps(
        "lambda x: len(x[0])",
        "lambda x: x[0][0]",
        "lambda x: x[0][-1]",
        "lambda x: x[0] + x[0]",
        "lambda x: [w for w in x[0] if w]",
        "lambda x: [(w, 1) for w in x[0]]",
        "lambda x: [n + 1 for n in x[1] if n > 0]",
        "lambda x: sum(x[1])",
        "lambda x: sum(n * 2 for n in x[1])",
        "lambda x: sum([n > 3 for n in x[1]])",
        "lambda x: max(x[1])",
        "lambda x: min(x[0])",
        "lambda x: max(n % 7 for n in x[1])",
        "lambda x: sorted(x[1])",
        "lambda x: sorted(x[0])",
        "lambda x: ','.join(x[0])",
        "lambda x: ' '.join(str(n) for n in x[1])",
        "lambda x: ''.join(w + '!' for w in x[0] if w)",
        "lambda x: list(x[0])",
        "lambda x: x[0][1:3]",
        "lambda x: x[1][2:]",
        "lambda x: x[1] or [0]",
        "lambda x: [[n, n + 1] for n in x[1]]",
        "lambda x: [w in x[0] for w in ['a', 'b', '']]",
        "lambda x: [(lambda v: v + v)(w) for w in x[0]]",
        "lambda x: (len(x[0]), len(x[1]))",
    ),
    *filters(
        "lambda x: x[0]",
        "lambda x: not x[1]",
        "lambda x: 'a' in x[0]",
        "lambda x: 0 in x[1]",
        "lambda x: any(n > 5 for n in x[1])",
        "lambda x: all(n > -5 for n in x[1] if n)",
        "lambda x: any(x[0])",
        "lambda x: len(x[0]) == len(x[1])",
        "lambda x: x[0][0] == 'a' if x[0] else False",
        # raise for an empty list, whatever the constant is
        "lambda x: x[1][0] > 5",
        "lambda x: x[1][0] == 3000000000",
        "lambda x: 0 != x[1][0]",
        "lambda x: x[1][0] in (1, -7)",
    ),
    *flat_maps(
        "lambda x: x[0]",
        "lambda x: x[1] + [1, 2]",
        "lambda x: [(w, x[1]) for w in x[0]]",
        "lambda x: map(lambda w: w.strip(), filter(lambda w: w, x[0]))",
        "lambda x: x[0] if len(x[0]) > 2 else []",
        "lambda x: iter(x[0])",
    ),
]


MAPS = Values(
    {"d": Dictionary(String(), Long(0, 1000)), "k": String()},
    "d map<string, long>, k string",
    st.tuples(
        st.dictionaries(st.sampled_from(["a", "b", "c", "\xe9", ""]), st.integers(0, 1000)),
        st.sampled_from(["a", "b", "c", "\xe9", "", "d"]),
    ),
)


def test_lists(spark: SparkSession) -> None:
    compare(spark, WORDS, LISTS)


def test_maps(spark: SparkSession) -> None:
    compare(
        spark,
        MAPS,
        [
            *maps(
                "lambda x: x[0]['a']",
                "lambda x: x[0][x[1]]",
                "lambda x: x[0].get('a')",
                "lambda x: x[0].get(x[1], 0)",
                "lambda x: x[1] in x[0]",
                "lambda x: len(x[0])",
                "lambda x: x[0][x[1]] + 1 if x[1] in x[0] else 0",
            ),
            *filters("lambda x: x[0]", "lambda x: 'a' not in x[0]"),
        ],
    )


def test_bytes(spark: SparkSession) -> None:
    compare(
        spark,
        BYTES,
        maps(
            "lambda b: b.decode()",
            "lambda b: b.decode('utf-8')",
            "lambda b: b.decode('UTF8').strip()",
            "lambda b: len(b)",
        ),
    )
    refuse(
        BYTES, Code.ARGUMENTS, "lambda b: b.decode('latin-1')", "lambda b: b.decode('utf-8', 'x')"
    )


@pytest.mark.parametrize(
    "code",
    [Code.TYPE, Code.UNKNOWN_FUNCTION, Code.EVALUATION, Code.MIXED_TYPES, Code.ORDER],
)
def test_refused_lists(code: Code) -> None:
    sources = {
        Code.TYPE: [
            "lambda x: x[0] + x[1]",
            "lambda x: x[0] < x[0]",
            "lambda x: x[0] == x[0]",
            "lambda x: str(x[0])",
            "lambda x: 1 in x[0]",
            "lambda x: ','.join(x[1])",
            "lambda x: sum(x[0])",
            "lambda x: len",
            "lambda x: (w for w in x[0])",
            "lambda x: map(str, x[1])",
            "lambda x: (n for n in x[1])[0]",
            "lambda x: f'{x[0]}'",
        ],
        Code.UNKNOWN_FUNCTION: [
            "lambda x: x[0].index('a')",
            "lambda x: x[0].append('a')",
            "lambda x: reversed(x[0])",
            "lambda x: zip(x[0], x[1])",
            "lambda x: range(3)",
            "lambda x: x[0].count('a')",
            "lambda x: tuple(x[0])",
            "lambda x: x[0](1)",
        ],
        # Spark compares what is cast, and knows that it is no such number
        Code.EVALUATION: ["lambda x: float(x[1][0]) > 3000000000"],
        Code.MIXED_TYPES: ["lambda x: [1, 'a']", "lambda x: [1, 1.5]", "lambda x: [x[0], 1]"],
        Code.ORDER: ["lambda x: set(x[0])", "lambda x: len(set(x[0]))"],
    }
    refuse(WORDS, code, *sources[code])
