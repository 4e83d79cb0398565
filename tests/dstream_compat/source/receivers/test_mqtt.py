"""MQTT, with a real broker; without Spark where none is needed."""

from __future__ import annotations

import base64
import hashlib
import os
import pickle
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import trustme
from pyspark import SparkContext

from dstream_compat import StreamingContext
from dstream_compat.exceptions import MissingDependencyError
from dstream_compat.mqtt import MQTTUtils
from dstream_compat.source.receivers.mqtt import PAIRS, TEXT, MQTTReceiver, MQTTSource
from dstream_compat.source.receivers.mqtt_connection import address_of
from dstream_compat.testing import ManualClock
from tests.support.streaming.broker import Broker, Publisher
from tests.support.streaming.differential import Recorder
from tests.support.streaming.receiving import receiving
from tests.support.waiting import wait_for


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    made = Broker(tmp_path)
    yield made
    made.stop()


@pytest.fixture
def publish(broker: Broker) -> Iterator[Callable[..., None]]:
    publisher = Publisher(broker)
    yield publisher.publish
    publisher.close()


def source(broker: Broker, *topics: str, elements: str = TEXT) -> MQTTSource:
    return MQTTSource("mqtt", broker.url, topics or ("words",), elements, 4)


def test_messages_are_text_in_the_interval_of_their_arrival(
    broker: Broker, publish: Callable[..., None]
) -> None:
    with receiving(source(broker)) as job:
        broker.await_subscriber()
        publish("words", "one line\nand another")
        publish("words", "żółć")
        publish("words", b"\xff not UTF-8", qos=0)
        publish("words", "")
        publish("others", "not subscribed")
        job.received(4)
        assert job.batch() == [["one line\nand another", "żółć", "� not UTF-8", ""]]
        assert job.batch() == [], "without messages there is no partition"
        publish("words", "twice", qos=2)
        job.received(1)
        assert job.batches(2) == [[["twice"]], []]
    assert job.told.events == [("started", "", ""), ("stopped", "Stopped by driver", "")]


def test_pairs_and_wildcards(broker: Broker, publish: Callable[..., None]) -> None:
    with receiving(source(broker, "a/+", "b/#", elements=PAIRS)) as job:
        assert job.receiver.receiver == "MQTTPairReceiver"
        broker.await_subscriber()
        for topic in ("a/x", "a/x/y", "b/x/y", "c"):
            publish(topic, "hello")
        job.received(2)
        assert job.batch() == [[("a/x", "hello"), ("b/x/y", "hello")]]


def test_broker_that_goes_and_comes(
    broker: Broker, publish: Callable[..., None], caplog: pytest.LogCaptureFixture
) -> None:
    with receiving(source(broker)) as job:
        broker.await_subscriber()
        broker.stop()
        wait_for(lambda: len(job.told.messages()) > 2, "attempts to connect")
        broker.start()
        broker.await_subscriber(2)
        late = Publisher(broker)
        late.publish("words", "after the break")
        late.close()
        job.received(1)
    messages = job.told.messages()
    assert messages[0] == "Restarting receiver with delay 50ms: Connection lost "
    assert messages[1] == "Error starting receiver 0"
    assert job.told.events[-1] == ("stopped", "Stopped by driver", "")
    assert "the connection ended" in caplog.text
    assert "trying again every 0.05 s" in caplog.text


def test_subscription_that_is_refused(tmp_path: Path) -> None:
    broker = Broker(tmp_path, ["allow_anonymous false"])
    try:
        with receiving(source(broker)) as job:
            wait_for(lambda: len(job.told.messages()) > 0, "a refusal")
    finally:
        broker.stop()
    kind, message, error = job.told.events[1]
    assert (kind, message) == ("stopped", "Error starting receiver 0")
    assert "the broker refuses the connection: Not authorized" in error


def password_hash(password: str) -> str:
    """Return a password as mosquitto keeps it: PBKDF2 with SHA-512, the rounds, the salt."""
    salt, rounds = os.urandom(12), 101
    key = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, rounds)
    return f"$7${rounds}${base64.b64encode(salt).decode()}${base64.b64encode(key).decode()}"


def test_broker_that_asks_for_a_password(tmp_path: Path) -> None:
    known = tmp_path / "known"
    known.write_text(f"ann:{password_hash('secret')}\n")
    known.chmod(0o600)
    broker = Broker(tmp_path, ["allow_anonymous false", f"password_file {known}"])
    try:
        login = MQTTSource("mqtt", broker.url, ("words",), TEXT, 1, ("ann", "secret"))
        with receiving(pickle.loads(pickle.dumps(login))) as job:
            broker.await_subscriber()
        assert job.told.messages() == ["Stopped by driver"]
        wrong = MQTTSource("mqtt", broker.url, ("words",), TEXT, 1, ("ann", "wrong"))
        with receiving(wrong) as job:
            wait_for(lambda: len(job.told.messages()) > 0, "a refusal")
        assert "Not authorized" in job.told.events[1][2]
    finally:
        broker.stop()


