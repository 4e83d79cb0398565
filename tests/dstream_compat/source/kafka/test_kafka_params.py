"""Parameters of old consumers as options of Spark's Kafka source; no Spark, no Kafka."""

from __future__ import annotations

import logging
from typing import Any
from unittest.mock import Mock

import pytest
from pyspark import SparkConf

from dstream_compat.kafka import KafkaUtils
from dstream_compat.source.kafka.connector import connector_package, is_connector, is_old, split
from dstream_compat.source.kafka.params import (
    brokers,
    consumer_options,
    offset_reset,
    offsets_json,
    parse_offsets,
    partitions_json,
    source_options,
)
from dstream_compat.source.kafka.rates import direct_rate, receiver_rate
from dstream_compat.source.kafka.texts import check_params

KNOWN = {
    "bootstrap.servers",
    "group.id",
    "security.protocol",
    "sasl.mechanism",
    "ssl.truststore.location",
    "max.partition.fetch.bytes",
    "key.deserializer",
    "enable.auto.commit",
}


def test_parameters_become_options(caplog: pytest.LogCaptureFixture) -> None:
    given = {
        "metadata.broker.list": "a:1,b:2",
        "auto.offset.reset": "smallest",
        "group.id": "g",
        "security.protocol": "SASL_SSL",
        "ssl.truststore.location": "/t.jks",
        "fetch.message.max.bytes": "5",
    }
    options = source_options(consumer_options(given, "a:1,b:2", KNOWN, "stream"))
    assert options == {
        "kafka.bootstrap.servers": "a:1,b:2",
        "kafka.group.id": "g",
        "kafka.security.protocol": "SASL_SSL",
        "kafka.ssl.truststore.location": "/t.jks",
        "kafka.max.partition.fetch.bytes": "5",
        "kafka.max.poll.records": "5000",
    }
    assert not caplog.text


@pytest.mark.parametrize(
    ("given", "size", "count"),
    [
        ({}, "8388608", "5000"),
        ({"max.partition.fetch.bytes": "7"}, "7", "5000"),
        ({"max.poll.records": "1"}, "8388608", "1"),
    ],
)
def test_answers_are_large_unless_the_user_says_how_large(
    given: dict[str, str], size: str, count: str
) -> None:
    options = source_options({"bootstrap.servers": "a:1", **given})
    assert options["kafka.max.partition.fetch.bytes"] == size
    assert options["kafka.max.poll.records"] == count


@pytest.mark.parametrize(
    "name", ["zookeeper.connect", "socket.timeout.ms", "key.deserializer", "enable.auto.commit"]
)
def test_parameters_that_are_not_used_are_named(
    name: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "dstream_compat"):
        assert consumer_options({name: "x"}, "a:1", KNOWN, "S") == {"bootstrap.servers": "a:1"}
    assert f"S: the Kafka parameters {name} are ignored" in caplog.text


@pytest.mark.parametrize(
    ("given", "reset"),
    [
        ({}, "latest"),
        ({"auto.offset.reset": "largest"}, "latest"),
        ({"auto.offset.reset": "SMALLEST"}, "earliest"),
        ({"auto.offset.reset": "earliest"}, "earliest"),
        ({"auto.offset.reset": "latest"}, "latest"),
    ],
)
def test_reset(given: dict[str, Any], reset: str) -> None:
    assert offset_reset(given) == reset


def test_reset_that_nobody_knows() -> None:
    with pytest.raises(ValueError, match="not 'none'"):
        offset_reset({"auto.offset.reset": "none"})


def test_brokers() -> None:
    assert brokers({"bootstrap.servers": "a:1"}) == "a:1"
    assert brokers({"bootstrap.servers": "a:1", "metadata.broker.list": "b:1"}) == "b:1"
    assert brokers({"zookeeper.connect": "z:1"}) is None


def test_offsets_go_there_and_back() -> None:
    offsets = {("t", 10): 3, ("t", 2): -2, ("u.v", 0): 7}
    assert parse_offsets(offsets_json(offsets)) == offsets
    assert partitions_json(offsets) == '{"t": [2, 10], "u.v": [0]}'


def conf(**settings: str) -> SparkConf:
    made = SparkConf(loadDefaults=False)
    for name, value in settings.items():
        made.set(f"spark.streaming.{name.replace('_', '.')}", value)
    return made


def test_rows_of_a_direct_stream() -> None:
    free, controller = direct_rate(conf(), 500)
    assert (free.rows(3, 1), controller) == (None, None)
    bound, _ = direct_rate(conf(kafka_maxRatePerPartition="10"), 500)
    assert [bound.rows(3, 1), bound.rows(3, 4), bound.rows(4, 1)] == [15, 60, 20]
    # the initial rate counts with backpressure only
    assert direct_rate(conf(backpressure_initialRate="8"), 500)[0].rows(1, 1) is None
    both = conf(
        kafka_maxRatePerPartition="10", backpressure_enabled="true", backpressure_initialRate="8"
    )
    rate, controller = direct_rate(both, 500)
    assert [rate.rows(3, 1), rate.rows(3, 2)] == [4, 8]
    assert controller is not None
    controller.note_completed(1_000, 100, 500, 0)  # nothing to compare with yet
    controller.note_completed(2_000, 1000, 500, 0)  # 2,000 records a second were processed
    assert rate.rows(3, 1) == 15  # but the partitions' bound holds


