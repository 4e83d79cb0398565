"""MQTT: messages of topics that a broker delivers."""

from __future__ import annotations

import logging
import ssl
import threading
from collections.abc import Callable, Sequence
from typing import Any, Final
from urllib.parse import urlsplit

from pyspark import SparkConf

from ...exceptions import of_extra
from ...storage.spool import Spool
from ...wire.frames import RECORDS, chunks
from ...wire.text import REPLACE
from ...worker.reading.entries import Chunk
from ..base import Items
from .receiver import ReceiverSource, partitions_of

_LOG = logging.getLogger("dstream_compat")
_PORTS: Final = {"tcp": 1883, "ssl": 8883}
_QOS: Final = 1
_CLIENT_ID: Final = "spark.streaming.compat.mqtt.clientId"
_FLUSH_SECONDS: Final = 5.0
_ADVICE: Final = " (is a broker listening there?)"

TEXT: Final = "text"
PAIRS: Final = "pairs"
BYTES: Final = "bytes"
"""What an element is made of: the message, its topic and the message, the message's bytes."""


class MQTTSource(ReceiverSource):
    """Subscribes to topics with quality of service 1; an item is one element of the stream.

    Mirrors ``org.apache.spark.streaming.mqtt.MQTTReceiver``: a clean session under a random client
    id, so the broker keeps nothing for a client that is away. Ours is a setting that names the
    client: then the broker keeps its session and what is not acknowledged.

    Parameters
    ----------
    label : str
        what the user called it
    url : str
        ``tcp://host:port`` or ``ssl://host:port``
    topics : sequence of str
        filters with wildcards, too
    elements : str
        ``TEXT``, ``PAIRS`` or ``BYTES``
    partitions : int
        logical partitions that a large interval is cut into
    login : tuple of (str, str or None), optional
        user name and password

    Raises
    ------
    ValueError
        if the URL is of another kind
    """

    shown_as = "MQTT stream"
    receiver = "MQTTReceiver"
    defined = ("label", "receiver", "_url", "_topics", "_elements", "_partitions", "_login")

    def __init__(
        self,
        label: str,
        url: str,
        topics: Sequence[str],
        elements: str,
        partitions: int,
        login: tuple[str, str | None] | None = None,
    ) -> None:
        self.label = label
        self.receiver = "MQTTPairReceiver" if elements == PAIRS else "MQTTReceiver"
        self._url = url
        self._topics = tuple(topics)
        self._elements = elements
        self._partitions = partitions
        self._login = login
        address_of(url)
        self._init_runtime()

    def _init_runtime(self) -> None:
        super()._init_runtime()
        self._connection: _Connection | None = None
        self._client: str | None = None

    def attach(self, conf: SparkConf, interval: int, spool: Spool | None) -> None:
        client_library()
        self._client = conf.get(_CLIENT_ID)
        super().attach(conf, interval, spool)

    @property
    def _by_hand(self) -> bool:
        """Whether messages are acknowledged when they are logged: nobody else sends them again."""
        return self._logging and self._client is not None

    def _log_pause(self, block_seconds: float) -> float:
        # A broker sends some twenty messages ahead of their acknowledgements, and drops what waits
        # when there is too much of it: so they are logged as fast as the disk writes.
        return 0.0 if self._by_hand else block_seconds

    def _pack(self, items: list[Any]) -> list[Items]:
        made = [Chunk(RECORDS, count, data) for count, data in chunks(items)]
        return partitions_of(made, self._partitions)

    def _element(self, message: Any) -> Any:
        if self._elements == BYTES:
            return bytes(message.payload)
        text = message.payload.decode("utf-8", REPLACE)
        return (message.topic, text) if self._elements == PAIRS else text

    def _receive(self) -> tuple[str, str]:
        assert self._timeline is not None
        stream = self._timeline.events.stream_id(self)
        client = None if self._client is None else f"{self._client}-{stream}"
        connection = _Connection(self._url, self._topics, client, self._by_hand, self._login)
        self._connection = connection
        connection.on_message = self._take
        try:
            connection.open()
            if self._stopped.is_set():  # what hung up could not know of this connection
                connection.hang_up()
            error = connection.wait()
        except OSError as refused:
            return self._cannot_start(), self._warn(refused, _ADVICE)
        finally:
            connection.close()
            self._connection = None
        if not connection.subscribed and error is not None:
            return self._cannot_start(), self._warn(error, "")
        self._reminded = 0.0
        # with its blank, as with DStreams
        return self._again("Connection lost "), "" if error is None else self._warn(error, "")

    def _take(self, message: Any, acknowledge: Callable[[], None]) -> None:
        self._admit(1)
        if self._by_hand and self._stopped.is_set():
            return  # the next process gets it
        self._file(self._element(message), len(message.payload), acknowledge)

    def _hang_up(self) -> None:
        connection = self._connection
        if connection is not None:
            if self._log is not None and self._by_hand:
                self._log.flush(_FLUSH_SECONDS)  # what is logged is acknowledged
            connection.hang_up()


