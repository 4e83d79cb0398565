"""Where the order of records is kept, and what is said or asked where it is not."""

from __future__ import annotations

import pytest

from migrator.structured.refusals import Reason
from migrator.structured.rewrite import Rewritten, rewrite

JOB = """\
from pyspark import SparkContext
from pyspark.streaming import StateSpec, StreamingContext
from pyspark.streaming.kafka import KafkaUtils


def shown(rdd):
    {shown}


def mapped(key, value, state):
    last = value if value is not None else ""
    state.update(last)
    return key, last


sc = SparkContext(appName="Order")
ssc = StreamingContext(sc, 2)
ssc.checkpoint("checkpoint")
lines = ssc.socketTextStream("localhost", 9999)
files = ssc.textFileStream("in")
records = KafkaUtils.createDirectStream(ssc, ["t"], {{"metadata.broker.list": "b:9092"}})
{body}
ssc.start()
ssc.awaitTermination()
"""
ONE = '.option("numPartitions", 1)'
OTHERS = "more records than are printed"
PAIRS = ".map(lambda l: (l[:1], l))"
LAST = ".updateStateByKey(lambda new, old: new[-1] if new else old).pprint()"
SUM = ".map(lambda l: (l, 1)).updateStateByKey(lambda new, old: sum(new) + (old or 0)).pprint()"


def job(body: str, shown: str = "print(rdd.count())") -> str:
    return JOB.format(body=body, shown=shown)


def result(body: str, shown: str = "print(rdd.count())") -> Rewritten:
    found = rewrite(job(body, shown))
    assert isinstance(found, Rewritten), found
    return found


@pytest.mark.parametrize(
    "shown", ["print(rdd.first()[:1])", "open('f', 'w').write(rdd.take(2)[0])"]
)
@pytest.mark.parametrize("stream", ["records.map(lambda r: r[1])", "files", "lines"])
def test_the_first_record_of_a_window_needs_consent(stream: str, shown: str) -> None:
    text = job(f"{stream}.window(10, 2).foreachRDD(shown)", shown)
    found = rewrite(text)
    assert isinstance(found, Reason)
    assert found.code == "ARRIVAL_ORDER"
    freer = rewrite(text, unsafe=True)
    assert isinstance(freer, Rewritten)
    assert any("order of arrival" in each for each in freer.differences)


@pytest.mark.parametrize(
    "calls", ["window(10, 2)", "map(lambda l: l + 'b').window(4)", "window(10, 2).map(len)"]
)
@pytest.mark.parametrize("stream", ["lines", "files"])
def test_other_records_of_a_window_may_be_printed(stream: str, calls: str) -> None:
    found = result(f"{stream}.{calls}.pprint()")
    assert any(OTHERS in each for each in found.differences)
    assert ONE not in found.text


@pytest.mark.parametrize(
    "calls",
    [
        "countByValueAndWindow(4, 2)",
        "window(4, 2).map(lambda l: (l, 1)).reduceByKey(lambda a, b: a + b)",
        "window(4, 2).countByValue()",
    ],
)
def test_a_shuffle_after_or_of_a_window_promises_no_order(calls: str) -> None:
    found = result(f"lines.{calls}.pprint()")
    assert not any(OTHERS in each for each in found.differences)
    assert ONE not in found.text


@pytest.mark.parametrize("step", ["repartition(4)", "coalesce(1)"])
@pytest.mark.parametrize("call", [LAST, ".mapWithState(StateSpec.function(mapped)).pprint()"])
def test_a_state_of_mixed_values_needs_consent(step: str, call: str) -> None:
    text = job(f"lines.{step}{PAIRS}{call}")
    found = rewrite(text)
    assert isinstance(found, Reason)
    assert found.code == "ARRIVAL_ORDER"
    assert f"`{step.partition('(')[0]}` does not keep" in found.text
    freer = rewrite(text, unsafe=True)
    assert isinstance(freer, Rewritten)
    assert ONE not in freer.text


@pytest.mark.parametrize(
    "calls",
    [
        f"{PAIRS}{LAST}",
        f".map(lambda l: (l, l[:1])).map(lambda p: (p[1], p[0])){LAST}",
        f"{PAIRS}.values(){PAIRS}{LAST}",
        f".union(lines).filter(lambda l: l != '').cache(){PAIRS}{LAST}",
    ],
)
def test_a_state_of_values_in_their_order_needs_none(calls: str) -> None:
    assert ONE in result(f"lines{calls}").text


def test_a_sum_needs_no_order() -> None:
    assert ONE not in result(f"lines.repartition(4){SUM}").text


@pytest.mark.parametrize("calls", ["repartition(2)", "coalesce(2)"])
def test_one_partition_is_of_no_use_before_they_are_mixed(calls: str) -> None:
    assert ONE not in result(f"lines.{calls}.pprint()").text


@pytest.mark.parametrize("call", ["keys", "values"])
def test_keys_and_values_are_in_order(call: str) -> None:
    found = result(f"lines{PAIRS}.{call}().pprint()")
    assert not any(OTHERS in each for each in found.differences)
    assert ONE in found.text
    assert isinstance(
        rewrite(job(f"lines{PAIRS}.{call}().foreachRDD(shown)", "print(rdd.first()[:1])")),
        Rewritten,
    )


@pytest.mark.parametrize(
    "shown",
    [
        "print(rdd.count())",
        "print(rdd.isEmpty() or rdd.map(len).sum())",
        "print(rdd.filter(lambda l: l != '').map(lambda l: (l, 1)).countByKey().items())",
        "print(sorted(rdd.map(lambda l: (l, 1)).reduceByKey(lambda a, b: a + b).collect()))",
    ],
)
def test_a_function_that_only_counts_needs_no_order(shown: str) -> None:
    assert ONE not in result("lines.foreachRDD(shown)", shown).text
    assert ONE not in result(f"lines.foreachRDD(lambda rdd: {shown})").text


@pytest.mark.parametrize(
    "shown",
    [
        "print(rdd.collect())",
        "print(rdd.count(), rdd.first())",
        "print(rdd.map(len).take(2))",
        "rdd.saveAsTextFile('out')",
        "lengths = rdd.map(len)\n    print(lengths.collect())",
    ],
)
def test_a_function_that_shows_records_needs_their_order(shown: str) -> None:
    assert ONE in result("lines.foreachRDD(shown)", shown).text


def test_another_output_may_need_the_order() -> None:
    assert ONE in result("lines.foreachRDD(shown)\nlines.pprint()").text
