"""What jobs read from: sockets, files and servers, which a test fills step by step."""

from __future__ import annotations

import os
import socket
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from kafka import KafkaProducer

from dstream_compat.source.kinesis.source import KinesisReceiver
from dstream_compat.source.receivers.mqtt import MQTTReceiver
from tests.support.waiting import DEADLINE


class Sockets:
    """Servers on free ports, which stand for the ports that a job names.

    A job that takes its port from its arguments gets the one of the server with the name 0.
    """

    def __init__(self) -> None:
        self._listeners: dict[int, socket.socket] = {}
        self._peers: dict[int, list[socket.socket]] = {}
        self._wanted: list[int] = []

    def port(self, name: int) -> int:
        """Return the port of the server that stands for a port."""
        if name not in self._listeners:
            self._listeners[name] = socket.create_server(("127.0.0.1", 0))
        return int(self._listeners[name].getsockname()[1])

    def wanted(self, port: int) -> int:
        """Note that a job connects to a port; return the port to connect to."""
        own = {self.port(name): name for name in self._listeners}
        self._wanted.append(own.get(port, port))
        return self.port(self._wanted[-1])

    def accept(self) -> None:
        """Wait until the job is connected, as often as it said."""
        for name in self._wanted:
            listener = self._listeners[name]
            listener.settimeout(DEADLINE)
            self._peers.setdefault(name, []).append(listener.accept()[0])

    def send(self, lines: dict[int, list[str]]) -> int:
        """Send lines to everybody who is connected; return how many they get together."""
        sent = 0
        for name, texts in lines.items():
            for peer in self._peers.get(name, ()):
                peer.sendall("".join(f"{text}\n" for text in texts).encode())
                sent += len(texts)
        return sent

    def first(self) -> int:
        """Return the server that lines without a port are for."""
        return self._wanted[0]

    def close(self) -> None:
        for peers in self._peers.values():
            for peer in peers:
                peer.close()
        for listener in self._listeners.values():
            listener.close()


def listens(receiver: Any) -> bool:
    """Return whether a job's receiver gets what is sent from now on."""
    if isinstance(receiver, MQTTReceiver):
        return receiver._connection is not None and receiver._connection.subscribed
    return not isinstance(receiver, KinesisReceiver) or bool(receiver._filed)


def publish(messages: dict[str, list[str]]) -> int:
    """Publish texts by topic of MQTT; return how many."""
    import paho.mqtt.publish as mqtt

    server = urlsplit(os.environ.get("TEST_MQTT", ""))
    for topic, texts in messages.items():
        made: Sequence[Any] = [(topic, text, 1, False) for text in texts]
        if made:
            mqtt.multiple(made, str(server.hostname), server.port or 0)
    return sum(map(len, messages.values()))


def put(records: dict[str, list[str]]) -> int:
    """Put texts into streams of Kinesis; return how many."""
    import boto3

    for stream, texts in records.items():
        client: Any = boto3.client("kinesis", endpoint_url=os.environ["TEST_KINESIS"])
        made = [{"Data": text.encode(), "PartitionKey": text} for text in texts]
        if made:
            answer = client.put_records(StreamName=stream, Records=made)
            assert answer["FailedRecordCount"] == 0
    return sum(map(len, records.values()))


class Topics:
    """Records for a broker; it has them all when a call returns."""

    def __init__(self) -> None:
        self._producer: KafkaProducer | None = None

    def send(self, records: dict[str, list[Any]]) -> None:
        """Send values, or pairs of a key and a value, by topic."""
        for topic, values in records.items():
            for value in values:
                key, text = value if isinstance(value, list) else (None, value)
                self._open().send(topic, text.encode(), key and key.encode()).get(DEADLINE)

    def _open(self) -> KafkaProducer:
        if self._producer is None:
            self._producer = KafkaProducer(bootstrap_servers=os.environ["TEST_KAFKA"])
        return self._producer

    def close(self) -> None:
        if self._producer is not None:
            self._producer.close(timeout=1)
