"""Streams in containers that are written down have names, others have none."""

from __future__ import annotations

import ast

import pytest

from migrator.structured.program.modules import SourceModule
from migrator.structured.unfold.unfold import unfold

HEAD = """from pyspark import SparkContext
from pyspark.streaming import StreamingContext

ssc = StreamingContext(SparkContext(appName="Job"), 1)
lines = ssc.socketTextStream("h", 1)
"""


def after(body: str) -> str:
    text = HEAD + body
    return unfold(SourceModule(text, ast.parse(text))).text.removeprefix(HEAD)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "both = (lines, lines.map(len))\na, b = both\na.pprint()\nb.pprint()\n",
            "both_1 = lines.map(len)\nlines.pprint()\nboth_1.pprint()\n",
        ),
        (
            "both = {'a': lines.map(len)}\nboth['b'] = lines\nboth['a'].pprint()\n"
            "both['b'].pprint()\n",
            "a = lines.map(len)\na.pprint()\nlines.pprint()\n",
        ),
        (
            "both = {'a': lines.map(len), 2: lines}\nfor one in both.values():\n    one.pprint()\n",
            "a = lines.map(len)\na.pprint()\nlines.pprint()\n",
        ),
        (
            "both = {'a': lines.map(len)}\nfor key in both:\n    print(key)\n"
            "    both[key].pprint()\n",
            "a = lines.map(len)\nprint('a')\na.pprint()\n",
        ),
    ],
)
def test_names(body: str, expected: str) -> None:
    assert after(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        "both = {'a': lines}\nboth.update(b=lines)\n",
        "both = {'a': lines}\nprint(both[input()])\n",
        "both = {'a': lines}\nboth[input()] = lines\n",
        "both = {'a': lines}\nboth['a'] = lines\n",
        "both = {**{'a': lines}}\nboth['a'].pprint()\n",
        "both = {'a': lines}\nsave(both)\nboth = {'a': lines}\nsave(both)\n",
        "both = {'a': 1}\nprint(both['a'])\n",
    ],
)
def test_a_container_that_stays(body: str) -> None:
    assert "both = {" in after(body)
