"""What the sources of receivers have in common."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from pyspark import SparkConf

from ...settings import WRITE_AHEAD_LOG
from ...storage.spool import Spool
from ..base import Demand, Source
from .receiver import Receiver


class ReceivedSource(Source):
    """A source that a thread of the driver receives."""

    replayable: ClassVar[bool] = False
    """Whether a position in the input is remembered, so that nothing needs to be logged."""

    @abstractmethod
    def open(self, conf: SparkConf, interval: int, spool: Spool | None, demand: Demand) -> Receiver:
        """See ``Source``."""


def can_be_read_again(source: Source, conf: SparkConf) -> bool:
    """Return whether a restart finds what a source has received and no batch has processed."""
    return not isinstance(source, ReceivedSource) or source.replayable or WRITE_AHEAD_LOG.read(conf)
