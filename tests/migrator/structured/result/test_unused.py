"""Functions that a result does not use any more, in blocks."""

from __future__ import annotations

import pytest

from migrator.structured.rewrite import Rewritten, rewrite

JOB = """from pyspark import SparkContext
from pyspark.streaming import StreamingContext

if __name__ == "__main__":
    sc = SparkContext(appName="J")
    ssc = StreamingContext(sc, 1)
    ssc.checkpoint("c")

    {function}

    lines = ssc.socketTextStream("localhost", 9999)
    lines.map(lambda line: (line, 1)).updateStateByKey({update}).pprint()
    {more}
    ssc.start()
    ssc.awaitTermination()
"""
ADD = "def add(new, old):\n        return sum(new) + (old or 0)"
LAMBDA = "lambda new, old: sum(new) + (old or 0)"


def result(function: str = ADD, update: str = "add", more: str = "pass") -> str:
    made = rewrite(JOB.format(function=function, update=update, more=more), True)
    assert isinstance(made, Rewritten), made
    return made.text


def test_a_function_whose_calls_are_gone() -> None:
    assert "def add" not in result()


@pytest.mark.parametrize(
    "parts",
    [
        {"more": "print(add([1], None))"},
        {"more": "print(globals()['add'])"},
        {"function": f"# adds them up\n    {ADD}"},
        # it was not used before
        {"update": LAMBDA},
    ],
)
def test_what_stays(parts: dict[str, str]) -> None:
    assert "    def add(new, old):" in result(**parts)
