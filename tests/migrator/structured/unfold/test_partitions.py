"""Topics with partitions are pairs, if nothing else is done with them."""

from __future__ import annotations

import pytest

from tests.migrator.structured.unfold.support import unfolded

HEAD = """from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils, TopicAndPartition

ssc = StreamingContext(SparkContext(appName="Job"), 1)
"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("first = TopicAndPartition('a', 0)\n", "first = ('a', 0)\n"),
        (
            "all = {TopicAndPartition(partition=n, topic='a'): 0 for n in range(3)}\n",
            "all = {('a', n): 0 for n in range(3)}\n",
        ),
        (
            "both = {TopicAndPartition('a', 0): 1, TopicAndPartition('b', 0): 2}\n",
            "both = {('a', 0): 1, ('b', 0): 2}\n",
        ),
    ],
)
def test_pairs(body: str, expected: str) -> None:
    assert unfolded(HEAD, body) == (expected, ())


@pytest.mark.parametrize(
    "body",
    [
        "first = TopicAndPartition(*names)\n",
        "make = TopicAndPartition\nfirst = TopicAndPartition('a', 0)\n",
        "first = TopicAndPartition('a', 0)\nprint(first._topic)\n",
        "first = TopicAndPartition(\n    'a',\n    0,\n)\n",
        "isinstance(TopicAndPartition('a', 0), TopicAndPartition)\n",
        "first = ('a', 0)\n",
    ],
)
def test_other_uses_stay(body: str) -> None:
    assert unfolded(HEAD, body) == (body, ())
