"""What the report says of intervals without input: at which line, and only what is true there."""

from __future__ import annotations

import pytest

from migrator.structured.rewrite import Rewritten, rewrite

JOB = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def shown(rdd):
    print(rdd.count())


sc = SparkContext(appName="Idle")
ssc = StreamingContext(sc, 2)
lines = ssc.socketTextStream("localhost", 9999)
{body}
ssc.start()
ssc.awaitTermination()
"""
LAST = "map(lambda l: (l, l)).updateStateByKey(lambda new, old: new[-1] if new else old)"
SUM = "map(lambda l: (l, 1)).updateStateByKey(lambda new, old: sum(new) + (old or 0))"
CALLED = "is not called for intervals without input"
ZERO = "the count of a window without rows is 0"


def idle(body: str) -> tuple[list[str], frozenset[int]]:
    found = rewrite(JOB.format(body=body))
    assert isinstance(found, Rewritten), found
    notes = [each for each in found.differences if "without input" in each or ZERO in each]
    return notes, found.idle


def test_each_function_has_its_line() -> None:
    one = "lines.foreachRDD(lambda rdd: print(rdd.count()))"
    notes, lines = idle(f"{one}\n{one}\nlines.foreachRDD(shown)")
    assert notes == [
        f"line 12: `lambda` {CALLED}",
        f"line 13: `lambda` {CALLED}",
        f"line 14: `shown` {CALLED}",
    ]
    assert lines == {12, 13, 14}


@pytest.mark.parametrize("calls", ["window(4, 2)", "countByValueAndWindow(4, 2)", LAST])
def test_timers_call_a_function(calls: str) -> None:
    notes, lines = idle(f"lines.{calls}.foreachRDD(shown)")
    assert notes == [f"line 12: `shown` {CALLED} while no window or state has records"]
    assert lines == {12}


def test_a_sum_has_no_timers() -> None:
    assert f"line 12: `shown` {CALLED}" in idle(f"lines.{SUM}.foreachRDD(shown)")[0]


def test_the_count_of_a_window_is_not_given_for_nothing() -> None:
    notes, _ = idle("lines.window(4, 2).count().pprint()")
    assert notes == ["line 12: a count of 0 is not given in intervals without input"]


def test_a_window_that_counts_gives_zero() -> None:
    (note,) = idle("lines.countByWindow(4, 2).pprint()")[0]
    assert note.startswith(ZERO)


def test_other_outputs_give_nothing_then_as_before() -> None:
    assert idle("lines.window(4, 2).pprint()") == ([], frozenset())
