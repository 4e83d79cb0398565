"""Which functions are known to take away what a reduce function added."""

from __future__ import annotations

import ast

import pytest

from dstream_compat.native import Code, Translator
from dstream_compat.native.expressions import Column, Expression, struct
from dstream_compat.native.names import module_environment
from dstream_compat.native.types import Double, Long
from migrator.structured.operators.aggregations import drops_zeros, is_inverse

NUMBER = Column(Long(), "value")
PAIR = struct((Column(Long(1, 1), "value"), Column(Double(), "other")))


def expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def translator(text: str = "import operator") -> Translator:
    return Translator(module_environment(ast.parse(text)), {Code.INT_RANGE})


@pytest.mark.parametrize(
    ("value", "subtract", "found"),
    [
        (NUMBER, "lambda a, b: a - b", True),
        (NUMBER, "lambda x, y: x - y", True),
        (NUMBER, "lambda a, b=0: a - b", True),
        (NUMBER, "operator.sub", True),
        (PAIR, "lambda a, b: (a[0] - b[0], a[1] - b[1])", True),
        (NUMBER, "lambda a, b: b - a", False),
        (NUMBER, "lambda a, b: a + b", False),
        (NUMBER, "lambda a, b: a - 2 * b", False),
        (NUMBER, "lambda a, b: max(a - b, 0)", False),
        (NUMBER, "lambda a: a", False),
        (NUMBER, "operator.add", False),
        (NUMBER, "operator.mul", False),
        (PAIR, "lambda a, b: (a[0] - b[0], a[1])", False),
        (PAIR, "lambda a, b: (a[1] - b[1], a[0] - b[0])", False),
    ],
)
def test_an_inverse_takes_away_what_was_added(
    value: Expression, subtract: str, found: bool
) -> None:
    assert is_inverse(translator(), expression(subtract), value) is found


def test_a_name_that_may_be_another_function_is_no_inverse() -> None:
    names = translator("import operator\noperator = other")
    assert not is_inverse(names, expression("operator.sub"), NUMBER)


@pytest.mark.parametrize(
    ("function", "found"),
    [
        ("lambda kv: kv[1] > 0", True),
        ("lambda pair: pair[1] != 0", True),
        ("lambda kv: kv[1]", True),
        ("lambda kv: kv[1] >= 1", True),
        ("lambda kv: kv[1] > 1", False),
        ("lambda kv: kv[1] >= 0", False),
        ("lambda kv: kv[0] > 0", False),
        ("lambda kv: kv[1] == 0", False),
        ("lambda kv: bool(kv[1])", True),
        ("lambda kv: 0 < kv[1]", True),
        ("lambda kv, n=0: kv[1] > n", True),
        ("lambda kv, n=1: kv[1] > n", False),
        ("keep", False),
    ],
)
def test_filters_that_drop_zeros_only(function: str, found: bool) -> None:
    key = Column(Long(), "key")
    assert drops_zeros(translator(), expression(function), key, NUMBER) is found
