"""`KafkaUtils` as Spark's Kafka source: settings, topics, offsets, decoders and receivers."""

from __future__ import annotations

import pytest

from migrator.structured.refusals import Reason
from migrator.structured.rewrite import Rewritten, rewrite

JOB = """import json
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils, TopicAndPartition

{top}
sc = SparkContext(appName="Kafka")
ssc = StreamingContext(sc, 5)
{body}
ssc.start()
ssc.awaitTermination()
"""
SERVERS = '"bootstrap.servers": "b:9092"'


def made(body: str, top: str = "", brokers: str | None = None) -> Rewritten:
    found = rewrite(JOB.format(body=body, top=top), brokers=brokers)
    assert isinstance(found, Rewritten), found
    return found


def options(text: str) -> dict[str, str]:
    """The options of the source, as source."""
    found = {}
    for line in text.splitlines():
        if line.strip().startswith(".option("):
            name, _, value = line.strip().removeprefix(".option(").removesuffix(")").partition(", ")
            found[name.strip('"')] = value
    return found


def direct(arguments: str, top: str = "", tail: str = ".map(lambda kv: kv[1]).pprint()") -> str:
    return made(f"KafkaUtils.createDirectStream(ssc, {arguments}){tail}", top).text


@pytest.mark.parametrize(
    ("settings", "top"),
    [
        (f"{{{SERVERS}, 'group.id': 'g'}}", ""),
        ("dict(PARAMS)", f"PARAMS = {{{SERVERS}}}"),
        ("{**PARAMS, 'enable.auto.commit': 'false'}", f"PARAMS = {{{SERVERS}}}"),
        ("PARAMS", f"PARAMS = dict({{{SERVERS}}})"),
        ("PARAMS", "PARAMS = {'metadata.broker.list': 'b:9092', 'zookeeper.connect': 'z'}"),
        (f"{{{SERVERS}, 'key.deserializer': 'x', 'value.deserializer': 'y'}}", ""),
    ],
)
def test_settings_that_spark_has_itself_are_no_options(settings: str, top: str) -> None:
    found = options(direct(f'["t"], {settings}', top))
    assert {*found} == {"kafka.bootstrap.servers", "subscribe"}
    assert found["kafka.bootstrap.servers"].strip("\"'") == "b:9092"


@pytest.mark.parametrize(
    ("name", "option"),
    [
        ("session.timeout.ms", "kafka.session.timeout.ms"),
        ("security.protocol", "kafka.security.protocol"),
        ("fetch.message.max.bytes", "kafka.max.partition.fetch.bytes"),
    ],
)
def test_settings_of_the_consumer_stay(name: str, option: str) -> None:
    assert options(direct(f'["t"], {{{SERVERS}, "{name}": X}}', "X = sys.argv[1]"))[option] == "X"


@pytest.mark.parametrize(
    ("topics", "subscribe"),
    [
        ('["t"]', '"t"'),
        ('["t", "u"]', '"t,u"'),
        ("[sys.argv[1]]", "sys.argv[1]"),
        ('sys.argv[1].split(",")', "sys.argv[1]"),
        ("TOPICS", '",".join(TOPICS)'),
    ],
)
def test_topics(topics: str, subscribe: str) -> None:
    found = options(direct(f"{topics}, {{{SERVERS}}}", "TOPICS = sys.argv[1:]"))
    assert found["subscribe"] == subscribe


@pytest.mark.parametrize(
    ("reset", "start"),
    [("smallest", '"earliest"'), ("earliest", '"earliest"'), ("largest", None), ("latest", None)],
)
def test_where_reading_starts(reset: str, start: str | None) -> None:
    found = options(direct(f'["t"], {{{SERVERS}, "auto.offset.reset": "{reset}"}}'))
    assert found.get("startingOffsets") == start


def test_offsets_are_assigned_partitions() -> None:
    given = '{TopicAndPartition("t", 0): 5, TopicAndPartition("t", 1): 7}'
    found = options(direct(f'["t"], {{{SERVERS}}}, {given}'))
    assert found["assign"] == """'{"t": [0, 1]}'"""
    assert found["startingOffsets"] == """'{"t": {"0": 5, "1": 7}}'"""
    assert "subscribe" not in found


def test_a_dict_that_only_the_stream_uses_is_gone() -> None:
    body = f"""params = {{{SERVERS}}}
KafkaUtils.createDirectStream(ssc, ["t"], kafkaParams=params).map(lambda kv: kv[1]).pprint()"""
    assert "params" not in made(body).text


