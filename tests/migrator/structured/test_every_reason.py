"""A refusal names every step without a form, and nothing that follows from one of them."""

from __future__ import annotations

import pytest

from migrator.structured.refusals import Reason
from migrator.structured.rewrite import rewrite

JOB = """from library import thing
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Job")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
{body}
ssc.start()
ssc.awaitTermination()
"""
START = 8


def reasons(body: str, unsafe: bool = False) -> list[tuple[int, str]]:
    """The lines of the body, from 0, and the reasons there."""
    found = rewrite(JOB.format(body=body), unsafe)
    assert isinstance(found, Reason)
    assert (found.line, found.code) in [(each.line, each.code) for each in found.others]
    return [(each.line - START, each.code) for each in found.others]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "lines.glom().pprint()\nlines.zipWithIndex().pprint()",
            [(0, "PARTITIONS"), (1, "POSITION")],
        ),
        # what is made of it is not known
        ("a = lines.glom()\na.map(thing).pprint()\na.count().pprint()", [(0, "PARTITIONS")]),
        ("lines.union(lines.glom()).pprint()", [(0, "PARTITIONS")]),
        ("lines.transform(lambda rdd: rdd.glom()).pprint()", [(0, "PARTITIONS")]),
        # functions, other code, batches
        (
            "lines.map(thing).pprint()\nthing(lines)\nlines.foreachRDD(thing)",
            [(0, "UNKNOWN_NAME"), (1, "USE"), (2, "NO_SOURCE")],
        ),
        ("lines.map(thing).map(len).pprint()", [(0, "UNKNOWN_NAME")]),
        (
            "def show(rdd):\n    rdd.glom()\n    print(rdd.count())\n    rdd.zipWithIndex()\n"
            "lines.foreachRDD(show)",
            [(1, "PARTITIONS"), (3, "POSITION")],
        ),
        (
            "lines.map(lambda line: int(line)).pprint()\nlines.glom().pprint()",
            [(0, "INT_TEXT"), (1, "PARTITIONS")],
        ),
    ],
)
def test_reasons(body: str, expected: list[tuple[int, str]]) -> None:
    assert reasons(body) == expected


def test_consent_leaves_the_others() -> None:
    body = "lines.map(lambda line: int(line)).pprint()\nlines.glom().pprint()"
    assert reasons(body, unsafe=True) == [(1, "PARTITIONS")]


def test_reasons_in_a_function_are_at_its_lines() -> None:
    body = "def show(stream):\n    # all\n    stream.glom().pprint()\n\nshow(lines)"
    assert reasons(body) == [(2, "PARTITIONS")]
