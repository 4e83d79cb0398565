"""Several receivers of one group are one source, and functions that start one are read."""

from __future__ import annotations

import pytest

from migrator.structured.refusals import Reason
from migrator.structured.rewrite import rewrite
from tests.support.structured.kafka_jobs import JOB, SERVERS, made, options

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


def test_what_a_function_does_besides_stays() -> None:
    top = """def open_stream(ssc, topic):
    print(topic)
    return KafkaUtils.createStream(ssc, "zk", "g", {topic + "s": 1})
"""
    text = made("open_stream(ssc, sys.argv[1]).map(lambda kv: kv[1]).pprint()", top, "b:9092").text
    assert "topic = sys.argv[1]\nprint(topic)\n" in text
    assert options(text)["subscribe"] == 'topic + "s"'


def test_a_function_with_more_arguments_is_not_read() -> None:
    top = """def open_stream(ssc, topic, *more):
    return KafkaUtils.createStream(ssc, "zk", "g", {topic: 1})
"""
    body = "open_stream(ssc, sys.argv[1]).map(lambda kv: kv[1]).pprint()"
    found = rewrite(JOB.format(body=body, top=top), brokers="b:9092")
    assert isinstance(found, Reason)
    assert found.code == "FUNCTION"


@pytest.mark.parametrize("other", ["g", "h"])
def test_receivers_of_several_topics_or_groups_are_several_sources(other: str) -> None:
    topics = ("t", "u") if other == "g" else ("t", "t")
    body = f"""streams = []
for group, topic in [("g", "{topics[0]}"), ("{other}", "{topics[1]}")]:
    streams.append(KafkaUtils.createStream(ssc, "zk", group, {{topic: 1}}))
ssc.union(*streams).map(lambda kv: kv[1]).pprint()"""
    text = made(body, brokers="b:9092").text
    assert text.count("readStream") == 2
    assert text.count(".union(") == 1


def test_receivers_that_share_a_topic_are_no_several_sources() -> None:
    """Each record goes to one of them; two sources would read it twice."""
    one = 'KafkaUtils.createStream(ssc, "zk", "g", {"t": 1})'
    body = f"first = {one}\nsecond = {one}\nfirst.union(second).pprint()"
    found = rewrite(JOB.format(body=body, top=""), brokers="b:9092")
    assert isinstance(found, Reason)
    assert found.code == "GROUP"
    united = f"first = {one}\nsecond = {one}\nssc.union(first, second).pprint()"
    assert made(united, brokers="b:9092").text.count("readStream") == 1


def test_united_direct_streams_are_several_sources() -> None:
    """Each of them reads all records, so one source would give them once only."""
    stream = f'KafkaUtils.createDirectStream(ssc, ["t"], {{{SERVERS}}})'
    body = f"""streams = [{stream} for _ in range(2)]
ssc.union(*streams).pprint()"""
    assert made(body).text.count("readStream") == 2
