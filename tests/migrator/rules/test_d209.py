"""Values of kafkaParams that are no strings."""

from __future__ import annotations

import pytest

from tests.support.migrator.fixes import fixed_text
from tests.support.migrator.reports import CONTEXT, report

KAFKA = CONTEXT + "from pyspark.streaming.kafka import KafkaUtils\n"
CALL = "KafkaUtils.createDirectStream(ssc, ['t'], %s).pprint()\n"
DIRECT = KAFKA + CALL
LIST = '{"metadata.broker.list": ["a:1", "b:2"]}'
BROKERS = '"metadata.broker.list": "a:1,b:2"'


def found(source: str) -> list[tuple[str, bool]]:
    """Return the messages of the rule, and whether there is a fix."""
    return [(f.message, f.fix is not None) for f in report(source).findings if f.code == "D209"]


FIXED = [
    (DIRECT % LIST, BROKERS),
    (DIRECT % '{"metadata.broker.list": ("a:1", "b:2",)}', BROKERS),
    (DIRECT % '{"metadata.broker.list": ["a:1"], "x": "y"}', '"metadata.broker.list": "a:1"'),
    (DIRECT % '{"fetch.message.max.bytes": 1024}', '"fetch.message.max.bytes": "1024"'),
    (DIRECT % '{"max.poll.records": -1}', '"max.poll.records": "-1"'),
    (DIRECT % '{"enable.auto.commit": False}', '"enable.auto.commit": "false"'),
    (DIRECT % f"dict({LIST}, a='b')", BROKERS),
    (DIRECT % f'{{**params, "a": "b", {LIST[1:]}', BROKERS),
    (KAFKA + f"p = {LIST}\nKafkaUtils.createDirectStream(ssc, ['t'], p).pprint()\n", BROKERS),
    (KAFKA + f"KafkaUtils.createRDD(sc, kafkaParams={LIST}, offsetRanges=[])\n", BROKERS),
    (KAFKA + f"KafkaUtils.createStream(ssc, z, g, {{'t': 1}}, {LIST}).pprint()\n", BROKERS),
]


@pytest.mark.parametrize(("source", "written"), FIXED)
def test_values_that_are_written_here_are_fixed(source: str, written: str) -> None:
    (one,) = found(source)
    assert one[1], one
    result = fixed_text("job.py", source)
    assert written in result
    compile(result, "job.py", "exec")
    assert found(result) == []
    crlf = fixed_text("job.py", source.replace("\n", "\r\n"))
    assert crlf == result.replace("\n", "\r\n")


REPORTED = [
    (DIRECT % '{"metadata.broker.list": [host + ":1"]}', "list"),
    (DIRECT % '{"metadata.broker.list": [f"{h}:1" for h in hosts]}', "list"),
    (DIRECT % '{"metadata.broker.list": []}', "list"),
    (DIRECT % '{"group.id": None}', "NoneType"),
    (DIRECT % '{"group.id": b"g"}', "bytes"),
    (KAFKA + "b = ['a:1']\n" + CALL % '{"metadata.broker.list": b}', "collection"),
    (KAFKA + f"p = {LIST}\nother(p)\n" + CALL % "p", "list"),
    (KAFKA + "p = {}\np['bootstrap.servers'] = ['a:1']\n" + CALL % "p", "collection"),
]


@pytest.mark.parametrize(("source", "given"), REPORTED)
def test_other_values_are_reported(source: str, given: str) -> None:
    ((message, fixed),) = found(source)
    assert f"is of type {given}, where Kafka takes strings only" in message
    assert not fixed


SILENT = [
    DIRECT % '{"metadata.broker.list": "a:1,b:2"}',
    DIRECT % '{"metadata.broker.list": ",".join(["a:1"])}',
    DIRECT % '{"metadata.broker.list": brokers}',
    DIRECT % '{"fetch.message.max.bytes": str(1024)}',
    DIRECT % '{"group.id": f"g{1}"}',
    DIRECT % '{"group.id": 1, "group.id": "g"}',
    DIRECT % '{"group.id": 1, **params}',
    DIRECT % "params",
    DIRECT % "{}",
    DIRECT % f"{LIST}[x]",
    KAFKA + f"p = {LIST}\nother(p)\n",
    KAFKA + f"p = {LIST}\np = read()\n" + CALL % "p",
    KAFKA + f"def f(p={LIST}):\n    return p\n",
    KAFKA + f"KafkaUtils.createDirectStream(*args, {LIST})\n",
    f"from lib import KafkaUtils\nKafkaUtils.createDirectStream(ssc, ['t'], {LIST})  # DStream\n",
    f"class KafkaUtils: pass\nKafkaUtils.createDirectStream(ssc, ['t'], {LIST})  # DStream\n",
    f"from kafka import KafkaConsumer\nKafkaConsumer('t', {LIST})  # DStream\n",
    f"# KafkaUtils.createDirectStream(ssc, ['t'], {LIST})  DStream\n",
]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert found(source) == []


def test_each_value_is_reported_at_its_line() -> None:
    source = DIRECT % '{\n    "a": 1,\n    "b": "x",\n    "c": True,\n}'
    lines = [f.at.line for f in report(source).findings if f.code == "D209"]
    first = KAFKA.count("\n") + 1
    assert lines == [first + 1, first + 3]