class _Connection:
    """One connection to a broker, from connecting until it ends."""

    def __init__(
        self,
        url: str,
        topics: Sequence[str],
        client_id: str | None,
        manual: bool,
        login: tuple[str, str | None] | None,
    ) -> None:
        scheme, self._host, self._port = address_of(url)
        self._topics = topics
        self._ended = threading.Event()
        self._error: Exception | None = None
        self.subscribed = False
        self.on_message: Callable[[Any, Callable[[], None]], None]
        library = client_library()
        # Each connection is a client of its own, so that listeners are told of each.
        self._client = client = library.Client(
            library.CallbackAPIVersion.VERSION2,
            client_id=client_id or "",
            clean_session=client_id is None,
            reconnect_on_failure=False,
            manual_ack=manual,
        )
        if login is not None:
            client.username_pw_set(*login)
        if scheme == "ssl":
            client.tls_set_context(ssl.create_default_context())
        client.on_connect = self._connected
        client.on_subscribe = self._granted
        client.on_message = self._arrived
        client.on_disconnect = self._disconnected

    def open(self) -> None:
        """Connect; raises OSError."""
        self._client.connect(self._host, self._port)
        self._client.loop_start()

    def wait(self) -> Exception | None:
        """Wait until the connection has ended; returns the error that ended it."""
        self._ended.wait()
        return self._error

    def hang_up(self) -> None:
        """End the connection."""
        self._client.disconnect()
        self._ended.set()

    def close(self) -> None:
        """Let its thread end."""
        self._client.loop_stop()

    def _fail(self, error: Exception) -> None:
        self._error = self._error or error
        self._client.disconnect()
        self._ended.set()

    def _connected(self, client: Any, _data: Any, _flags: Any, reason: Any, _props: Any) -> None:
        if reason.is_failure:
            self._fail(ConnectionError(f"the broker refuses the connection: {reason}"))
        else:
            client.subscribe([(topic, _QOS) for topic in self._topics])

    def _granted(self, _client: Any, _data: Any, _mid: int, reasons: Any, _props: Any) -> None:
        refused = [
            topic for topic, reason in zip(self._topics, reasons, strict=True) if reason.is_failure
        ]
        if refused:
            names = ", ".join(refused)
            self._fail(ConnectionError(f"the broker refuses the subscription to {names}"))
        else:
            self.subscribed = True

    def _arrived(self, client: Any, _data: Any, message: Any) -> None:
        try:
            # Without manual acknowledgements this call has no effect.
            self.on_message(message, lambda: client.ack(message.mid, message.qos))
        except Exception as error:  # in the client's own thread, where it would end silently
            _LOG.exception(
                "a message of topic %s could not be taken; the receiver connects again",
                message.topic,
            )
            self._fail(error)

    def _disconnected(self, _client: Any, _data: Any, _flags: Any, reason: Any, _p: Any) -> None:
        if reason.is_failure:
            self._error = self._error or ConnectionError(f"the connection ended: {reason}")
        self._ended.set()


def client_library() -> Any:
    """Return paho's client module; see ``of_extra``."""
    return of_extra("paho.mqtt.client", "MQTTUtils", "paho-mqtt", "mqtt")


def address_of(url: str) -> tuple[str, str, int]:
    """Return scheme, host and port of a broker's URL.

    Raises
    ------
    ValueError
        if it is not one
    """
    parts = urlsplit(url)
    try:
        port = parts.port
    except ValueError as error:
        raise ValueError(f"the broker URL {url!r} has no usable port: {error}") from error
    if parts.scheme not in _PORTS or not parts.hostname or parts.path.strip("/"):
        raise ValueError(
            f"{url!r} is not the URL of an MQTT broker, such as tcp://broker.example:1883 or "
            "ssl://broker.example:8883"
        )
    return parts.scheme, parts.hostname, _PORTS[parts.scheme] if port is None else port
