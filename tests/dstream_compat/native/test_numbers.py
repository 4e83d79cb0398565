"""Functions of numbers, flags and None give what Python gives, at the edges of the types."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st
from pyspark.sql import SparkSession

from dstream_compat.native.refusals import Code
from dstream_compat.native.types import Long
from tests.support.native import Values, compare, filters, maps, refuse
from tests.support.native_values import (
    DOUBLE_PAIR,
    FINITE_PAIR,
    FLAGS,
    INT_PAIR,
    LONG_PAIR,
    MAYBE,
    NATURAL_PAIR,
    NUMBER_TEXT,
    SMALL_PAIR,
)

pytestmark = pytest.mark.slow

ANY_INTS = [
    *maps(
        "lambda x: x[0]",
        "lambda x: str(x[0])",
        "lambda x: '%d:%s' % x",
        "lambda x: max(x[0], x[1])",
        "lambda x: min(x[0], x[1], 5)",
        "lambda x: max(x)",
        "lambda x: float(x[0])",
        "lambda x: int(x[0])",
        "lambda x: round(x[0])",
        "lambda x: bool(x[0])",
        "lambda x: x[0] or x[1]",
        "lambda x: x[0] and x[1]",
        "lambda x: x[0] if x[0] > x[1] else x[1]",
        "lambda x: x[0] % 10",
        "lambda x: x[0] % 9223372036854775807",
        "lambda x: x[0] % 1",
        "lambda x: x[0] == x[1]",
        "lambda x: (x[0] > 5) + (x[1] > 5)",
        "lambda x: (x[0] < 5) * 2 - 1",
        "lambda x: 7 * 6 + (2 - 5) * 2 // 4 - 7 % 3",
        "lambda x: [x[0], 1, x[1]]",
        "lambda x: (x[0], -1, -0.0, 1.5)",
    ),
    *filters(
        "lambda x: x[0]",
        "lambda x: x[0] > x[1]",
        "lambda x: x[0] != 0 and x[1] >= 9223372036854775807",
        "lambda x: x[0] in (1, 2, 9223372036854775807)",
        "lambda x: x[0] in (x[1], 0)",
        "lambda x: -5 < x[0] < 5 <= x[1]",
        "lambda x: x[0] == True",
        "lambda x: not x[0]",
    ),
]


SMALL_INTS = maps(
    "lambda x: x[0] + x[1]",
    "lambda x: x[0] - x[1]",
    "lambda x: x[0] * x[1]",
    "lambda x: -x[0]",
    "lambda x: abs(x[0])",
    "lambda x: x[0] / 3",
    "lambda x: 2 * x[0] + 3 * x[1] - 7",
    "lambda x: x[0] // 60",
    "lambda x: x[0] // 1",
    "lambda x: x[0] % 60",
    "lambda x: (x[0] // 10, x[0] % 10)",
    "lambda x: x[0] * 1.5",
    "lambda x: x[0] + 0.5 - x[1]",
    "lambda x: x[0] > 1.5",
    "lambda x: x[0] == 1.0",
    "lambda x: x[0] * x[1] + x[0] - x[1]",
    "lambda x: operator.add(x[0], x[1])",
    "lambda x: operator.mod(x[0], 7)",
)


INTS = maps(
    "lambda x: x[0] + x[1]",
    "lambda x: x[0] - x[1]",
    "lambda x: x[0] * x[1]",
    "lambda x: -x[0]",
    "lambda x: abs(x[0])",
    "lambda x: x[0] + 1",
    "lambda x: x[0] % 7",
    "lambda x: x[0] // 7",
    "lambda x: x[0] / 7",
    "lambda x: x[0] * 3000000000",
    "lambda x: x[0] % 7 + 2147483640 + 1",
    "lambda x: x[0] % 7 + 2147483640 - 2147483640 + 2147483640",
    "lambda x: x[0] % 7 - 2147483640 + 2147483640 + 2147483640",
)


NATURALS = maps(
    "lambda x: x[0] / x[1]",
    "lambda x: x[0] // x[1]",
    "lambda x: x[0] % x[1]",
    "lambda x: x[1] % x[1]",
    "lambda x: x[1] // x[1]",
    "lambda x: x[1] // 3 if x[1] else 0",
)


FLOATS = [
    *maps(
        "lambda x: x[0] + x[1]",
        "lambda x: x[0] - x[1]",
        "lambda x: x[0] * x[1]",
        "lambda x: x[0] / x[1]",
        "lambda x: -x[0]",
        "lambda x: abs(x[0])",
        "lambda x: max(x[0], x[1])",
        "lambda x: min(x[0], x[1])",
        "lambda x: max(x[0], 1.0)",
        "lambda x: x[0] if x[0] > x[1] else x[1]",
        "lambda x: x[0] or x[1]",
        "lambda x: float(x[0])",
        "lambda x: (x[0], x[1] * 0.1)",
        "lambda x: -(x[0] - 1.0) / 3",
    ),
    *filters(
        "lambda x: x[0]",
        "lambda x: x[0] == x[1]",
        "lambda x: x[0] != x[1]",
        "lambda x: x[0] < x[1]",
        "lambda x: x[0] <= x[1]",
        "lambda x: x[0] > x[1]",
        "lambda x: x[0] >= x[1]",
        "lambda x: x[0] > 1.0",
        "lambda x: x[0] < 1.0",
        "lambda x: 1.0 < x[0]",
        "lambda x: not x[0] > 1",
        "lambda x: not (x[0] == x[0])",
        "lambda x: 0 <= x[0] <= 1",
    ),
]


FINITE = maps(
    "lambda x: x[0] + x[1]",
    "lambda x: x[0] > x[1]",
    "lambda x: x[0] == x[1]",
    "lambda x: x[1] < x[0]",
    "lambda x: x[0] / x[1]",
    "lambda x: x[0] * 2",
)


BOOLS = [
    *maps(
        "lambda x: x[0] and x[1]",
        "lambda x: x[0] or x[1]",
        "lambda x: not x[0]",
        "lambda x: str(x[0])",
        "lambda x: '%s' % x[0]",
        "lambda x: f'{x[0]} {x[1]}'",
        "lambda x: int(x[0])",
        "lambda x: float(x[0])",
        "lambda x: x[0] + x[1]",
        "lambda x: x[0] == x[1]",
        "lambda x: x[0] == 1",
        "lambda x: x[0] is True",
        "lambda x: x[1] is not True",
        "lambda x: x[0] is False or x[1]",
        "lambda x: x[0] < x[2]",
        "lambda x: x[0] * x[2]",
        "lambda x: max(x[0], x[1])",
        "lambda x: x[0] == x[1] == False",
        "lambda x: 1 if x[0] else 2 if x[1] else x[2]",
    ),
    *filters("lambda x: x[0] and (x[1] or x[2] > 50)", "lambda x: not (x[0] or x[1])"),
]


NONES = [
    *maps(
        "lambda x: x",
        "lambda x: x[0] is None",
        "lambda x: x[0] is not None and len(x[0]) > 1",
        "lambda x: len(x[0]) if x[0] is not None else -1",
        "lambda x: None if x[0] is None else x[0].strip()",
        "lambda x: x[0] or 'none'",
        "lambda x: x[1] or 0",
        "lambda x: x[0].strip()",
        "lambda x: x[0].split(',')[0]",
        "lambda x: x[1] + 1",
        "lambda x: x[0] + '!'",
        "lambda x: len(x[0])",
        "lambda x: str(x[0])",
        "lambda x: '%s-%s' % (x[0], x[1])",
        "lambda x: x[0] == 'a'",
        "lambda x: x[0] != 'a'",
        "lambda x: x[1] == 5",
        "lambda x: x[0] == None",
        "lambda x: (x[1] is None) == (x[0] is None)",
        "lambda x: x[1] * 2 if x[1] is not None and x[0] else None",
        "lambda x: 0 if x[1] is None or x[0] is None else len(x[0]) + x[1]",
        "lambda x: x[1] if x[1] else None",
        "lambda x: x[0] and x[0][0]",
    ),
    *filters(
        "lambda x: x[0]",
        "lambda x: not x[0]",
        "lambda x: x[1] is not None",
        "lambda x: x[1] and x[1] > 3",
        "lambda x: x[0] is not None and 'a' in x[0]",
        "lambda x: x[1] > 3",
    ),
]


@pytest.mark.parametrize(
    ("values", "cases"),
    [
        pytest.param(LONG_PAIR, ANY_INTS, id="any ints"),
        pytest.param(SMALL_PAIR, SMALL_INTS, id="small ints"),
        pytest.param(INT_PAIR, INTS, id="ints of 32 bits"),
        pytest.param(NATURAL_PAIR, NATURALS, id="divisors that may be zero"),
        pytest.param(DOUBLE_PAIR, FLOATS, id="floats"),
        pytest.param(FINITE_PAIR, FINITE, id="floats and ints"),
        pytest.param(FLAGS, BOOLS, id="flags"),
        pytest.param(MAYBE, NONES, id="None"),
    ],
)
def test_numbers(spark: SparkSession, values: Values, cases: list) -> None:
    compare(spark, values, cases)


_FAR = 2**62


FAR = Values(
    {"a": Long(-_FAR - 5, -_FAR), "b": Long(_FAR - 5, _FAR)},
    "a long, b long",
    st.tuples(st.integers(-_FAR - 5, -_FAR), st.integers(_FAR - 5, _FAR)),
)


def test_sums_are_not_reordered(spark: SparkSession) -> None:
    """The optimizer must not add up constants whose sum does not fit."""
    compare(
        spark,
        FAR,
        maps(
            f"lambda x: x[0] + {_FAR}",
            f"lambda x: x[1] - {_FAR} - {_FAR}",
            "lambda x: (x[0] + x[1]) * 1000000000000 * 1000",
            "lambda x: x[0] + x[1] + x[0]",
            "lambda x: x[1] // 4 + 1 + (x[1] // 4 + 2)",
        ),
        rows=40,
    )
    refuse(
        FAR,
        Code.INT_RANGE,
        f"lambda x: x[0] + {_FAR} + {_FAR}",
        f"lambda x: {_FAR} + (x[0] + {_FAR})",
        f"lambda x: x[0] + {_FAR} + x[0] + {_FAR}",
        "lambda x: x[0] * 0 * x[0] * 0",
    )


def test_unbounded_ints_raise_if_accepted(spark: SparkSession) -> None:
    accept = [Code.INT_RANGE]
    cases = maps(
        "lambda x: x[0] + x[1]",
        "lambda x: x[0] - x[1]",
        "lambda x: x[0] * x[1]",
        "lambda x: -x[0]",
        "lambda x: abs(x[0])",
        "lambda x: x[0] * 2 + 1",
        "lambda x: x[0] // 60",
        accept=accept,
    )
    compare(spark, LONG_PAIR, cases)
    compare(spark, DOUBLE_PAIR, maps("lambda x: int(x[0])", accept=accept))


def test_numbers_in_texts_raise_where_python_reads_more(spark: SparkSession) -> None:
    compare(
        spark,
        NUMBER_TEXT,
        [
            *maps("lambda x: int(x)", "int", "lambda x: int(x) // 7", accept=[Code.INT_TEXT]),
            *maps("lambda x: float(x)", "lambda x: -float(x)", accept=[Code.FLOAT_TEXT]),
            *filters("lambda x: float(x) > 1.5", accept=[Code.FLOAT_TEXT]),
        ],
    )
