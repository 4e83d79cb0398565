"""The classes that keep the slices of windows are programs."""

from __future__ import annotations

import ast

import pytest

from migrator.structured.windows.window_classes import Slices, WindowValue

COUNT = WindowValue("count", "LONG", "count")
TOTAL = WindowValue("total", "LONG", "sum", "bytes")


@pytest.mark.parametrize("values", [(COUNT,), (TOTAL,), (TOTAL, COUNT)])
@pytest.mark.parametrize("keeps", [True, False])
@pytest.mark.parametrize("panes", [True, False])
def test_classes_are_programs(values: tuple[WindowValue, ...], keeps: bool, panes: bool) -> None:
    slices = Slices(values, False, keeps, panes, False)
    tree = ast.parse(slices.source(slices.name))
    (made,) = tree.body
    assert isinstance(made, ast.ClassDef)
    methods = [each.name for each in made.body if isinstance(each, ast.FunctionDef)]
    assert methods == ["__init__", "init", "handleInputRows", "handleExpiredTimer"]
    text = slices.source(slices.name)
    assert ("keep_empty" in text, "math.gcd" in text) == (keeps, panes)
    assert all(len(line) <= 100 for line in text.splitlines())


@pytest.mark.parametrize("name", ["end", "key", "sum", "max", "class", "slices"])
def test_names_of_columns_hide_no_names_of_a_class(name: str) -> None:
    slices = Slices((WindowValue(name, "LONG", "sum", "n"),), False, False, False, False)
    assert "sum(each for _, each in slices)" in slices.source("Windowed")
