"""The names of ``pyspark.streaming.kafka``; this version has no Kafka source yet."""

from __future__ import annotations

from typing import Any, NoReturn

from .exceptions import UnsupportedSourceError

__all__ = [
    "Broker",
    "KafkaMessageAndMetadata",
    "KafkaUtils",
    "OffsetRange",
    "TopicAndPartition",
    "utf8_decoder",
]


def utf8_decoder(s: bytes | None) -> str | None:
    """Return bytes decoded as UTF-8; None stays None."""
    return None if s is None else s.decode("utf-8")


def _refuse(name: str) -> NoReturn:
    raise UnsupportedSourceError(
        name,
        "this version of dstream_compat has no Kafka source yet",
        "Read the topic with spark.readStream.format('kafka') for now",
    )


class _Refused:
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        _refuse(type(self).__name__)


class Broker(_Refused):
    """The name of a Kafka broker's address."""


class TopicAndPartition(_Refused):
    """The name of a topic's partition."""


class OffsetRange(_Refused):
    """The name of a range of offsets."""


class KafkaMessageAndMetadata(_Refused):
    """The name of a message with its metadata."""


class KafkaUtils:
    """The name of Kafka's factory of streams."""

    @staticmethod
    def createStream(*args: Any, **kwargs: Any) -> NoReturn:
        """Raise UnsupportedSourceError."""
        _refuse("KafkaUtils.createStream")

    @staticmethod
    def createDirectStream(*args: Any, **kwargs: Any) -> NoReturn:
        """Raise UnsupportedSourceError."""
        _refuse("KafkaUtils.createDirectStream")

    @staticmethod
    def createRDD(*args: Any, **kwargs: Any) -> NoReturn:
        """Raise UnsupportedSourceError."""
        _refuse("KafkaUtils.createRDD")
