"""Queues of RDDs: what is kept of them, and what a batch takes."""

from __future__ import annotations

import textwrap

import pytest

from migrator.structured.refusals import Reason
from migrator.structured.rewrite import Rewritten, rewrite

JOB = """
import json
import sys
from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def save(rdd):
    print(rdd.collect())


sc = SparkContext(appName="job")
ssc = StreamingContext(sc, 2)
one = sc.parallelize([1])
{code}
ssc.start()
ssc.awaitTermination()
"""
EMPTY = "spark.sparkContext.parallelize([], 1)"
LISTS = "[spark.sparkContext.parallelize(each) for each in "


def rewritten(code: str) -> Rewritten | Reason | None:
    return rewrite(JOB.format(code=textwrap.dedent(code).strip()), batch_code=True)


def statements(code: str) -> list[str]:
    """The statements of a job from its ticks to its query, without those of ticks and outputs."""
    made = rewritten(code)
    assert isinstance(made, Rewritten), made
    body = made.text.partition("one = spark.sparkContext.parallelize([1])\n")[2]
    lines = body.partition("\nquery = ")[0].split("\n")
    outputs = (
        "    for record",
        "        print",
        "    save",
        "def ",
        "ticks = ",
        "    spark.",
        "    .",
    )
    return [each for each in lines if each.strip(")") and not each.startswith(outputs)]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (
            "s = ssc.queueStream([one, one])\ns.pprint()",
            ["rdds = [one, one]", f"    s = rdds.pop(0) if rdds else {EMPTY}"],
        ),
        (
            "s = ssc.queueStream(rdds=[[1], 'ab'])\ns.pprint()",
            [f"rdds = {LISTS}[[1], 'ab']]", f"    s = rdds.pop(0) if rdds else {EMPTY}"],
        ),
        (
            "queue = [one]\nqueue.append(one)\nqueue += [one] * len(queue)\n"
            "s = ssc.queueStream(queue)\ns.pprint()",
            [
                "queue = [one]",
                "queue.append(one)",
                "queue += [one] * len(queue)",
                f"    s = queue.pop(0) if queue else {EMPTY}",
            ],
        ),
        (
            "rdds = [one]\ns = ssc.queueStream(rdds)\ns.pprint()\nrdds.append(one)",
            [
                "rdds = [one]",
                "queue = list(rdds)",
                f"    s = queue.pop(0) if queue else {EMPTY}",
                "rdds.append(one)",
            ],
        ),
        (
            "q = [one]\nother = q\ns = ssc.queueStream(q)\ns.pprint()",
            [
                "q = [one]",
                "other = q",
                "rdds = list(q)",
                f"    s = rdds.pop(0) if rdds else {EMPTY}",
            ],
        ),
        (
            "q = (one, one)\ns = ssc.queueStream(q, False)\ns.pprint()",
            [
                "q = (one, one)",
                "rdds = [spark.sparkContext.union(q)]",
                f"    s = rdds.pop(0) if rdds else {EMPTY}",
            ],
        ),
        (
            "s = ssc.queueStream([[1], [2]], oneAtATime=False)\ns.pprint()",
            [
                f"rdds = {LISTS}[[1], [2]]]",
                "rdds = [spark.sparkContext.union(rdds)]",
                f"    s = rdds.pop(0) if rdds else {EMPTY}",
            ],
        ),
        (
            "s = ssc.queueStream([one], True, one)\ns.pprint()",
            ["rdds = [one]", "default = one", "    s = rdds.pop(0) if rdds else default"],
        ),
        (
            "s = ssc.queueStream([], default=[0])\ns.pprint()",
            [
                f"rdds = {LISTS}[[]]]",
                "default = spark.sparkContext.parallelize([0])",
                "    s = rdds.pop(0) if rdds else default",
            ],
        ),
        (
            "q = [one for line in sys.argv]\ns = ssc.queueStream(q, default=[0])\ns.pprint()",
            [
                "q = [one for line in sys.argv]",
                "rdds = list(q) or [spark.sparkContext.parallelize([])]",
                "default = spark.sparkContext.parallelize([0])",
                "    s = rdds.pop(0) if rdds else default",
            ],
        ),
        (
            "s = ssc.queueStream([[1]], default=[])\ns.pprint()",
            [f"rdds = {LISTS}[[1]]]", f"    s = rdds.pop(0) if rdds else {EMPTY}"],
        ),
        (
            "ssc.queueStream([one]).map(str).pprint()",
            [
                "rdds = [one]",
                f"    records = rdds.pop(0) if rdds else {EMPTY}",
                "    records2 = records.map(str)",
            ],
        ),
        (
            "a = ssc.queueStream([one])\nb = ssc.queueStream([one], default=one)\n"
            "a.union(b).pprint()",
            [
                "a_rdds = [one]",
                "b_rdds = [one]",
                "default = one",
                f"    a = a_rdds.pop(0) if a_rdds else {EMPTY}",
                "    b = b_rdds.pop(0) if b_rdds else default",
                "    records = a.union(b)",
            ],
        ),
    ],
)
def test_a_batch_takes_the_next_rdd(code: str, expected: list[str]) -> None:
    assert statements(code) == expected


