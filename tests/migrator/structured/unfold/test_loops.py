"""Loops over what is written down are unfolded, others are not."""

from __future__ import annotations

import ast

import pytest

from migrator.structured.program.modules import SourceModule
from migrator.structured.unfold.unfold import unfold

HEAD = """from pyspark import SparkContext
from pyspark.streaming import StreamingContext

PORTS = (1, 2)
ssc = StreamingContext(SparkContext(appName="Job"), 1)
"""


def after(body: str) -> str:
    text = HEAD + body
    return unfold(SourceModule(text, ast.parse(text))).text.removeprefix(HEAD)


@pytest.mark.parametrize("values", ["PORTS", "[1, 2]", "(1, 2)"])
def test_rounds(values: str) -> None:
    body = f"for port in {values}:\n    # one\n    ssc.socketTextStream('h', port).pprint()\n"
    expected = (
        "# one\nssc.socketTextStream('h', 1).pprint()\nssc.socketTextStream('h', 2).pprint()\n"
    )
    assert after(body) == expected


def test_several_names() -> None:
    body = "for h, p in [('a', 1), ('b', 2)]:\n    ssc.socketTextStream(h, p).pprint()\n"
    expected = "ssc.socketTextStream('a', 1).pprint()\nssc.socketTextStream('b', 2).pprint()\n"
    assert after(body) == expected


def test_a_list() -> None:
    body = "streams = [ssc.socketTextStream('h', p) for p in range(2)]\n"
    expected = "streams = [ssc.socketTextStream('h', 0), ssc.socketTextStream('h', 1)]\n"
    assert after(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        "for p in open('ports'):\n    ssc.socketTextStream('h', p).pprint()\n",
        "for p in PORTS:\n    ssc.socketTextStream('h', p).map(lambda x: p).pprint()\n",
        "for p in PORTS:\n    ssc.socketTextStream('h', p).pprint()\n    if p:\n        break\n",
        "for p in PORTS:\n    ssc.socketTextStream('h', p).pprint()\nprint(p)\n",
        "for p in PORTS:\n    p += 1\n    ssc.socketTextStream('h', p).pprint()\n",
        "for p in range(99):\n    ssc.socketTextStream('h', p).pprint()\n",
        "for p in PORTS:\n    print(p)\n",
        "streams = [ssc.socketTextStream('h', p) for p in PORTS if p > 1]\n",
    ],
)
def test_a_loop_that_stays(body: str) -> None:
    assert after(body) == body
