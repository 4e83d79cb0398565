"""The names of ``pyspark.streaming.mqtt``; this version has no MQTT source."""

from __future__ import annotations

from typing import Any, NoReturn

from .exceptions import UnsupportedSourceError
from .kafka import utf8_decoder

__all__ = ["MQTTUtils", "utf8_decoder"]


class MQTTUtils:
    """The name of MQTT's factory of streams."""

    @staticmethod
    def createStream(*args: Any, **kwargs: Any) -> NoReturn:
        """Raise UnsupportedSourceError."""
        raise UnsupportedSourceError(
            "MQTTUtils.createStream",
            "this version of dstream_compat has no MQTT source yet",
            "Bridge the topic to Kafka or to a folder for now",
        )
