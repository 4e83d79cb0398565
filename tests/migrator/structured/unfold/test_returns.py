"""Functions of a job return at their end, if that is the same."""

from __future__ import annotations

import ast

import pytest

from migrator.structured.program.modules import SourceModule
from migrator.structured.unfold.calls import unfold_return

HEAD = """from pyspark import SparkContext
from pyspark.streaming import StreamingContext

"""
TAIL = """
ssc = StreamingContext(SparkContext(appName="Job"), 1)
words = pick(ssc.socketTextStream("h", 1))
words.pprint()
"""


def after(body: str) -> str:
    text = HEAD + body + TAIL
    module = SourceModule(text, ast.parse(text))
    while (changed := next(unfold_return(module), None)) is not None:
        module = changed
    return module.text.removeprefix(HEAD).removesuffix(TAIL)


def test_an_early_return() -> None:
    body = "def pick(x):\n    if DEBUG:\n        return x\n    y = x.map(len)\n    return y\n"
    expected = (
        "def pick(x):\n    if DEBUG:\n        result = x\n    else:\n        y = x.map(len)\n"
        "        result = y\n    return result\n"
    )
    assert after(body) == expected


def test_several_early_returns() -> None:
    body = (
        "def pick(x):\n    if A:\n        return x\n    if B:\n        # two\n"
        "        return x.map(len)\n    return x.count()\n"
    )
    expected = (
        "def pick(x):\n    if A:\n        result = x\n    else:\n        if B:\n            # two\n"
        "            result = x.map(len)\n        else:\n            result = x.count()\n"
        "    return result\n"
    )
    assert after(body) == expected


def test_other_branches() -> None:
    body = (
        "def pick(x):\n    if A:\n        return x\n    elif B:\n        return x.map(len)\n"
        "    else:\n        return x.count()\n"
    )
    assert after(body) == body.replace("return", "result =") + "    return result\n"


@pytest.mark.parametrize(
    "body",
    [
        "def pick(x):\n    for a in A:\n        return x\n    return x.count()\n",
        "def pick(x):\n    if A:\n        return x\n    elif B:\n        return x.map(len)\n",
        "def pick(x):\n    try:\n        return x\n    finally:\n        return x.map(len)\n",
        "def pick(x):\n    if A: return x\n    else: return\n",
        "def pick(x):\n    return x\n",
        # what it returns is no part of the job
        "def pick(x):\n    if A:\n        return 1\n    x.pprint()\n    return 0\n",
    ],
)
def test_a_function_that_stays(body: str) -> None:
    assert after(body) == body
