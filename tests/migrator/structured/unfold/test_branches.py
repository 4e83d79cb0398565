"""Outputs under an `if` are statements of their own, if that is the same."""

from __future__ import annotations

import ast

import pytest

from migrator.structured import outputs, sources
from migrator.structured.program.modules import SourceModule
from migrator.structured.unfold.unfold import unfold

assert outputs and sources
HEAD = """import sys
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

debug, other = sys.argv
ssc = StreamingContext(SparkContext(appName="Job"), 1)
lines = ssc.socketTextStream("h", 1)
"""


def after(body: str) -> str:
    text = HEAD + body
    return unfold(SourceModule(text, ast.parse(text))).text.removeprefix(HEAD)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("if debug:\n    lines.pprint()\n", "lines.pprint() if debug else None\n"),
        ("if not debug:\n    lines.pprint()\n", "lines.pprint() if not debug else None\n"),
        (
            "if debug:\n    # one\n    lines.pprint()  # two\nelse:\n    lines.pprint(5)\n",
            "# one\nlines.pprint() if debug else None  # two\nNone if debug else lines.pprint(5)\n",
        ),
        (
            "if len(debug) > 1:\n    lines.pprint()\n",
            "condition = len(debug) > 1\nlines.pprint() if condition else None\n",
        ),
        (
            "if debug:\n    print('on')\n    few = lines.filter(len)\n    few.pprint()\n",
            "if debug:\n    print('on')\nfew = lines.filter(len)\n"
            "few.pprint() if debug else None\n",
        ),
        (
            "if debug:\n    print('on')\nelse:\n    lines.pprint()\n",
            "if debug:\n    print('on')\nNone if debug else lines.pprint()\n",
        ),
        (
            "if debug:\n    lines.pprint()\nelse:\n    print('off')\n",
            "if debug:\n    pass\nelse:\n    print('off')\nlines.pprint() if debug else None\n",
        ),
        (
            "if debug:\n    if other:\n        lines.pprint()\n",
            "(lines.pprint() if other else None) if debug else None\n",
        ),
        (
            "if debug:\n    lines.pprint(\n        3\n    )\n",
            "lines.pprint(\n    3\n) if debug else None\n",
        ),
    ],
)
def test_outputs(body: str, expected: str) -> None:
    assert after(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        # a receiver would be made in any case
        "if debug:\n    ssc.socketTextStream('h', 2).map(len)\n",
        "if debug:\n    more = ssc.socketTextStream('h', 2)\n    more.pprint()\n",
        # so would the argument be computed
        "if debug:\n    few = lines.filter(other())\n    few.pprint()\n",
        # the name means something else, too
        "few = 1\nif debug:\n    few = lines.filter(len)\n    few.pprint()\n",
        "while debug:\n    if other:\n        lines.pprint()\n",
        "if debug: lines.pprint()\n",
        "if debug:\n    ssc.start()\n    lines.pprint()\n",
    ],
)
def test_an_if_that_stays(body: str) -> None:
    assert after(body) == body
