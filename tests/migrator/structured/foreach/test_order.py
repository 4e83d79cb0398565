"""What a function does with collected records, where it matters which of them come first."""

from __future__ import annotations

import pytest

from migrator.structured.refusals import Reason
from migrator.structured.rewrite import Rewritten, rewrite

JOB = """\
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def process(rdd):
    {body}


sc = SparkContext(appName="Order")
ssc = StreamingContext(sc, 1)
lines = ssc.textFileStream(sys.argv[1])
words = ssc.socketTextStream(sys.argv[2], int(sys.argv[3]))
{stream}.foreachRDD(process)
ssc.start()
ssc.awaitTermination()
"""
LINES = "lines"
COUNTS = "lines.map(lambda line: (line, 1)).reduceByKey(lambda a, b: a + b)"


def rewritten(body: list[str], stream: str, unsafe: bool = False) -> Rewritten | Reason | None:
    return rewrite(JOB.format(body="\n    ".join(body), stream=stream), unsafe)


PICKING = [
    ["print(rdd.collect()[0])"],
    ["print(rdd.collect()[:3])"],
    ["print(next(rdd.toLocalIterator()))"],
    ["print(next(iter(rdd.collect())))"],
    ["for n, line in enumerate(rdd.collect()):", "    print(n, line)"],
    ["print(max(rdd.collect(), key=lambda line: len(line)))"],
    ["print(sorted(rdd.collect(), key=lambda line: len(line))[0])"],
    ["found = rdd.collect()", "if found:", "    print(found[-1])"],
    ["found = list(rdd.collect())", "print(found.pop())"],
    ["first, *rest = rdd.collect()", "print(first)"],
    ["for line in rdd.collect():", "    print(line)", "    break"],
    ["for line in rdd.collect():", "    if line:", "        return"],
    ["for line in rdd.collect():", "    last = line", "print(last)"],
    ["sizes = {}", "for line in rdd.collect():", "    sizes[len(line)] = line", "print(sizes)"],
    ["print({len(line): line for line in rdd.collect()})"],
]
ANY_ORDER = [
    ["print(rdd.collect())"],
    ["print(len(rdd.collect()))"],
    ["print(sorted(rdd.collect())[0])"],
    ["print(max(rdd.collect()))"],
    ["print(set(rdd.collect()))"],
    ["for line in rdd.collect():", "    print(line)"],
    ["for line in rdd.collect():", "    size = len(line)", "    print(size)"],
    ["found = rdd.collect()", "if found:", "    print(len(found))"],
    ["found = sorted(rdd.collect())", "print(found[0])"],
    ["print([len(line) for line in rdd.collect()])"],
    ["print(sum(len(line) for line in rdd.collect()))"],
    ["for line in rdd.collect():", "    for letter in line:", "        break"],
]


@pytest.mark.parametrize("body", PICKING, ids=" ".join)
def test_records_that_are_picked_by_their_order_are_refused(body: list[str]) -> None:
    refused = rewritten(body, LINES)
    assert isinstance(refused, Reason)
    assert refused.code == "ARRIVAL_ORDER"
    stated = rewritten(body, LINES, unsafe=True)
    assert isinstance(stated, Rewritten)
    assert any("order of arrival" in each for each in stated.differences)


@pytest.mark.parametrize("body", ANY_ORDER, ids=" ".join)
def test_all_records_are_used_in_any_order(body: list[str]) -> None:
    assert isinstance(rewritten(body, LINES), Rewritten)


@pytest.mark.parametrize("body", PICKING[:5], ids=" ".join)
def test_records_of_a_shuffle_have_no_order_before(body: list[str]) -> None:
    assert isinstance(rewritten(body, COUNTS), Rewritten)


@pytest.mark.parametrize("body", PICKING, ids=" ".join)
def test_lines_of_a_socket_have_an_order(body: list[str]) -> None:
    stream = 'words.union(words.filter(lambda line: line != "a")).map(lambda line: line + "b")'
    found = rewritten(body, stream)
    assert isinstance(found, Rewritten), found
    assert '.option("numPartitions", 1)' in found.text


@pytest.mark.parametrize("stream", ["words.repartition(2)", "words.union(lines)"])
def test_a_stream_of_a_socket_need_not_have_an_order(stream: str) -> None:
    found = rewritten(PICKING[0], stream)
    assert isinstance(found, Reason)
    assert found.code in ("ARRIVAL_ORDER", "TWO_SOURCES")


def test_records_that_are_printed_may_be_others() -> None:
    for stream, notes in ((LINES, 1), ("words", 0), (COUNTS, 0)):
        found = rewritten(["print(rdd.take(3))"], stream)
        assert isinstance(found, Rewritten), found
        assert sum("more records than are printed" in each for each in found.differences) == notes