def test_encrypted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    authority = trustme.CA()
    own = authority.issue_cert("localhost", "127.0.0.1")
    own.private_key_pem.write_to_path(str(tmp_path / "key.pem"))
    own.cert_chain_pems[0].write_to_path(str(tmp_path / "cert.pem"))
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    files = [f"certfile {tmp_path / 'cert.pem'}", f"keyfile {tmp_path / 'key.pem'}"]
    broker = Broker(tmp_path, files)
    url = broker.url.replace("tcp:", "ssl:")
    try:
        with receiving(MQTTSource("mqtt", url, ("words",), TEXT, 1)) as job:
            wait_for(lambda: job.told.messages(), "a refusal")
        assert "certificate verify failed" in job.told.events[1][2]
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
        with receiving(MQTTSource("mqtt", url, ("words",), TEXT, 1)) as job:
            broker.await_subscriber()
        assert job.told.messages() == ["Stopped by driver"]
    finally:
        broker.stop()


def test_a_saved_source_receives_again(broker: Broker, publish: Callable[..., None]) -> None:
    saved = pickle.dumps(source(broker, "x", elements=PAIRS))
    with receiving(pickle.loads(saved)) as job:
        broker.await_subscriber()
        publish("x", "still")
        job.received(1)
        assert job.batch() == [[("x", "still")]]


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("tcp://broker", ("tcp", "broker", 1883)),
        ("tcp://broker:99/", ("tcp", "broker", 99)),
        ("ssl://[::1]", ("ssl", "::1", 8883)),
    ],
)
def test_urls(url: str, address: tuple[str, str, int]) -> None:
    assert address_of(url) == address


@pytest.mark.parametrize(
    "url", ["broker:1883", "localhost", "http://broker", "tcp://", "tcp://b:x", "tcp://b:1/path"]
)
def test_urls_of_other_kinds_are_refused_at_definition(url: str) -> None:
    with pytest.raises(ValueError, match="broker"):
        MQTTSource("mqtt", url, ("words",), TEXT, 1)


@pytest.mark.parametrize("url", ["http://ann:hunter2@broker", "tcp://ann:hunter2@broker:x"])
def test_errors_show_no_password(url: str) -> None:
    with pytest.raises(ValueError, match="broker") as refused:
        address_of(url)
    assert "hunter2" not in str(refused.value)


@pytest.mark.slow
def test_streams(sc: SparkContext, broker: Broker, publish: Callable[..., None]) -> None:
    ssc, recorder = StreamingContext(sc, 1), Recorder()
    words = MQTTUtils.createStream(ssc, broker.url, "words")
    pairs = MQTTUtils.createPairedStream(ssc, broker.url, ["words", "objects"])
    objects = MQTTUtils.createPickleStream(ssc, broker.url, "objects")
    words.flatMap(str.split).countByValue().foreachRDD(recorder.output("words"))
    pairs.map(lambda pair: pair[0]).foreachRDD(recorder.output("pairs"))
    objects.foreachRDD(recorder.output("objects"))
    words.foreachRDD(recorder.last())
    ssc.start()
    try:
        broker.await_subscriber(3)
        publish("words", "a b a")
        publish("objects", pickle.dumps({"x": 1}, 0))
        publish("objects", b"no pickle")
        assert ssc._job is not None
        for receiver, count in zip(ssc._job.inputs, (1, 3, 2), strict=True):
            assert isinstance(receiver, MQTTReceiver)
            wait_for(lambda r=receiver, n=count: r.count_received() == n, "the messages")
        clock = ManualClock(ssc)
        clock.advance(1)
        recorder.wait(1)
    finally:
        ssc.stop(stopSparkContext=False)
    results = {name: outcome.batches[1.0] for name, outcome in recorder.outcomes.items()}
    assert sorted(record for part in results["words"] for record in part) == [("a", 2), ("b", 1)]
    assert [sorted(part) for part in results["pairs"]] == [["objects", "objects", "words"]]
    assert "UnpicklingError" in results["objects"], "what cannot be decoded fails its batch"


@pytest.mark.slow
def test_what_is_wrong_is_said_at_once(sc: SparkContext, monkeypatch: pytest.MonkeyPatch) -> None:
    ssc = StreamingContext(sc, 1)
    with pytest.raises(ValueError, match="not the URL of an MQTT broker"):
        MQTTUtils.createStream(ssc, "localhost:1883", "words")
    with pytest.raises(ValueError, match="a list of topics"):
        MQTTUtils.createPairedStream(ssc, "tcp://localhost", "words")
    monkeypatch.setitem(sys.modules, "paho.mqtt.client", None)
    with pytest.raises(MissingDependencyError, match=r"dstream-compat\[mqtt\]"):
        MQTTUtils.createStream(ssc, "tcp://localhost", "words")
