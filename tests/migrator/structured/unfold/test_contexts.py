"""Contexts that a `with` stops are stopped in a `finally`."""

from __future__ import annotations

import ast

import pytest

from migrator.structured.program.modules import SourceModule
from migrator.structured.unfold.contexts import unfold_with

HEAD = """from pyspark import SparkContext
from pyspark.streaming import StreamingContext

"""


def after(body: str) -> str | None:
    text = HEAD + body
    made = next(unfold_with(SourceModule(text, ast.parse(text))), None)
    return None if made is None else made.text.removeprefix(HEAD)


def test_a_context() -> None:
    body = (
        "with SparkContext(\n    appName='Job'\n) as sc:\n    ssc = StreamingContext(sc, 1)\n"
        "    # end\n    ssc.start()\nprint(1)\n"
    )
    expected = (
        "sc = SparkContext(appName='Job')\ntry:\n    ssc = StreamingContext(sc, 1)\n"
        "    # end\n    ssc.start()\nfinally:\n    sc.stop()\nprint(1)\n"
    )
    assert after(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        "with open('x') as sc:\n    ssc = StreamingContext(SparkContext(), 1)\n",
        "with SparkContext() as sc, open('x') as y:\n    ssc = StreamingContext(sc, 1)\n",
        "with SparkContext() as sc: ssc = StreamingContext(sc, 1)\n",
        "with SparkContext():\n    ssc = StreamingContext(sc, 1)\n",
        "with SparkContext() as sc:\n    sc.textFile('x')\n",
        "with SparkContext() as sc:  # one\n    ssc = StreamingContext(sc, 1)\n",
    ],
)
def test_a_with_that_stays(body: str) -> None:
    assert after(body) is None
