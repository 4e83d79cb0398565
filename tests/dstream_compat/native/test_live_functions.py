"""Functions that exist are translated by their source and their current names."""

from __future__ import annotations

import json
import operator
import re
from collections.abc import Callable
from typing import Any

import pytest
from pyspark.sql import SparkSession

from dstream_compat.native import Refusal, Translator, column
from dstream_compat.native.refusals import Code
from dstream_compat.native.types import String
from tests.support.native import to_column

SEPARATOR = ","


WORDS = ["a"]


def exclaimed(line: str, by: str = "!") -> str:
    return line + by


def decorated(function: Callable[..., Any]) -> Callable[..., Any]:
    return function


@decorated
def with_decorator(line: str) -> str:
    return line


@pytest.mark.slow
def test_functions_that_exist(spark: SparkSession) -> None:
    inside = "?"
    pair = [lambda line: line + "1", lambda line: line + "2"]
    functions: list[Callable[[str], Any]] = [
        exclaimed,
        lambda line: line.split(SEPARATOR),
        lambda line: exclaimed(line, by=inside),
        lambda line: (
            line,
            len(line),
        ),
        lambda line, n=3: len(line) > n,
        lambda line: (lambda w: w + w)(line),
        *pair,
        str.strip,
        len,
        operator.itemgetter(0),
        lambda line: re.sub("a", "b", line),
    ]
    translator = Translator()
    found = [translator.map(each, column("line", String())) for each in functions]
    assert [each for each in found if isinstance(each, Refusal)] == []
    lines = ["a,b", " \x1cab ", "xyz"]
    frame = spark.createDataFrame([(line,) for line in lines], "line string")
    results = frame.select(*(to_column(each.expression) for each in found)).collect()
    for line, result in zip(lines, results, strict=True):
        got = [tuple(each) if isinstance(each, tuple) else each for each in result]
        assert got == [function(line) for function in functions]


def test_functions_that_exist_are_refused() -> None:
    later = None
    namespace: dict[str, Any] = {}
    exec("f = lambda line: line", namespace)
    for function, code in [
        (lambda line: line in WORDS, Code.UNKNOWN_NAME),
        (lambda line: later.strip(line), Code.UNKNOWN_FUNCTION),
        (lambda line: pytest.approx(line), Code.UNKNOWN_NAME),
        (namespace["f"], Code.NO_SOURCE),
        (with_decorator, Code.NO_SOURCE),
        (print, Code.UNKNOWN_FUNCTION),
        (json.dumps, Code.ARGUMENTS),
        (re.compile("a").search, Code.UNKNOWN_FUNCTION),
    ]:
        found = Translator().map(function, column("line", String()))
        assert isinstance(found, Refusal), function
        assert found.code is code, found
