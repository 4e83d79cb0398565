"""The comparison with Python notices what is wrong; all other tests here rely on it."""

from __future__ import annotations

import dataclasses

import pytest
from pyspark.sql import SparkSession

from dstream_compat.native import ExpressionSource, Translation
from dstream_compat.native.expressions import Expression
from tests.support import native
from tests.support.native import Case, compare, same
from tests.support.native_values import DOUBLE_PAIR, TEXT


@pytest.mark.slow
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("lambda s: s.strip()", "lambda s: s.strip(' ')"),
        ("lambda s: s.split(',')", "lambda s: s.split(',', 1)"),
        ("lambda s: s[0]", "lambda s: s[:1]"),
        ("lambda s: s.split(',')[1]", "lambda s: s.split(',')[0]"),
        ("lambda s: s == ''", "lambda s: not s.strip()"),
        ("lambda s: len(s)", "lambda s: len(s.strip('a'))"),
    ],
)
def test_a_wrong_translation_is_noticed(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch, right: str, wrong: str
) -> None:
    translated = Case.translated

    def of_another(self: Case, values: native.Values) -> object:
        return translated(dataclasses.replace(self, source=wrong), values)

    monkeypatch.setattr(Case, "translated", of_another)
    with pytest.raises(AssertionError, match="in Python"):
        compare(spark, TEXT, [Case(right)], rows=200)


def test_sources_are_evaluated(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    def empty(expression: Expression) -> ExpressionSource:
        return ExpressionSource('F.lit("")', {})

    monkeypatch.setattr(native, "to_source", empty)
    with pytest.raises(AssertionError, match="in Python"):
        compare(spark, TEXT, [Case("lambda s: s")], rows=200)


def test_values_are_compared_strictly() -> None:
    assert same((1, "a", [1.0]), (1, "a", [1.0]))
    assert same(float("nan"), float("nan"))
    for a, b in [(1, True), (1, 1.0), (0.0, -0.0), ((1,), [1]), ("", None), ({1: 2}, {1: 2.0})]:
        assert not same(a, b)


@pytest.mark.slow
def test_drawn_values_are_adversarial() -> None:
    texts = TEXT.drawn(native.ROWS)
    assert any("\x1c" in text for text in texts)
    assert any(character > "\uffff" for text in texts for character in text)
    floats = [value for pair in DOUBLE_PAIR.drawn(native.ROWS) for value in pair]
    assert any(value != value for value in floats)
    assert any(same(value, -0.0) for value in floats)
    assert isinstance(Case("lambda s: s").translated(TEXT), Translation)
