"""Streams and recordings of a broker with TLS and passwords."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from pyspark import SparkContext

from dstream_compat.kafka import KafkaUtils
from dstream_compat.source.kafka.params import source_options
from dstream_compat.spark.sessions import reading_session
from migrator.errors import MigrateError
from migrator.verify.live_sources import Topic, settings_of
from tests.support.components.certificates import Certificates, certificates
from tests.support.components.kafka import PASSWORD, USER, Broker
from tests.support.streaming.kafka_fixtures import (  # noqa: F401
    broker_jars,
    connector,
    kafka_cache,
    kafka_sc,
    topic,
)
from tests.support.streaming.stepwise import Run

pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def identity(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    return certificates(tmp_path_factory.mktemp("certificates"))


@pytest.fixture(scope="module")
def broker(
    broker_jars: list[Path],  # noqa: F811
    identity: Certificates,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Broker]:
    folder = tmp_path_factory.mktemp("kafka")
    made = Broker(broker_jars, folder, identity.server)
    try:
        made.start()
        yield made
    finally:
        made.stop()


def params(broker: Broker, identity: Certificates, password: str = PASSWORD) -> dict[str, str]:
    return {
        "bootstrap.servers": broker.secured,
        "auto.offset.reset": "smallest",
        "security.protocol": "SASL_SSL",
        "sasl.mechanism": "PLAIN",
        "sasl.jaas.config": "org.apache.kafka.common.security.plain.PlainLoginModule required "
        f'username="{USER}" password="{password}";',
        "ssl.truststore.type": "PEM",
        "ssl.truststore.location": str(identity.authority),
    }


def test_a_direct_stream(
    kafka_sc: SparkContext,  # noqa: F811
    broker: Broker,
    topic: str,  # noqa: F811
    identity: Certificates,
) -> None:
    with Run(kafka_sc) as run:
        given = params(broker, identity)
        run.keep("all", KafkaUtils.createDirectStream(run.ssc, [topic], given))
        run.start()
        broker.send(topic, [(b"k", b"a", 0), (None, b"b", 1)])
        run.advance()
    assert sorted(run.batches("all")[0], key=str) == [("k", "a"), (None, "b")]


def test_a_stream_of_a_group_stores_where_it_stands(
    kafka_sc: SparkContext,  # noqa: F811
    broker: Broker,
    topic: str,  # noqa: F811
    identity: Certificates,
) -> None:
    group = f"g-{topic}"
    with Run(kafka_sc) as run:
        given = params(broker, identity)
        stream = KafkaUtils.createStream(run.ssc, "", group, {topic: 1}, given)
        run.keep("all", stream)
        run.start()
        broker.send(topic, [(b"k", b"a", 0), (None, b"b", 0)])
        run.advance()
        run.advance()
    found = [record for batch in run.batches("all") for record in batch]
    assert sorted(found, key=str) == [("k", "a"), (None, "b")]
    assert broker.group(group, topic)[0] == 2


def test_plans_of_queries_hide_passwords(
    kafka_sc: SparkContext,  # noqa: F811
    broker: Broker,
    topic: str,  # noqa: F811
    identity: Certificates,
) -> None:
    """The event log has these plans."""
    options = source_options({**params(broker, identity), "ssl.key.password": PASSWORD})
    with reading_session(kafka_sc, {}) as session:
        frame = session.readStream.format("kafka").options(**options, subscribe=topic).load()
        plan = str(cast(Any, frame)._jdf.queryExecution().toString())
    assert "kafka.bootstrap.servers" in plan or "StreamingRelation" in plan
    assert PASSWORD not in plan


def test_a_wrong_password_is_said(
    kafka_sc: SparkContext,  # noqa: F811
    broker: Broker,
    topic: str,  # noqa: F811
    identity: Certificates,
) -> None:
    with Run(kafka_sc) as run:
        given = params(broker, identity, "wrong")
        with pytest.raises(ConnectionError, match=r"Kafka at .*: Authentication failed"):
            KafkaUtils.createDirectStream(run.ssc, [topic], given)


def test_a_recording(
    broker: Broker,
    topic: str,  # noqa: F811
    identity: Certificates,
    tmp_path: Path,
) -> None:
    config = tmp_path / "client.properties"
    config.write_text(
        "security.protocol=SASL_SSL\nsasl.mechanism=PLAIN\n"
        f"sasl.plain.username={USER}\nsasl.plain.password={PASSWORD}\n"
        f"ssl.cafile={identity.authority}\n"
    )
    one = Topic(broker.secured, topic, settings_of(config))
    one.open()
    broker.send(topic, [(b"k", b"a")])
    one.close()
    assert one.take() == [["k", "a"]]


@pytest.mark.parametrize(
    "changed",
    [("sasl.plain.password", "wrong"), ("ssl.cafile", "")],
)
def test_what_a_recording_cannot_read_is_said(
    broker: Broker,
    topic: str,  # noqa: F811
    identity: Certificates,
    tmp_path: Path,
    changed: tuple[str, str],
) -> None:
    given = {
        "security.protocol": "SASL_SSL",
        "sasl.mechanism": "PLAIN",
        "sasl.plain.username": USER,
        "sasl.plain.password": PASSWORD,
        "ssl.cafile": str(identity.authority),
        changed[0]: changed[1],
    }
    config = tmp_path / "client.properties"
    config.write_text("".join(f"{name}={value}\n" for name, value in given.items() if value))
    with pytest.raises(MigrateError, match="cannot read Kafka") as raised:
        Topic(broker.secured, topic, settings_of(config)).open()
    assert "--kafka-config" in str(raised.value)
