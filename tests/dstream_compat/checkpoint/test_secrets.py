"""Secrets of sources and settings: checkpoints have the names of what gives them."""

from __future__ import annotations

import os
import pickle
from pathlib import Path
from typing import Any, cast

import pytest
from pyspark import SparkConf

from dstream_compat.checkpoint.checkpoint import Checkpoint, Saved
from dstream_compat.exceptions import CheckpointError
from dstream_compat.graph.nodes import Graph, OutputNode, SourceNode, of_kind
from dstream_compat.kinesis import InitialPositionInStream, KinesisUtils
from dstream_compat.mqtt import MQTTUtils
from dstream_compat.source.kafka.params import consumer_options
from dstream_compat.source.kafka.source import ReceiverSource, ReceiverTable
from dstream_compat.spark.settings import lasting_settings, recovered_conf
from dstream_compat.storage.files import LocalStorage

PASSWORDS = {
    "MQTT_PASSWORD": "of-mqtt",
    "AWS_ACCESS_KEY_ID": "of-amazon",
    "AWS_SECRET_ACCESS_KEY": "more-of-amazon",
    "KAFKA_PASSWORD": "of-kafka",
    "STORE_SECRET": "of-the-store",
}
SETTING = "spark.hadoop.fs.s3a.secret.key"


class Context:
    """Takes the sources that public functions define."""

    def __init__(self) -> None:
        self.graph = Graph(1000)

    def __getattr__(self, name: str) -> Any:
        return self  # the context is the stream, too

    def __call__(self, *_: Any, **__: Any) -> Any:
        return self

    @property
    def _partitions(self) -> int:
        return 2

    def _source(self, source: Any) -> Any:
        graph = self.graph
        node = SourceNode(graph.next_id(), (), 1000, source.label, source)
        graph.outputs.append(OutputNode(graph.next_id(), (node,), 1000, "out", print))
        return self


def graph_with_secrets() -> Graph:
    """Return a graph with the secrets of all sources that have some, by public functions."""
    ssc: Any = Context()
    login = {"username": "ann", "password": PASSWORDS["MQTT_PASSWORD"]}
    MQTTUtils.createStream(ssc, "tcp://h:1", "words", **login)
    keys = PASSWORDS["AWS_ACCESS_KEY_ID"], PASSWORDS["AWS_SECRET_ACCESS_KEY"]
    KinesisUtils.createStream(
        ssc,
        "app",
        "words",
        "https://kinesis",
        "eu-west-1",
        InitialPositionInStream.LATEST,
        2,
        awsAccessKeyId=keys[0],
        awsSecretKey=keys[1],
    )
    password = PASSWORDS["KAFKA_PASSWORD"]
    given = {
        "sasl.jaas.config": f'Login required username="ann" password="{password}";',
        "ssl.key.password": password,
    }
    consumer = consumer_options(given, "h:1", given, "kafka")
    table = ReceiverTable(tuple(consumer.items()), ("t",), "latest", (True, True))
    ssc._source(ReceiverSource(table))
    return ssc.graph  # type: ignore[no-any-return]


def save(folder: Path) -> tuple[Checkpoint, bytes]:
    conf = SparkConf(False).set(SETTING, PASSWORDS["STORE_SECRET"]).set("spark.app.name", "job")
    run = Checkpoint(LocalStorage(), str(folder))
    run.save(Saved(graph_with_secrets(), (), (), lasting_settings(conf), 2, 0))
    (file,) = folder.rglob("graph")
    return run, file.read_bytes()


def in_data(data: bytes) -> list[str]:
    return [name for name, value in PASSWORDS.items() if value.encode() in data]


def test_names_are_saved_in_place_of_values(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for name, value in PASSWORDS.items():
        monkeypatch.setenv(name, value)
    run, data = save(tmp_path)
    assert in_data(data) == [] and not caplog.text
    monkeypatch.setenv("MQTT_PASSWORD", "changed")
    monkeypatch.setenv("STORE_SECRET", "changed, too")
    saved = run.load()
    sources = of_kind(saved.graph.reachable(), SourceNode)
    mqtt, kinesis, kafka = (cast(Any, node.source) for node in sources)
    assert mqtt.login == ("ann", "changed")
    assert kinesis.access[2:4] == ("of-amazon", "more-of-amazon")
    assert kafka.table.consumer["ssl.key.password"] == "of-kafka"
    assert 'password="of-kafka";' in kafka.table.consumer["sasl.jaas.config"]
    assert recovered_conf(saved.conf).get(SETTING) == "changed, too"


def test_values_that_nothing_gives_again_are_saved_and_named(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    run, data = save(tmp_path)
    assert in_data(data) == [*PASSWORDS]
    (record,) = caplog.records
    for what in (
        "the password of createStream",
        "the awsSecretKey of KinesisUtils.createStream(app, words)",
        "sasl.jaas.config of kafka",
        f"the setting {SETTING}",
    ):
        assert what in record.getMessage()
    assert not any(value in record.getMessage() for value in PASSWORDS.values())
    assert recovered_conf(run.load().conf).get(SETTING) == PASSWORDS["STORE_SECRET"]


def test_a_restart_without_them_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in PASSWORDS.items():
        monkeypatch.setenv(name, value)
    run, _ = save(tmp_path)
    monkeypatch.delenv("MQTT_PASSWORD")
    monkeypatch.delenv("STORE_SECRET")
    missing = (
        "no value of the password of createStream, only the name of what gives it: the environment "
        "variable MQTT_PASSWORD"
    )
    with pytest.raises(CheckpointError, match=missing):
        run.load()
    saved = run.load(with_graph=False)  # as with rebuildGraph
    with pytest.raises(CheckpointError, match=f"the setting {SETTING}, .* variable STORE_SECRET"):
        recovered_conf(saved.conf)


class Harmful:
    """Its pickle makes a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __reduce__(self) -> Any:
        return os.mkdir, (str(self.folder),)


def test_who_writes_to_a_checkpoint_runs_code(tmp_path: Path) -> None:
    run, _ = save(tmp_path / "checkpoint")
    (file,) = (tmp_path / "checkpoint").rglob("graph")
    file.write_bytes(pickle.dumps(Harmful(tmp_path / "made")))
    with pytest.raises(CheckpointError):
        run.load()
    assert (tmp_path / "made").is_dir()
