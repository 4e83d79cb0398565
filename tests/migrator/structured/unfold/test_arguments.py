"""Arguments that the result uses later are computed where they were."""

from __future__ import annotations

import ast

import pytest

from migrator.structured.program.modules import SourceModule
from migrator.structured.unfold.unfold import unfold

HEAD = """import time
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

ssc = StreamingContext(SparkContext(appName="Job"), 1)
a = ssc.socketTextStream("localhost", 9999)
"""


def after(body: str) -> str:
    text = HEAD + body
    return unfold(SourceModule(text, ast.parse(text))).text.removeprefix(HEAD)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("a.pprint(int('3'))\n", "number = int('3')\na.pprint(number)\n"),
        (
            "prefix = 'x'\na.map(len).saveAsTextFiles('out' + str(time.time()), 'txt')\n",
            "prefix = 'x'\nprefix2 = 'out' + str(time.time())\n"
            "a.map(len).saveAsTextFiles(prefix2, 'txt')\n",
        ),
    ],
)
def test_arguments(body: str, expected: str) -> None:
    assert after(body) == expected


@pytest.mark.parametrize("body", ["a.pprint(3)\n", "a.pprint(N)\n", "show(int('3'))\n"])
def test_other_arguments_stay(body: str) -> None:
    assert after(body) == body
