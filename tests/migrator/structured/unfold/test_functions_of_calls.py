"""Functions that a call gives are made where they were, once; the others stay in their place."""

from __future__ import annotations

import pytest

from tests.migrator.structured.unfold.support import unfolded

HEAD = """from functools import partial
from operator import itemgetter
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

ssc = StreamingContext(SparkContext(appName="Job"), 1)
lines = ssc.socketTextStream("localhost", 9999)
"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "lines.map(make_parser(1)).pprint()\n",
            "parser = make_parser(1)\nlines.map(parser).pprint()\n",
        ),
        (
            "lines.foreachRDD(save_to('a'))\n",
            "function = save_to('a')\nlines.foreachRDD(function)\n",
        ),
        # one after the other
        (
            "lines.map(first()).map(second()).foreachRDD(third())\n",
            "function = first()\nmap_function = second()\noutput = third()\n"
            "lines.map(function).map(map_function).foreachRDD(output)\n",
        ),
        (
            "if __name__ == '__main__':\n    lines.map(make()).pprint()\n",
            "if __name__ == '__main__':\n    function = make()\n    lines.map(function).pprint()\n",
        ),
    ],
)
def test_functions_of_calls(body: str, expected: str) -> None:
    assert unfolded(HEAD, body) == (expected, ())


@pytest.mark.parametrize(
    "body",
    [
        "lines.map(itemgetter(0)).pprint()\n",
        "lines.map(partial(len)).pprint()\n",
        "lines.map(lambda line: make(line)).pprint()\n",
        "for n in range(len(HOSTS)):\n    lines.map(make(n)).pprint()\n",
        # it would be made before what stands before it
        "keep(other(), lines.map(make()))\n",
        "rdd.map(make())\n",
        "lines.map(len).pprint()\n",
    ],
)
def test_other_functions_stay(body: str) -> None:
    assert unfolded(HEAD, body)[0] == body
