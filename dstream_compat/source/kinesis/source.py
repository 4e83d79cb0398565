"""Kinesis: records of the shards of a stream."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from pyspark import SparkConf

from ...storage.spool import Spool
from ...worker.reading.kinesis_access import Access
from ..base import Demand
from ..receivers.source import ReceivedSource
from .receiver import KinesisReceiver


@dataclass(frozen=True, eq=False)
class KinesisSource(ReceivedSource):
    """All shards of a stream.

    Parameters
    ----------
    name : str
        what the user called it
    stream : str
        the stream's name
    access : Access
        where it is
    initial : str
        where a stream begins of which no position is known: ``LATEST`` or ``TRIM_HORIZON``
    app : str
        the application, by whose name Kinesis's client library stored positions
    """

    name: str
    stream: str
    access: Access
    initial: str
    app: str = ""
    replayable: ClassVar[bool] = True
    shown_as: ClassVar[str] = "Kinesis stream"

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__({"name": state.get("label"), **state})  # as it was called before

    @property
    def label(self) -> str:
        return self.name

    @property
    def receiver(self) -> str:
        return "KinesisReceiver"

    def open(
        self, conf: SparkConf, interval: int, spool: Spool | None, demand: Demand
    ) -> KinesisReceiver:
        return KinesisReceiver(self, conf, interval, spool)
