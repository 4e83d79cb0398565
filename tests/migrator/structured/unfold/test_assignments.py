"""Streams and contexts are assigned to one name each."""

from __future__ import annotations

import ast

import pytest

from migrator.structured.program.modules import SourceModule
from migrator.structured.unfold.unfold import unfold

HEAD = """from pyspark import SparkContext
from pyspark.streaming import DStream, StreamingContext

ssc = StreamingContext(SparkContext(appName="Job"), 1)
a = ssc.socketTextStream("localhost", 9999)
"""


def after(body: str) -> str:
    text = HEAD + body
    return unfold(SourceModule(text, ast.parse(text))).text.removeprefix(HEAD)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("b: DStream = a.map(len)\nb.pprint()\n", "b = a.map(len)\nb.pprint()\n"),
        (
            'b, c = a.map(len), a.filter(lambda x: x == "a  b")  # two\nb.union(c).pprint()\n',
            '# two\nb = a.map(len)\nc = a.filter(lambda x: x == "a  b")\nb.union(c).pprint()\n',
        ),
        (
            "b = c = a.map(len)\nc.pprint()\nb.pprint()\n",
            "b = a.map(len)\nb.pprint()\nb.pprint()\n",
        ),
        (
            "b: DStream = a.map(\n    len  # its length\n)\nb.pprint()\n",
            "# its length\nb = a.map(len)\nb.pprint()\n",
        ),
    ],
)
def test_assignments(body: str, expected: str) -> None:
    assert after(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        "b: int = 1\n",
        "b, c = 1, 2\n",
        "a, b = a.map(len), a\na.pprint()\nb.pprint()\n",
        "b = c = 1\n",
        "b = a.map(len)\nb.pprint()\n",
    ],
)
def test_other_assignments_stay(body: str) -> None:
    assert after(body) == body
