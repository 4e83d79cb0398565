"""Topics of MQTT: which jobs move with consent, and that the result reads a real broker."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from migrator.structured.refusals import Reason
from migrator.structured.rewrite import Rewritten, rewrite
from tests.support.legacy.harness import environment
from tests.support.streaming.broker import Broker, Publisher
from tests.support.waiting import wait_for

JOB = """
from pyspark import SparkConf, SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.mqtt import MQTTUtils

conf = SparkConf().setMaster("local[2]").setAppName("job"){more}
sc = SparkContext(conf=conf)
ssc = StreamingContext(sc, 1)
lines = MQTTUtils.{create}
lines.map(lambda line: line.upper()).pprint()
ssc.start()
ssc.awaitTermination()
"""
TOPIC = 'createStream(ssc, "{url}", "rooms/+")'
URL = "tcp://localhost:1883"
LOG = '.set("spark.streaming.receiver.writeAheadLog.enable", "true")'


def rewritten(
    create: str = TOPIC.format(url=URL), more: str = "", unsafe: bool = True
) -> Rewritten | Reason | None:
    return rewrite(JOB.format(create=create, more=more), unsafe=unsafe, batch_code=True)


@pytest.mark.parametrize(
    "create",
    [
        f'createStream(ssc, "{URL}", "a")',
        f'createStream(ssc, brokerUrl="{URL}", topic="a")',
        f'createStream(ssc, "{URL}", "a", None)',
    ],
)
def test_moves_with_consent(create: str) -> None:
    found = rewritten(create)
    assert isinstance(found, Rewritten)
    assert f'messages = mqtt_messages("{URL}", "a")' in found.text
    assert any("messages of a batch that fails" in each for each in found.differences)
    safe = rewritten(create, unsafe=False)
    assert isinstance(safe, Reason)
    assert (safe.code, "`paho-mqtt` 2" in safe.text) == ("MQTT", True)


def test_arguments_are_computed_where_they_were() -> None:
    head = 'host = "localhost"\n\n\ndef other():\n    global host\n    host = "elsewhere"\n\n\n'
    text = JOB.format(create='createStream(ssc, "tcp://" + host, "a")', more="")
    found = rewrite(head + text, unsafe=True, batch_code=True)
    assert isinstance(found, Rewritten), found
    assert 'messages = mqtt_messages("tcp://" + host, "a")' in found.text


@pytest.mark.parametrize(
    ("create", "more", "words"),
    [
        (TOPIC.format(url=URL), LOG, "by a write-ahead log; no source of Spark reads MQTT"),
        (f'createPairedStream(ssc, "{URL}", ["a"])', "", "no source of Spark reads MQTT"),
        (f'createStream(ssc, "{URL}", "a", "user", "secret")', "", "createStream"),
        ("createStream(*[ssc, 'u', 't'])", "", "createStream"),
    ],
)
def test_stays(create: str, more: str, words: str) -> None:
    found = rewritten(create, more)
    assert isinstance(found, Reason), found
    assert words in found.text


def test_stays_no_dataframe() -> None:
    found = rewrite(JOB.format(create=TOPIC.format(url=URL), more=""), unsafe=True)
    assert isinstance(found, Reason)
    assert "bridge the broker's topics to Kafka" in found.text


@pytest.mark.slow
def test_reads_a_broker(tmp_path: Path) -> None:
    broker = Broker(tmp_path)
    made = rewritten(TOPIC.format(url=broker.url))
    assert isinstance(made, Rewritten)
    command = [sys.executable, str(tmp_path / "job.py")]
    job, output = tmp_path / "job.py", tmp_path / "output"
    job.write_text(made.text)
    with output.open("wb") as out, (tmp_path / "errors").open("wb") as err:
        process = subprocess.Popen(
            command, stdout=out, stderr=err, cwd=tmp_path, env=environment("spark")
        )
        try:
            broker.await_subscriber()
            publisher = Publisher(broker)
            publisher.publish("rooms/hall", "t=20")
            wait_for(lambda: "T=20" in output.read_text(), "the first message")
            # it connects and subscribes again
            broker.stop()
            broker.start()
            broker.await_subscriber(2)
            second = Publisher(broker)
            second.publish("rooms/cellar", "t=11")
            second.publish("kitchen", "t=0")
            second.publish("rooms/cellar", b"\xff")
            wait_for(lambda: "\N{REPLACEMENT CHARACTER}" in output.read_text("utf-8"), "the last")
            publisher.close()
            second.close()
            assert process.poll() is None, (tmp_path / "errors").read_text()
        finally:
            process.terminate()
            process.wait(60)
            broker.stop()
    assert output.read_text("utf-8").split() == ["T=20", "T=11", "\N{REPLACEMENT CHARACTER}"]
