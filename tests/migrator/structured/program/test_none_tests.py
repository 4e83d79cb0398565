"""Which names a test shows to be None, or not to be: as Python itself says of all values."""

from __future__ import annotations

import ast
from itertools import product

import pytest

from migrator.structured.program.none_tests import tests_of_none as names_of

VALUES = (None, 0, 1, "", "text")


@pytest.mark.parametrize(
    ("text", "where_true", "where_false"),
    [
        ("a is None", {("a", True)}, {("a", False)}),
        ("a is not None", {("a", False)}, {("a", True)}),
        ("a == None", {("a", True)}, {("a", False)}),
        ("a", {("a", False)}, set()),
        ("not a", set(), {("a", False)}),
        ("a is None or b is None", set(), {("a", False), ("b", False)}),
        ("a is not None and b", {("a", False), ("b", False)}, set()),
        ("not (a is None or b is not None)", {("a", False), ("b", True)}, set()),
        ("a is b", set(), set()),
        ("a and b or a is None", set(), {("a", False)}),
    ],
)
def test_names(
    text: str, where_true: set[tuple[str, bool]], where_false: set[tuple[str, bool]]
) -> None:
    test = ast.parse(text, mode="eval").body
    assert {*names_of(test, True)} == where_true
    assert {*names_of(test, False)} == where_false
    for a, b in product(VALUES, VALUES):
        names = {"a": a, "b": b}
        holds = bool(eval(text, {}, names))
        for name, is_none in names_of(test, holds):
            assert (names[name] is None) is is_none, names
