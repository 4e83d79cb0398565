"""MQTT: messages of topics that a broker delivers.

Decision 0029: MQTT messages are acknowledged by hand only for named clients.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from pyspark import SparkConf

from ...settings import MQTT_CLIENT_ID, WRITE_AHEAD_LOG
from ...storage.spool import Spool
from ...wire.frames import RECORDS, chunks
from ...wire.text import REPLACE
from ...worker.reading.entries import Chunk
from ..base import Demand, Items
from .mqtt_connection import Connection, address_of, client_library
from .receiver import ReceivedSource, Receiver, partitions_of

_FLUSH_SECONDS: Final = 5.0
_ADVICE: Final = " (is a broker listening there?)"

TEXT: Final = "text"
PAIRS: Final = "pairs"
BYTES: Final = "bytes"
"""What an element is made of: the message, its topic and the message, the message's bytes."""


@dataclass(frozen=True, eq=False)
class MQTTSource(ReceivedSource):
    """Topics of a broker.

    Parameters
    ----------
    name : str
        what the user called it
    url : str
        ``tcp://host:port`` or ``ssl://host:port``
    topics : tuple of str
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

    name: str
    url: str
    topics: tuple[str, ...]
    elements: str
    partitions: int
    login: tuple[str, str | None] | None = None
    shown_as: ClassVar[str] = "MQTT stream"

    def __post_init__(self) -> None:
        address_of(self.url)

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__({"name": state.get("label"), **state})  # as it was called before

    @property
    def label(self) -> str:
        return self.name

    @property
    def receiver(self) -> str:
        return "MQTTPairReceiver" if self.elements == PAIRS else "MQTTReceiver"

    def open(
        self, conf: SparkConf, interval: int, spool: Spool | None, demand: Demand
    ) -> MQTTReceiver:
        return MQTTReceiver(self, conf, interval, spool)


class MQTTReceiver(Receiver):
    """Subscribes to topics with quality of service 1; an item is one element of the stream.

    Mirrors ``org.apache.spark.streaming.mqtt.MQTTReceiver``: a clean session under a random client
    id, so the broker keeps nothing for a client that is away. Ours is a setting that names the
    client: then the broker keeps its session and what is not acknowledged. The parameters are those
    of ``Receiver``.
    """

    def __init__(
        self, source: MQTTSource, conf: SparkConf, interval: int, spool: Spool | None
    ) -> None:
        client_library()
        self._client = MQTT_CLIENT_ID.read(conf)
        # Messages are acknowledged when they are logged if nobody else sends them again. A broker
        # sends some twenty messages ahead of their acknowledgements, and drops what waits when
        # there is too much of it: so they are logged as fast as the disk writes.
        self._by_hand = WRITE_AHEAD_LOG.read(conf) and self._client is not None
        super().__init__(source, conf, interval, spool, 0.0 if self._by_hand else None)
        self._url = source.url
        self._topics = source.topics
        self._elements = source.elements
        self._partitions = source.partitions
        self._login = source.login
        self._connection: Connection | None = None

    def _pack(self, items: list[Any]) -> list[Items]:
        packed = [Chunk(RECORDS, count, data) for count, data in chunks(items)]
        return partitions_of(packed, self._partitions)

    def _element(self, message: Any) -> Any:
        if self._elements == BYTES:
            return bytes(message.payload)
        text = message.payload.decode("utf-8", REPLACE)
        return (message.topic, text) if self._elements == PAIRS else text

    def _receive(self) -> tuple[str, str]:
        assert self._timeline is not None
        stream = self._timeline.events.stream_id(self)
        client = None if self._client is None else f"{self._client}-{stream}"
        connection = Connection(
            self._url, self._topics, client, self._by_hand, self._login, self._take
        )
        self._connection = connection
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
