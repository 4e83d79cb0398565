"""Functions of numbers that are refused, each for its reason."""

from __future__ import annotations

from dstream_compat.native.refusals import Code
from tests.support.native import refuse
from tests.support.native_values import (
    DOUBLE_PAIR,
    FINITE_PAIR,
    FLAGS,
    LONG_PAIR,
    MAYBE,
    NUMBER_TEXT,
)


def test_refused_numbers() -> None:
    refuse(
        LONG_PAIR,
        Code.INT_RANGE,
        "lambda x: x[0] + x[1]",
        "lambda x: x[0] * 2",
        "lambda x: -x[0]",
        "lambda x: abs(x[1])",
        "lambda x: x[0] // 60",
    )
    refuse(LONG_PAIR, Code.INT_RANGE, "lambda x: x[0] + 9223372036854775808")
    refuse(LONG_PAIR, Code.INT_RANGE, "lambda x: x[0] > 1.5", "lambda x: x[0] == 1.0")
    refuse(
        LONG_PAIR,
        Code.INT_DIVISION,
        "lambda x: x[0] / 2",
        "lambda x: x[0] // x[1]",
        "lambda x: x[0] % x[1]",
        "lambda x: x[0] % -3",
        "lambda x: x[0] // -1",
    )
    refuse(LONG_PAIR, Code.ALWAYS_RAISES, "lambda x: x[0] % 0", "lambda x: 1 / 0", "lambda x: x[2]")
    refuse(
        DOUBLE_PAIR,
        Code.FLOAT_ARITHMETIC,
        "lambda x: x[0] % 2",
        "lambda x: x[0] // 2",
        "lambda x: round(x[0])",
        "lambda x: round(x[0], 2)",
    )
    refuse(DOUBLE_PAIR, Code.FLOAT_TEXT_FORM, "lambda x: str(x[0])", "lambda x: f'{x[0]}'")
    refuse(DOUBLE_PAIR, Code.INT_RANGE, "lambda x: int(x[0])")
    refuse(
        FINITE_PAIR,
        Code.MIXED_TYPES,
        "lambda x: x[0] or x[1]",
        "lambda x: max(x[0], x[1])",
        "lambda x: [x[0], x[1]]",
        "lambda x: x[0] if x[1] else 1",
    )
    refuse(FLAGS, Code.MIXED_TYPES, "lambda x: x[0] or x[2]", "lambda x: x[0] == 'a'")
    refuse(NUMBER_TEXT, Code.INT_TEXT, "lambda x: int(x)", "int", "lambda x: (x, int(x.strip()))")
    refuse(NUMBER_TEXT, Code.FLOAT_TEXT, "lambda x: float(x)", "float")
    refuse(MAYBE, Code.TYPE, "lambda x: x[0] in x[1]", "lambda x: x[0] + x[1]")
    refuse(MAYBE, Code.MIXED_TYPES, "lambda x: x[0] or x[1]", "lambda x: x[0] == x[1]")
    refuse(LONG_PAIR, Code.SYNTAX, "lambda x: x[0] ** 2", "lambda x: x[0] & 1", "lambda x: ~x[0]")