def test_rdds_of_a_queue_are_not_cached() -> None:
    code = "s = ssc.queueStream([one])\ns.foreachRDD(save)\ns.map(str).foreachRDD(save)"
    assert f"    s = rdds.pop(0) if rdds else {EMPTY}" in statements(code)


def test_a_long_list_has_several_lines() -> None:
    numbers = list(range(20))
    (first, *others) = statements(f"s = ssc.queueStream([{numbers}])\ns.pprint()")[:4]
    assert [first, *others] == [
        "rdds = [",
        "    for each in [[" + str(numbers)[1:] + "]",
        "]",
        f"    s = rdds.pop(0) if rdds else {EMPTY}",
    ]


def test_each_trigger_has_a_batch_so_no_interval_is_idle() -> None:
    made = rewritten(
        "s = ssc.queueStream([one])\ns.count().pprint()\ns.foreachRDD(save)\n"
        "s.saveAsTextFiles('out')"
    )
    assert isinstance(made, Rewritten)
    assert made.idle == frozenset()
    assert not any("without input" in each for each in made.differences)


def test_other_sources_are_queries_of_their_own() -> None:
    made = rewritten(
        "lines = ssc.socketTextStream('h', 1)\nlines.foreachRDD(save)\n"
        "ssc.queueStream([one]).foreachRDD(save)\nssc.queueStream([one, one]).pprint()"
    )
    assert isinstance(made, Rewritten)
    # the ticks of the queues, and those of the socket for `save`
    assert made.text.count("rate-micro-batch") == 2
    assert made.text.count(".foreachBatch(") == 2


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("window(4)", ["records = rdds.pop(0)", "batch_id - 1, batch_id)"]),
        ("window(8, 4)", ["if (batch_id + 1) % 2 == 0:", "batch_id - 3, batch_id)"]),
        ("window(4, 4).window(8, 8)", ["(batch_id + 1) // 2 - 1", "if (batch_id + 1) % 4 == 0:"]),
    ],
)
def test_each_batch_of_a_queue_is_one_of_an_interval(code: str, expected: list[str]) -> None:
    made = rewritten(f"ssc.queueStream([one]).{code}.pprint()")
    assert isinstance(made, Rewritten), made
    assert [each for each in expected if each not in made.text] == []


def test_a_loop_that_fills_a_queue_stays() -> None:
    made = rewritten(
        "q = []\nfor n in range(3):\n    q += [ssc.sparkContext.parallelize([n])]\n"
        "ssc.queueStream(q).pprint()"
    )
    assert isinstance(made, Rewritten)
    assert "for n in range(3):\n    q += [spark.sparkContext.parallelize([n])]\n" in made.text


def test_a_count_without_partitions_is_named() -> None:
    made = rewritten("ssc.queueStream([sc.emptyRDD()]).count().pprint()")
    assert isinstance(made, Rewritten)
    assert any("`emptyRDD()`" in each for each in made.differences)


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("ssc.queueStream([]).pprint()", "no empty queue"),
        ("q = []\nssc.queueStream(q).pprint()", "what fills the queue"),
        ("ssc.queueStream(json.load(sys.stdin)).pprint()", "RDDs or lists"),
        ("ssc.queueStream([one, [1]]).pprint()", "RDDs or lists"),
        ("ssc.queueStream([one], default=json.loads('[1]')).pprint()", "default of the queue"),
        ("ssc.queueStream([one], len(sys.argv) > 1).pprint()", "`oneAtATime` is no literal"),
        ("ssc.queueStream([one], True, None, 3).pprint()", "arguments of queueStream"),
        ("ssc.queueStream([one]).slice(0, 1).pprint()", "`slice` is no method"),
        ("ssc.queueStream([one]).union(ssc.socketTextStream('h', 1)).pprint()", "two sources"),
        ("s = ssc.queueStream([one])\nssc.queueStream([s]).pprint()", "used here in another way"),
    ],
)
def test_what_keeps_a_job_with_a_queue(code: str, reason: str) -> None:
    made = rewritten(code)
    assert isinstance(made, Reason), made
    assert reason in made.text


def test_a_queue_is_not_recovered() -> None:
    text = """
from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def create():
    sc = SparkContext()
    ssc = StreamingContext(sc, 1)
    ssc.checkpoint("checkpoint")
    ssc.queueStream([[1]]).pprint()
    return ssc


ssc = StreamingContext.getOrCreate("checkpoint", create)
ssc.start()
ssc.awaitTermination()
"""
    made = rewrite(text, batch_code=True)
    assert isinstance(made, Reason)
    assert "cannot recover a queue" in made.text


@pytest.mark.parametrize(
    ("fill", "queue"),
    [
        ("rdds = []\nfor n in range(5):\n    rdds += [sc.parallelize([n])]", "rdds"),
        ("rdds = [spark.sparkContext.parallelize([1])]", "rdds"),
        ("pass", "[sc.parallelize([n]) for n in range(5)]"),
    ],
)
def test_rdds_of_the_context_of_a_shell(fill: str, queue: str) -> None:
    text = JOB.replace('sc = SparkContext(appName="job")\n', "")
    text = text.format(code=f"{fill}\nssc.queueStream({queue}).pprint()")
    made = rewrite(text, batch_code=True)
    assert isinstance(made, Rewritten), made
    assert "parallelize(each)" not in made.text
    assert f".pop(0) if rdds else {EMPTY}" in made.text
