"""The public types of Kafka's records and offsets.

Decision 0082: Kafka fetches are large, and the topic is left out of single-topic streams.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...names.refusals import Refused

Decoder = Callable[[Any], Any]


def no_java(name: str) -> Refused:
    """Return the attribute for what handed something to Spark's connector."""
    reason = "the Java helper of Spark's connector is gone"
    return Refused(name, reason, "The functions of KafkaUtils take the Python objects")


def utf8_decoder(s: bytes | None) -> str | None:
    """Return bytes decoded as UTF-8; None stays None.

    Mirrors ``pyspark.streaming.kinesis.utf8_decoder``.

    Parameters
    ----------
    s : bytes, optional
        a key or a value

    Returns
    -------
    str or None
    """
    return None if s is None else s.decode("utf-8")


class OffsetRange:
    """A range of offsets of one partition of a topic.

    Parameters
    ----------
    topic, partition : str, int
        where
    fromOffset, untilOffset : int
        the first offset, and the one behind the last
    """

    _jOffsetRange = no_java("OffsetRange._jOffsetRange")

    def __init__(self, topic: str, partition: int, fromOffset: int, untilOffset: int) -> None:
        self.topic = topic
        self.partition = partition
        self.fromOffset = fromOffset
        self.untilOffset = untilOffset

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OffsetRange) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(tuple(vars(self).values()))

    def __str__(self) -> str:
        return (
            f"OffsetRange(topic: {self.topic}, partition: {self.partition}, "
            f"range: [{self.fromOffset} -> {self.untilOffset}])"
        )

    __repr__ = __str__


class TopicAndPartition:
    """A partition of a topic.

    Parameters
    ----------
    topic, partition : str, int
        which
    """

    _jTopicAndPartition = no_java("TopicAndPartition._jTopicAndPartition")

    def __init__(self, topic: str, partition: int) -> None:
        self._topic = topic
        self._partition = partition

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TopicAndPartition) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash((self._topic, self._partition))


class Broker:
    """The address of a broker; only there for calls that name leaders.

    Parameters
    ----------
    host, port : str, int
        the address
    """

    _jBroker = no_java("Broker._jBroker")

    def __init__(self, host: str, port: int) -> None:
        self._host = host
        self._port = port


class KafkaMessageAndMetadata:
    """A record with its topic, partition and offset.

    Parameters
    ----------
    topic, partition, offset : str, int, int
        where
    key, message : bytes, optional
        the record as it is in Kafka
    """

    def __init__(
        self, topic: str, partition: int, offset: int, key: bytes | None, message: bytes | None
    ) -> None:
        self.topic = topic
        self.partition = partition
        self.offset = offset
        self._rawKey = key
        self._rawMessage = message
        self._keyDecoder: Decoder = utf8_decoder
        self._valueDecoder: Decoder = utf8_decoder

    def __str__(self) -> str:
        return (
            f"KafkaMessageAndMetadata(topic: {self.topic}, partition: {self.partition}, "
            f"offset: {self.offset}, key and message...)"
        )

    __repr__ = __str__

    def _set_key_decoder(self, decoder: Decoder) -> None:
        self._keyDecoder = decoder

    def _set_value_decoder(self, decoder: Decoder) -> None:
        self._valueDecoder = decoder

    @property
    def key(self) -> Any:
        """The decoded key."""
        return self._keyDecoder(self._rawKey)

    @property
    def message(self) -> Any:
        """The decoded message."""
        return self._valueDecoder(self._rawMessage)


def message_handler(
    handler: Callable[[KafkaMessageAndMetadata], Any], key: Decoder, value: Decoder
) -> Callable[[tuple[Any, ...]], Any]:
    """Return a handler of (topic, partition, offset, key, value)."""

    def handle(fields: tuple[Any, ...]) -> Any:
        message = KafkaMessageAndMetadata(*fields)
        message._set_key_decoder(key)
        message._set_value_decoder(value)
        return handler(message)

    return handle
