"""What is known of the lengths of windows as jobs write them."""

from __future__ import annotations

import ast

import pytest

from migrator.structured.program.modules import Block, SourceModule
from migrator.structured.refusals import NotExpressible
from migrator.structured.windows.durations import Duration, duration, is_multiple


def read(text: str, name: str = "length") -> Duration:
    """The duration that a module gives to a name."""
    module = SourceModule(text, ast.parse(text))
    last = module.tree.body[-1]
    body = last.body if isinstance(last, ast.FunctionDef) else module.tree.body
    functions = (last,) if isinstance(last, ast.FunctionDef) else ()
    return duration(module, Block(body, functions), ast.Name(name, ast.Load(), **_place(text)))


def _place(text: str) -> dict[str, int]:
    """Where a module has the name for the first time."""
    line = next(i for i, each in enumerate(text.splitlines(), 1) if "length" in each)
    column = text.splitlines()[line - 1].index("length")
    return {
        "lineno": line,
        "col_offset": column,
        "end_lineno": line,
        "end_col_offset": column + len("length"),
    }


@pytest.mark.parametrize(
    ("text", "value", "whole"),
    [
        ("length = 60", 60, True),
        ("length = 5 * 60", 300, True),
        ("MINUTE = 60\nlength = 2 * MINUTE", 120, True),
        ("length = 0.5", 0.5, False),
        ("length = int(x)", None, True),
        ("length = int(x) if x else 60", None, True),
        ("length, slide = (int(x), 10) if x else (60, 20)", None, True),
        ("length, slide = 60, 10", 60, True),
        ("length = float(x)", None, False),
        ("length = x", None, False),
        ("length = int(x) if x else 1.5", None, False),
        ("length = 60\nlength = 70", None, False),
        ("length = 60\nlength += 1", None, False),
        ("for length in range(3): pass", None, False),
        ("length = 60\ndef f(length): pass", None, False),
        ("length = 60\ndef f():\n    length = int(x)", None, True),
        ("length = 60\ndef f():\n    pass", 60, True),
        ("length = int(x)\nint = float", None, False),
        ("length = length", None, False),
    ],
)
def test_a_name_has_the_value_that_it_is_given_once(
    text: str, value: float | None, whole: bool
) -> None:
    found = read(text)
    assert (found.value, found.whole) == (value, whole)
    assert not found.literal


@pytest.mark.parametrize("text", ["f(60)", "x[0]", "60 if x else 30", "-1", "0", "'60'", "1 - 1"])
def test_a_duration_that_is_no_plain_number_is_refused(text: str) -> None:
    module = SourceModule(text, ast.parse(text))
    statement = module.tree.body[0]
    assert isinstance(statement, ast.Expr)
    with pytest.raises(NotExpressible):
        duration(module, Block(module.tree.body), statement.value)


@pytest.mark.parametrize(
    ("length", "of", "multiple"),
    [
        (Duration("60", 60, True, True), Duration("10", 10, True, True), True),
        (Duration("60", 60, True, True), Duration("25", 25, True, True), False),
        (Duration("1.5", 1.5, False, True), Duration("0.5", 0.5, False, True), True),
        (Duration("0.3", 0.3, False, True), Duration("0.1", 0.1, False, True), True),
        (Duration("n", None, True, False), Duration("n", None, True, False), True),
        (Duration("n", None, True, False), Duration("10", 10, True, True), None),
        (Duration("10", 10, True, True), Duration("30", 30, True, True), False),
    ],
)
def test_multiples(length: Duration, of: Duration, multiple: bool | None) -> None:
    assert is_multiple(length, of) is multiple


@pytest.mark.parametrize(
    ("text", "trigger"),
    [("1", '"1 second"'), ("60", '"60 seconds"'), ("0.5", '"500 milliseconds"')],
)
def test_the_trigger_of_a_number(text: str, trigger: str) -> None:
    assert Duration(text, float(text), True, True).trigger == trigger