def test_a_dict_that_is_used_elsewhere_stays() -> None:
    body = f"""params = {{{SERVERS}}}
print(params)
KafkaUtils.createDirectStream(ssc, ["t"], params).map(lambda kv: kv[1]).pprint()"""
    assert f"params = {{{SERVERS}}}" in made(body).text


def test_a_key_that_is_not_used_is_not_read() -> None:
    text = direct(f'["t"], {{{SERVERS}}}')
    assert '.select(F.decode(F.col("value"), "UTF-8").alias("value"))' in text
    assert 'F.col("key")' not in text


def test_a_key_that_is_used_is_decoded() -> None:
    text = direct(f'["t"], {{{SERVERS}}}', tail=".pprint()")
    assert 'F.decode(F.col("key"), "UTF-8").alias("key")' in text


def test_a_key_that_only_an_output_uses_is_decoded() -> None:
    body = f"""messages = KafkaUtils.createDirectStream(ssc, ["t"], {{{SERVERS}}})
messages.map(lambda kv: kv[1]).pprint()
messages.pprint()"""
    assert 'F.decode(F.col("key"), "UTF-8").alias("key")' in made(body).text


def test_a_decoder_that_gives_the_bytes() -> None:
    text = direct(f'["t"], {{{SERVERS}}}, valueDecoder=lambda data: data')
    assert "decode" not in text


def test_none_raises_where_it_is_split() -> None:
    text = direct(f'["t"], {{{SERVERS}}}', tail=".flatMap(lambda kv: kv[1].split(' ')).pprint()")
    assert "F.raise_error(" in text


RECEIVER = """streams = [KafkaUtils.createStream(ssc, "zk", "g", {topics}) for _ in range({n})]
ssc.union(*streams).map(lambda kv: kv[1]).pprint()"""


@pytest.mark.parametrize("count", ["2", "int(sys.argv[1])"])
def test_receivers_of_one_group_are_one_source(count: str) -> None:
    text = made(RECEIVER.format(topics='{"t": 1}', n=count), brokers="a:9092,b:9092").text
    assert text.count("readStream") == 1
    assert options(text)["kafka.bootstrap.servers"] == '"a:9092,b:9092"'
    assert "streams" not in text.replace("spark.streams", "")


def test_threads_of_receivers_are_no_topics() -> None:
    body = (
        'KafkaUtils.createStream(ssc, "zk", "g", {"t": 2, "u": 1}).map(lambda kv: kv[1]).pprint()'
    )
    assert options(made(body, brokers="b:9092").text)["subscribe"] == '"t,u"'


def test_a_function_that_starts_a_receiver_is_read() -> None:
    top = """def open_stream(ssc, topic):
    return KafkaUtils.createStream(ssc, "zk", "g", {topic: 1})
"""
    body = "open_stream(ssc, sys.argv[1]).map(lambda kv: kv[1]).pprint()"
    text = made(body, top, "b:9092").text
    assert options(text)["subscribe"] == "sys.argv[1]"
    assert "open_stream" not in text


@pytest.mark.parametrize(
    "top",
    [
        "def open_stream(ssc, topic):\n    print(topic)\n"
        '    return KafkaUtils.createStream(ssc, "zk", "g", {topic: 1})',
        "def open_stream(ssc, topic):\n"
        '    return KafkaUtils.createStream(ssc, "zk", "g", {topic + "s": 1})',
        "def open_stream(ssc, topic, *more):\n"
        '    return KafkaUtils.createStream(ssc, "zk", "g", {topic: 1})',
    ],
)
def test_a_function_that_does_more_is_not(top: str) -> None:
    body = "open_stream(ssc, sys.argv[1]).map(lambda kv: kv[1]).pprint()"
    found = rewrite(JOB.format(body=body, top=top), brokers="b:9092")
    assert isinstance(found, Reason)
    assert found.code == "FUNCTION"


def test_receivers_that_differ_are_refused() -> None:
    body = """streams = [KafkaUtils.createStream(ssc, "zk", "g", {str(i): 1}) for i in range(2)]
ssc.union(*streams).pprint()"""
    found = rewrite(JOB.format(body=body, top=""), brokers="b:9092")
    assert isinstance(found, Reason)


def test_united_direct_streams_are_refused() -> None:
    """Each of them reads all records, so one source would give them once only."""
    stream = f'KafkaUtils.createDirectStream(ssc, ["t"], {{{SERVERS}}})'
    body = f"""streams = [{stream} for _ in range(2)]
ssc.union(*streams).pprint()"""
    assert isinstance(rewrite(JOB.format(body=body, top="")), Reason)
