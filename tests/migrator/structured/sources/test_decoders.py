"""Decoders of Kafka in code of batches, topics of dicts, and offsets that the job has read."""

from __future__ import annotations

import pytest

from migrator.spark.since import NEWEST, Version
from migrator.structured.reading.offset_ranges import KEPT
from migrator.structured.refusals import Reason
from migrator.structured.rewrite import Rewritten, rewrite

KAFKA = "pyspark.streaming.kafka import utf8_decoder"
JOB = """import json
from pyspark import SparkContext, TaskContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils, TopicAndPartition
{head}
ssc = StreamingContext(SparkContext(), 1)
messages = KafkaUtils.createDirectStream(ssc, {topics}, {{"bootstrap.servers": "b:1"}}{more})
{code}
ssc.start()
ssc.awaitTermination()
"""


def rewritten(
    more: str = "",
    head: str = "",
    topics: str = "['t']",
    code: str = "messages.glom().pprint()",
    spark: Version = NEWEST,
) -> Rewritten | Reason | None:
    text = JOB.format(head=head, topics=topics, more=more, code=code)
    return rewrite(text, unsafe=True, batch_code=True, spark=spark)


@pytest.mark.parametrize(
    ("decoder", "head", "expected"),
    [
        ("utf8_decoder", f"from {KAFKA}", "lambda row: (row.key, row.value)"),
        ("lambda m: json.loads(m)", "", "lambda row: (row.key, json.loads(row.value))"),
        ("json.loads", "", "lambda row: (row.key, json.loads(row.value))"),
        # names of the job
        (
            "lambda m: json.loads(m)[row]",
            "row = 'x'",
            "lambda record_row: (record_row.key, (json.loads(record_row.value)[row]))",
        ),
        (
            "lambda m: [row for row in json.loads(m)]",
            "",
            "lambda record_row: (record_row.key, ([row for row in json.loads(record_row.value)]))",
        ),
        # none of PySpark's
        (
            "utf8_decoder",
            "from mine import utf8_decoder",
            "lambda row: (row.key, utf8_decoder(row.value))",
        ),
    ],
)
def test_decoders(decoder: str, head: str, expected: str) -> None:
    made = rewritten(f", valueDecoder={decoder}", head)
    assert isinstance(made, Rewritten), made
    assert expected in made.text


@pytest.mark.parametrize(
    ("decoder", "is_told"),
    [
        ("lambda data: data", True),
        ("lambda data: data + b'.'", True),
        ("str", True),
        ("shown", True),
        ("bytes", False),
        ("lambda data: None if data is None else json.loads(str(data, 'utf-8'))", False),
        ("read", False),
    ],
)
def test_decoders_are_given_bytes(decoder: str, is_told: bool) -> None:
    head = """
def shown(data):
    return str(data)


def read(data):
    if not data:
        return len(data)
    return json.loads(data.decode("utf-8"))
"""
    newer, older = (rewritten(f", valueDecoder={decoder}", head, spark=e) for e in (NEWEST, (3, 5)))
    assert isinstance(newer, Rewritten) and isinstance(older, Rewritten), (newer, older)
    assert "bytes_of" not in newer.text
    assert (newer.spark >= (4, 1)) is is_told
    assert ("bytes_of(row.value)" in older.text) is is_told
    assert older.spark <= (3, 5)


@pytest.mark.parametrize(
    ("topics", "expected"),
    [
        ("['a', 'b']", '"a,b"'),
        ("[name]", "name"),
        ("[*names]", '",".join([*names])'),
        ("names", '",".join(names)'),
    ],
)
def test_topics(topics: str, expected: str) -> None:
    made = rewritten(head="name, names = 'a', ['a']", topics=topics)
    assert isinstance(made, Rewritten), made
    assert f'.option("subscribe", {expected})' in made.text


def test_offsets_of_a_run() -> None:
    made = rewritten(", fromOffsets=offsets", "offsets = {TopicAndPartition('t', n): 1 for n in X}")
    assert isinstance(made, Rewritten), made
    assert "offsets = {('t', n): 1 for n in X}\n" in made.text
    assert """.options(**kafka_start(['t'], offsets, "latest"))""" in made.text


READS = """def keep(rdd):
    for each in rdd.offsetRanges():
        print(each.untilOffset)


messages.foreachRDD(keep)"""


def test_ranges_go_on_where_the_job_begins() -> None:
    head = "offsets = {TopicAndPartition('t', n): 1 for n in X}"
    reads, others = (
        rewritten(", fromOffsets=offsets", head, code=code) for code in (READS, "messages.pprint()")
    )
    assert isinstance(reads, Rewritten) and isinstance(others, Rewritten), (reads, others)
    assert "kafka_ends[stream] = {**offsets}" in reads.text
    assert """kafka_start(['t'], offsets, "latest", "messages"))""" in reads.text
    assert "kafka_ends" not in others.text


def test_ranges_begin_with_offsets_in_the_code() -> None:
    made = rewritten(", fromOffsets={TopicAndPartition('t', 0): 5}", code=READS)
    assert isinstance(made, Rewritten), made
    assert """kafka_start(['t'], {('t', 0): 5}, "latest", "messages"))""" in made.text


def test_streams_have_offsets_of_their_own() -> None:
    call = "KafkaUtils.createDirectStream(ssc, ['u'], {'bootstrap.servers': 'b:1'})"
    other = READS.replace("keep", "keep_other")
    made = rewritten(code=f"{READS}\nmessages = {call}\n{other}")
    assert isinstance(made, Rewritten), made
    assert 'IS NULL"), "messages")' in made.text
    assert 'IS NULL"), "messages_2")' in made.text


@pytest.mark.parametrize("offsets", ["", ", fromOffsets=None", ", fromOffsets={}"])
def test_ranges_that_are_kept_need_code_of_batches(offsets: str) -> None:
    text = JOB.format(head="", topics="['t']", more=offsets, code=READS)
    made = rewrite(text, unsafe=True)
    if offsets.endswith("{}"):
        assert isinstance(made, Reason)
        assert made.text == KEPT
    else:
        assert isinstance(made, Rewritten), made


@pytest.mark.parametrize(
    ("head", "more", "code", "reason"),
    [
        # a pair prints otherwise
        ("first = TopicAndPartition('t', 0)\nprint(first)", ", {first: 1}", "", "OFFSETS"),
        (
            "",
            "",
            "messages.foreachRDD(lambda rdd: rdd.offsetRanges()[TaskContext.get().partitionId()])",
            "OFFSET_RANGES",
        ),
        (
            "",
            "",
            "messages.map(len).foreachRDD(print)\nprint(TopicAndPartition.offsetRanges)",
            "PARAMETERS",
        ),
    ],
)
def test_what_stays(head: str, more: str, code: str, reason: str) -> None:
    made = rewritten(more, head, code=code or "messages.glom().pprint()")
    assert isinstance(made, Reason)
    assert made.code == reason
