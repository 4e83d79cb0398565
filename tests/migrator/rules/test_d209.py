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
    (KAFKA + "b = ['a:1']\n" + CALL % '{"metadata.broker.list": b}', "list"),
    (KAFKA + f"p = {LIST}\nprint(p, p['x'], p.get('y'))\n" + CALL % "p", "list"),
    (KAFKA + "p = {}\np['bootstrap.servers'] = ['a:1']\n" + CALL % "p", "list"),
    (KAFKA + "p = {}\np['bootstrap.servers'] = ['a:1']\n" + CALL % "p" + CALL % "p", "list"),
    (DIRECT % '{"a": None, **{"y": "2"}}', "NoneType"),
    (DIRECT % '{"y": 1, "a": None, **{"y": "2"}}', "NoneType"),
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
    DIRECT % '{"group.id": ["g"], **params}',
    DIRECT % '{"group.id": 1, **{"group.id": "g"}}',
    DIRECT % '{"group.id": 1, **{"x": "y", **params}}',
    KAFKA + f"p = {LIST}\nother(p)\n" + CALL % "p",
    *(
        KAFKA + "q = {'a': 'b', 'x': 1000, 'y': ['a:1']}\n" + change + CALL % "q"
        for change in (
            "q['x'] = str(q['x'])\nq['y'] = ','.join(q['y'])\n",
            "q['y'] = 'a:1'\n",
            "q.update(x='1', y='a:1')\n",
            "q.update(texts())\n",
            "for k in q:\n    q[k] = ','.join(q[k])\n",
            "r = q\nr['x'] = r['y'] = 'z'\n",
            "if x:\n    q['y'] = 'z'\n",
            "def clean(p):\n    p['y'] = 'z'\nclean(q)\n",
            "q = {k: str(v) for k, v in q.items()}\n",
        )
    ),
    KAFKA + "q = {'y': ['a']}\nq.update(z())\n" + CALL % "{**q}",
    KAFKA + "q = {'y': ['a']}\nq.update(z())\n" + CALL % "dict(q)",
    KAFKA + "def run(p):\n    " + CALL % "p" + "q = {'y': ['a']}\nq.update(z())\nrun(q)\n",
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


def test_a_value_that_two_streams_get_is_reported_once() -> None:
    source = KAFKA + f"p = {LIST}\n" + CALL % "p" + CALL % "p"
    assert [fixed for _, fixed in found(source)] == [True]
    assert BROKERS in fixed_text("job.py", source)
    run = "def run%d():\n    p = {}\n    p['a'] = ['b']\n    " + CALL.replace("%s", "p")
    assert len(found(KAFKA + run % 1 + run % 2)) == 2
    assert len(found(DIRECT % LIST + CALL % LIST)) == 2


def test_what_is_put_in_between_hides_no_value() -> None:
    source = DIRECT % '{"fetch.max.bytes": 100, "x": None, **{"y": 2}}'
    assert [message.split("`")[1] for message, _ in found(source)] == ["fetch.max.bytes", "x", "y"]


def test_each_value_is_reported_at_its_line() -> None:
    source = DIRECT % '{\n    "a": 1,\n    "b": "x",\n    "c": True,\n}'
    lines = [f.at.line for f in report(source).findings if f.code == "D209"]
    first = KAFKA.count("\n") + 1
    assert lines == [first + 1, first + 3]
