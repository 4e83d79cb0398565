"""Functions inside of functions of batches stay as long as something calls them."""

from __future__ import annotations

import pytest

from migrator.structured.rewrite import Rewritten, rewrite

JOB = """from pyspark import SparkContext
from pyspark.streaming import StreamingContext
{}

sc = SparkContext(appName="J")
ssc = StreamingContext(sc, 5)
files = ssc.textFileStream("d")
{}
ssc.start()
ssc.awaitTermination()
"""


KEPT = [
    (
        "def out(rdd):\n    def send(part):\n        for x in part:\n            print(x)\n"
        "    rdd.foreachPartition(send)",
        "files.foreachRDD(out)",
        "def send(part):",
    ),
    (
        "def out(rdd):\n    def wanted(x):\n        try:\n            return len(x) % 3 > 1\n"
        "        except ValueError:\n            return False\n"
        "    print(rdd.filter(wanted).count())",
        "files.foreachRDD(out)",
        "def wanted(x):",
    ),
]
GONE = [
    (
        "def out(rdd):\n    def long(x):\n        return len(x) > 3\n"
        "    print(rdd.filter(long).count())",
        "files.foreachRDD(out)",
        "def long",
    ),
]


@pytest.mark.parametrize(("above", "body", "text"), KEPT)
def test_a_local_function_that_is_still_called_stays(above: str, body: str, text: str) -> None:
    found = rewrite(JOB.format(above, body))
    assert isinstance(found, Rewritten), found
    assert text in found.text


@pytest.mark.parametrize(("above", "body", "text"), GONE)
def test_a_local_function_that_became_an_expression_is_gone(
    above: str, body: str, text: str
) -> None:
    found = rewrite(JOB.format(above, body))
    assert isinstance(found, Rewritten), found
    assert text not in found.text