def test_rows_of_a_consumer_group() -> None:
    assert receiver_rate(conf(), 1000)[0].rows(5, 1) is None
    assert receiver_rate(conf(receiver_maxRate="7"), 2000)[0].rows(5, 1) == 14
    assert receiver_rate(conf(receiver_maxRate="0.1"), 1000)[0].rows(5, 1) == 1


def test_packages_of_connectors() -> None:
    ours = connector_package("4.3.0")
    assert ours == "org.apache.spark:spark-sql-kafka-0-10_2.13:4.3.0"
    old = "org.apache.spark:spark-streaming-kafka-0-8_2.11:2.4.8"
    assert split(f"{old}, a:b:1,{ours},") == [old, "a:b:1", ours]
    assert split(None) == []
    assert [is_old(one) for one in (old, "a:b:1", ours)] == [True, False, False]
    assert is_old("org.apache.spark:spark-sql-kafka-0-10_2.11:2.4.8")
    assert is_old("/jars/spark-sql-kafka-0-10_2.12-3.5.1.jar")
    assert not is_old("/jars/spark-sql-kafka-0-10_2.13-4.3.0.jar")
    # as Ivy names them
    assert is_old("/jars/org.apache.spark_spark-streaming-kafka-0-8_2.11-2.4.8.jar")
    assert is_old("/jars/org.apache.spark_spark-sql-kafka-0-10_2.12-3.5.1.jar")
    assert is_connector("/jars/org.apache.spark_spark-sql-kafka-0-10_2.13-4.3.0.jar")
    assert [is_connector(one) for one in (old, "a:b:1", ours)] == [False, False, True]


@pytest.mark.parametrize(
    ("given", "passed"),
    [
        ({"default.api.timeout.ms": "5000"}, False),
        ({"default.api.timeout.ms": "30000"}, True),
        ({"default.api.timeout.ms": "5000", "request.timeout.ms": "2000"}, True),
        ({"default.api.timeout.ms": "40000", "request.timeout.ms": "50000"}, False),
        ({}, False),
    ],
)
def test_timeout_that_the_admin_client_refuses(given: dict[str, str], passed: bool) -> None:
    options = source_options({"bootstrap.servers": "a:1", **given})
    assert ("kafka.default.api.timeout.ms" in options) is passed
    assert options["kafka.bootstrap.servers"] == "a:1"


class Word(str):
    """A text of a class of its own."""


def test_a_number_as_a_password_is_not_shown() -> None:
    with pytest.raises(TypeError, match="is an int: write a text") as refused:
        check_params({"ssl.key.password": 123456}, "S")
    assert "123456" not in str(refused.value)


def test_texts_are_what_kafka_takes() -> None:
    check_params({}, "S")
    check_params({"metadata.broker.list": "a:1,b:2", "group.id": Word("g"), "x": ""}, "S")


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (["a:1", "b:2"], "is a list: write 'a:1,b:2'"),
        (("a:1",), "is a tuple: write 'a:1'"),
        ([b"a:1"], "is a list: write a text"),
        ({"a:1"}, "is a set: write a text"),
        (5, "is an int: write '5'"),
        (0.5, "is a float: write '0.5'"),
        (True, "is a bool: write 'true'"),
        (None, "is a NoneType: leave it out"),
        (b"secret", "is a bytes: write a text"),
        ({"a": "secret"}, "is a dict: write a text"),
    ],
)
def test_other_values_are_refused_by_name(value: object, said: str) -> None:
    given = {"group.id": "g", "some.name": value}
    with pytest.raises(TypeError) as caught:
        check_params(given, "KafkaUtils.createRDD")
    assert str(caught.value) == (
        f"KafkaUtils.createRDD: kafkaParams takes texts only, but 'some.name' {said}"
    )


def test_all_of_them_are_named() -> None:
    with pytest.raises(TypeError, match=r"'a' is an int.*; 'b' is a list.*; the name 3 is an int"):
        check_params({"a": 1, "b": [], 3: "x"}, "S")


@pytest.mark.parametrize("call", ["createDirectStream", "createStream", "createRDD"])
def test_streams_are_refused_before_anything_is_asked(call: str) -> None:
    params = {"metadata.broker.list": ["a:1", "b:2"], "auto.offset.reset": "nonsense"}
    with pytest.raises(
        TypeError, match=rf"{call}.*'metadata.broker.list' is a list: write 'a:1,b:2'"
    ):
        define(call, params)


def define(call: str, params: dict[str, Any]) -> None:
    """Call a function of KafkaUtils on a context that nothing may be asked of."""
    ssc = Mock(spec=["_sc"], _sc=Mock(spec=[]))
    match call:
        case "createDirectStream":
            KafkaUtils.createDirectStream(ssc, ["t"], params)
        case "createStream":
            KafkaUtils.createStream(ssc, "zk", "group", {"t": 1}, params)
        case _:
            KafkaUtils.createRDD(ssc._sc, params, [])
