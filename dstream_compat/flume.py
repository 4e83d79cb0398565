"""The names of ``pyspark.streaming.flume``; this version has no Flume source."""

from __future__ import annotations

from typing import Any, NoReturn

from .exceptions import UnsupportedSourceError
from .source.kafka.records import utf8_decoder

__all__ = ["FlumeUtils", "utf8_decoder"]


class FlumeUtils:
    """Refuses streams of Flume: Spark has no connector for it any more."""

    @staticmethod
    def createStream(*args: Any, **kwargs: Any) -> NoReturn:
        """Raise UnsupportedSourceError.

        Parameters
        ----------
        *args, **kwargs : object
            not used
        """
        raise UnsupportedSourceError(
            "FlumeUtils.createStream",
            "Spark removed its Flume connector in 3.0",
            "Let Flume write to Kafka or to a folder, and read that",
        )

    createPollingStream = createStream
