"""Topics of a real broker are recorded without loss, and no consumer group is moved."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from kafka import KafkaAdminClient, KafkaConsumer, TopicPartition

from dstream_compat.testing.recordings import read_batches
from migrator.errors import MigrateError
from migrator.verify import live_sources
from migrator.verify.live_sources import Topic, settings_of
from tests.support.components.kafka import Broker
from tests.support.components.ports import free_ports
from tests.support.fenced import ROOT
from tests.support.migrator.runs import Run
from tests.support.streaming.kafka_fixtures import broker, kafka_cache, topic  # noqa: F401
from tests.support.waiting import wait_for

Migrate = Callable[..., Run]


def opened(servers: str, name: str, **settings: str) -> Topic:
    found = Topic(servers, name, settings)
    found.open()
    return found


def groups(servers: str) -> list[Any]:
    with closing(KafkaAdminClient(bootstrap_servers=servers)) as admin:
        return list(admin.list_groups())


def topics(servers: str) -> list[str]:
    with closing(KafkaAdminClient(bootstrap_servers=servers)) as admin:
        return sorted(admin.list_topics())


def recorder(tmp_path: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "migrator", "record", "--out", str(tmp_path), *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.full
def test_records_from_now_on(broker: Broker, topic: str) -> None:  # noqa: F811
    before = groups(broker.address)
    broker.send(topic, [(None, b"before")])
    one = opened(broker.address, topic)
    assert one.take() == []
    broker.send(topic, [(b"k", b"a b", 0), (None, b"\xff", 0), (b"gone", None, 0)])
    assert one.take() == [["k", "a b"], [None, b"\xff"], ["gone", None]]
    broker.send(topic, [(None, b"1", 0), (None, b"2", 1)])
    assert sorted(one.take()) == [[None, "1"], [None, "2"]]
    broker.send(topic, [(None, b"last")])
    one.close()
    # what came before it was closed is there, once
    assert one.take() == [[None, "last"]]
    assert one.take() == []
    assert one.name == f"kafka:{topic}"
    with pytest.raises(MigrateError, match="no topic 'no-such-topic'"):
        opened(broker.address, "no-such-topic")
    with pytest.raises(MigrateError, match="no setting nonsense"):
        opened(broker.address, topic, nonsense="1")
    assert groups(broker.address) == before
    assert "no-such-topic" not in topics(broker.address)


@pytest.mark.full
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_loses_nothing(
    broker: Broker,  # noqa: F811
    topic: str,  # noqa: F811
    tmp_path: Path,
    number: signal.Signals,
) -> None:
    with closing(KafkaConsumer(bootstrap_servers=broker.address, group_id="job")) as consumer:
        consumer.assign([TopicPartition(topic, 0), TopicPartition(topic, 1)])
        broker.send(topic, [(None, b"read by the job", 0)])
        consumer.seek_to_end()
        wait_for(lambda: consumer.position(TopicPartition(topic, 0)) == 1, "the group has read")
        consumer.commit()
    before = broker.group("job", topic)
    source = f"kafka:{broker.address}/{topic}"
    running = recorder(tmp_path, "--source", source, "--interval", "0.2", "--mask", "user")
    path = tmp_path / "batches.jsonl"
    # its first batch is written when the source is open
    wait_for(lambda: path.exists() and path.read_text().count("\n") > 1, "a batch is there")
    sent = 3000
    broker.send(topic, [(b"%d" % n, b'{"user": "ann", "n": %d}' % n) for n in range(sent)])
    running.send_signal(number)
    out, errors = running.communicate(timeout=60)
    assert running.returncode == 0, errors
    assert f"{sent} records" in out
    name = f"kafka:{topic}"
    given = [
        one for batch in read_batches(tmp_path).batches.values() for one in batch.get(name, [])
    ]
    assert sorted(int(key) for key, _ in given) == list(range(sent))
    assert len({json.loads(value)["user"] for _, value in given}) == 1
    assert "ann" not in path.read_text()
    assert broker.group("job", topic) == before
    assert sorted(one.name for one in tmp_path.iterdir()) == ["batches.jsonl"]


@pytest.mark.full
def test_a_broker_that_goes_away(
    broker: Broker,  # noqa: F811
    topic: str,  # noqa: F811
    tmp_path: Path,
) -> None:
    source = f"kafka:{broker.address}/{topic}"
    running = recorder(tmp_path, "--source", source, "--interval", "0.5")
    errors: list[str] = []
    assert running.stderr is not None
    lines = threading.Thread(target=lambda: errors.extend(running.stderr or ()), daemon=True)
    lines.start()
    path = tmp_path / "batches.jsonl"
    wait_for(lambda: path.exists() and path.read_text().count("\n") > 1, "a batch is there")
    broker.send(topic, [(None, b"one")])
    wait_for(lambda: '"one"' in path.read_text(), "the record is there")
    broker.stop()
    try:
        wait_for(lambda: "does not answer" in "".join(errors), "it says so")
    finally:
        broker.start()
    broker.send(topic, [(None, b"two")])
    wait_for(lambda: '"two"' in path.read_text(), "it reads again")
    wait_for(lambda: "read again in batch" in "".join(errors), "it says that, too")
    running.send_signal(signal.SIGINT)
    assert running.wait(60) == 0
    lines.join(60)
    running.stdout.close()  # type: ignore[union-attr]
    running.stderr.close()
    assert "".join(errors).count("does not answer") == 1
    given = [batch.get(f"kafka:{topic}", []) for batch in read_batches(tmp_path).batches.values()]
    assert [one for batch in given for one in batch] == [[None, "one"], [None, "two"]]


@pytest.mark.full
def test_partitions_that_a_topic_gets(broker: Broker, topic: str) -> None:  # noqa: F811
    one = opened(broker.address, topic)
    broker.send(topic, [(None, b"old", 0)])
    broker.grow(topic, 3)
    broker.send(topic, [(None, b"new", 2)])
    found: list[Any] = []

    def has_both() -> bool:
        found.extend(one.take())
        return len(found) >= 2

    wait_for(has_both, "the new partition is read from its beginning")
    assert sorted(found) == [[None, "new"], [None, "old"]]
    broker.delete_before(topic, 0, 1)
    broker.send(topic, [(None, b"after", 0)])
    assert one.take() == [[None, "after"]]
    one.close()


@pytest.mark.full
def test_shadow_mode(
    broker: Broker,  # noqa: F811
    topic: str,  # noqa: F811
    migrate: Migrate,
    tmp_path: Path,
) -> None:
    before = groups(broker.address)
    ended = threading.Event()

    def feed() -> None:
        while not ended.wait(0.1):
            broker.send(topic, [(None, b"to be or"), (b"k", b"not to be")])

    feeding = threading.Thread(target=feed)
    feeding.start()
    try:
        job = ROOT / "legacy_examples" / "direct_kafka_wordcount.py"
        run = migrate(
            *("verify", job, "--live", "--batches", "3", "--interval", "1"),
            *("--out", tmp_path / "out", "--", broker.address, topic),
        )
    finally:
        ended.set()
        feeding.join()
    assert run.code == 0, run.out + run.err
    assert "equal" in run.out
    verdict = json.loads((tmp_path / "out" / "verdict.json").read_text())
    assert verdict["records"] > 0
    assert groups(broker.address) == before


def test_no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_sources, "_KAFKA_SECONDS", 0.2)
    (port,) = free_ports(1)
    with pytest.raises(MigrateError, match=f"Kafka at 127.0.0.1:{port}.*bootstrap"):
        opened(f"127.0.0.1:{port}", "t")


def test_no_client(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "kafka", None)
    with pytest.raises(MigrateError, match=r"pip install 'dstream-compat\[record\]'"):
        opened("127.0.0.1:1", "t")


def test_settings(tmp_path: Path) -> None:
    path = tmp_path / "client.properties"
    path.write_text("# mine\n\nsecurity.protocol = SASL_SSL\nsasl_plain_password=a=b\n")
    assert settings_of(path) == {"security_protocol": "SASL_SSL", "sasl_plain_password": "a=b"}


@pytest.mark.parametrize(
    ("text", "says"),
    [("group.id=job", "line 1: group_id is set"), ("\nnothing", "line 2: nothing has no =")],
)
def test_settings_that_cannot_be_given(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "client.properties"
    path.write_text(text)
    with pytest.raises(MigrateError, match=says):
        settings_of(path)
    with pytest.raises(MigrateError, match="cannot read"):
        settings_of(tmp_path / "none")
