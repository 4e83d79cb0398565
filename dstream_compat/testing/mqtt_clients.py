"""Gives clients of MQTT recorded messages, in the driver of a job of Structured Streaming."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .connectors import as_bytes


class MqttInput:
    """A topic to which a client has subscribed.

    Parameters
    ----------
    client : paho.mqtt.client.Client
        it gets the messages
    topic : str
        their topic
    """

    def __init__(self, client: Any, topic: str) -> None:
        self._client = client
        self._topic = topic

    def add(self, step: int, at: int, inputs: dict[str, Any]) -> None:
        """Deliver the messages of an interval, by source."""
        from paho.mqtt.client import MQTTMessage

        for value in inputs.get(f"mqtt:{self._topic}", []):
            message = MQTTMessage(topic=self._topic.encode("utf-8"))
            message.payload = as_bytes(value) or b""
            self._client.on_message(self._client, None, message)


def replace_clients(library: Any, subscribe: Callable[[MqttInput], None], topics: Any) -> None:
    """Let clients get what is recorded instead of connecting to a broker.

    Parameters
    ----------
    library : module
        `paho.mqtt.client`
    subscribe : callable
        takes what a client has subscribed to
    topics : callable
        takes the name of a source, and raises an error if it is not recorded
    """

    class RecordedClient(library.Client):  # type: ignore[misc]
        """A client that is given recorded messages."""

        def connect(self, host: str, *args: Any, **options: Any) -> int:
            return 0

        def connect_async(self, host: str, *args: Any, **options: Any) -> None:
            pass

        def loop_start(self) -> int:
            if self.on_connect is not None:
                self.on_connect(self, None, {}, 0, None)
            return 0

        def loop_stop(self) -> int:
            return 0

        def subscribe(self, topic: str, *args: Any, **options: Any) -> tuple[int, int]:
            topics(f"mqtt:{topic}")
            subscribe(MqttInput(self, topic))
            return 0, 1

        def disconnect(self, *args: Any, **options: Any) -> int:
            return 0

    library.Client = RecordedClient
