"""Which functions are known to take away what a reduce function added."""

from __future__ import annotations

import ast

import pytest

from dstream_compat.native.names import module_environment
from migrator.structured.windows.inverses import drops_zeros, is_inverse

ADD = "lambda a, b: a + b"


def expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


@pytest.mark.parametrize(
    ("add", "subtract", "found"),
    [
        (ADD, "lambda a, b: a - b", True),
        (ADD, "lambda x, y: x - y", True),
        ("operator.add", "operator.sub", True),
        ("operator.add", "lambda a, b: a - b", True),
        (
            "lambda a, b: (a[0] + b[0], a[1] + b[1])",
            "lambda a, b: (a[0] - b[0], a[1] - b[1])",
            True,
        ),
        (ADD, "lambda a, b: b - a", False),
        (ADD, "lambda a, b: a + b", False),
        (ADD, "lambda a, b: a - 2 * b", False),
        (ADD, "lambda a, b: max(a - b, 0)", False),
        (ADD, "lambda a, b=0: a - b", False),
        (ADD, "operator.add", False),
        (ADD, "operator.mul", False),
        ("lambda a, b: (a[0] + b[0], a[1] + b[1])", "lambda a, b: (a[0] - b[0], a[1])", False),
        (
            "lambda a, b: (a[0] + b[0], a[1] + b[1])",
            "lambda a, b: (a[1] - b[1], a[0] - b[0])",
            False,
        ),
    ],
)
def test_an_inverse_takes_away_what_was_added(add: str, subtract: str, found: bool) -> None:
    names = module_environment(ast.parse("import operator"))
    assert is_inverse(expression(add), expression(subtract), names) is found


def test_a_name_that_may_be_another_function_is_no_inverse() -> None:
    names = module_environment(ast.parse("import operator\noperator = other"))
    assert not is_inverse(expression("operator.add"), expression("operator.sub"), names)


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
        ("lambda kv, n=0: kv[1] > n", False),
        ("keep", False),
    ],
)
def test_filters_that_drop_zeros_only(function: str, found: bool) -> None:
    assert drops_zeros(expression(function)) is found
