"""The names of ``pyspark.streaming.kinesis``; this version has no Kinesis source."""

from __future__ import annotations

from typing import Any, NoReturn

from .exceptions import UnsupportedSourceError
from .kafka import utf8_decoder

__all__ = ["InitialPositionInStream", "KinesisUtils", "MetricsLevel", "utf8_decoder"]


class KinesisUtils:
    """The name of Kinesis's factory of streams."""

    @staticmethod
    def createStream(*args: Any, **kwargs: Any) -> NoReturn:
        """Raise UnsupportedSourceError."""
        raise UnsupportedSourceError(
            "KinesisUtils.createStream",
            "this version of dstream_compat has no Kinesis source yet",
            "Write the records to a folder for now, and read that",
        )


class InitialPositionInStream:
    """Where a new Kinesis application starts."""

    LATEST, TRIM_HORIZON = 0, 1


class MetricsLevel:
    """How much the Kinesis client reports."""

    DETAILED, SUMMARY, NONE = 0, 1, 2
