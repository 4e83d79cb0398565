"""Integers of a state that may not fit into the 64 bits of Spark's need consent, others do not."""

from __future__ import annotations

import pytest

from migrator.structured.refusals import Reason
from migrator.structured.rewrite import Rewritten, rewrite

JOB = """\
import math
import time

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Job")
ssc = StreamingContext(sc, 5)
ssc.checkpoint("checkpoint")
pairs = ssc.textFileStream("in").map(lambda line: (line[:1], {value}))
pairs.updateStateByKey({function}).pprint()
ssc.start()
ssc.awaitTermination()
"""
BOUNDED = [
    ("line", "lambda new, old: len(new[-1]) if new else old"),
    ("line", "lambda new, old: ord(new[-1][0]) if new else old"),
    ("line", "lambda new, old: new[-1].find('a') if new else old"),
    ("line", "lambda new, old: [len(each) for each in new] if new else old"),
    ("line", "lambda new, old: int(time.time()) if new else old"),
    ("len(line)", "lambda new, old: new[-1] if new else old"),
    ("len(line)", "lambda new, old: new[-1] * 1000 if new else old"),
    ("len(line)", "lambda new, old: int(new[-1]) if new else old"),
    ("len(line)", "lambda new, old: (old or 0) + sum(new) if new else old"),
    ("len(line)", "lambda new, old: abs(new[-1]) % 7 if new else old"),
    ("float(len(line))", "lambda new, old: new[-1] if new else old"),
    ("len(line) * 100000", "lambda new, old: new[-1] if new else old"),
    ("line", "lambda new, old: len(new[-1]) * 2 + len(new[-1]) * 3 if new else old"),
    ("line", "lambda new, old: (old or 0) + (1 if new else 0) * 5 if new else old"),
    ("line", "lambda new, old: (old or 0) + 1000 * len(new) if new else old"),
    ("line", "lambda new, old: min((old or 0) + 10, 10 ** 6) if new else old"),
    ("line", "lambda new, old: len(new) + 10 ** 9 if new else old"),
    ("line", "lambda new, old: len(new) + (1 << 20) - 60 * 60 * 24 if new else old"),
    ("line", "lambda new, old: int('12') if new else old"),
    ("line", "lambda new, old: int(len(new) / 2) + (old or 0) if new else old"),
    ("line", "lambda new, old: math.ceil(len(new) / 3) if new else old"),
    ("line", "lambda new, old: int(time.time() * 1000) if new else old"),
]
UNBOUNDED = [
    ("line", "lambda new, old: int(new[-1]) if new else old"),
    ("line", "lambda new, old: int(new[-1]) // 10 if new else old"),
    ("line", "lambda new, old: [int(each) for each in new] if new else old"),
    ("line", "lambda new, old: (int(new[-1]), len(new)) if new else old"),
    ("line", "lambda new, old: max(int(each) for each in new) if new else old"),
    ("len(line)", "lambda new, old: (old or 1) * 2 if new else old"),
    ("len(line)", "lambda new, old: new[-1] ** 3 if new else old"),
    ("line", "lambda new, old: (old or 1) * 5 * len(new) if new else old"),
    ("line", "lambda new, old: (len(new) + (old or 0)) * 3 * 3 if new else old"),
    ("line", "lambda new, old: int(len(new) / 0.001) if new else old"),
    ("line", "lambda new, old: int(float(new[-1]) / 2) if new else old"),
    ("line", "lambda new, old: int('12345678901234567890') if new else old"),
    ("line", "lambda new, old: int(time.time() * 10 ** 12) if new else old"),
    ("line", "lambda new, old: 10 ** 30 if new else old"),
    ("line", "lambda new, old: len(new) * 10 ** 6 + (old or 0) if new else old"),
    ("len(line)", "lambda new, old: 123456789012345678901 if new else old"),
    ("float(len(line))", "lambda new, old: int(new[-1]) if new else old"),
    ("float(len(line))", "lambda new, old: math.floor(new[-1]) if new else old"),
    ("float(len(line))", "lambda new, old: round(new[-1]) if new else old"),
]


def rewritten(value: str, function: str, unsafe: bool = False) -> Rewritten | Reason | None:
    return rewrite(JOB.format(value=value, function=function), unsafe)


@pytest.mark.parametrize(("value", "function"), BOUNDED)
def test_an_integer_that_fits(value: str, function: str) -> None:
    found = rewritten(value, function)
    assert isinstance(found, Rewritten), found


@pytest.mark.parametrize(("value", "function"), UNBOUNDED)
def test_an_integer_that_may_not_fit(value: str, function: str) -> None:
    found = rewritten(value, function)
    assert isinstance(found, Reason)
    assert found.code == "INT_RANGE", found
    freer = rewritten(value, function, unsafe=True)
    assert isinstance(freer, Rewritten), freer
    assert any("64 bits" in each for each in freer.differences)
