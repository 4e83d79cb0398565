"""The events of batches, as the code that runs batches reports them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from ..graph.nodes import OutputNode
from .rdds import MicroBatch


class OutputRun(Protocol):
    """One output of a batch, while it runs."""

    def fail(self, text: str) -> None:
        """Note that it has failed.

        Parameters
        ----------
        text : str
            the traceback
        """


class BatchEvents(ABC):
    """Follows the batches of a context; batch times are in milliseconds."""

    @abstractmethod
    def begin(self, tick: int) -> None:
        """Note that the outputs of a batch are next."""

    @abstractmethod
    def again(self, tick: int) -> None:
        """Note that a batch of an earlier process, which failed there, is next."""

    @abstractmethod
    def note_prepared(
        self, tick: int, read: Callable[[int], int], left_out: Collection[OutputNode] = ()
    ) -> None:
        """Note that the RDD functions of a batch have run.

        Parameters
        ----------
        tick : int
            batch time
        read : callable
            source node id to the number of records that tasks have read
        left_out : collection of OutputNode
            outputs that do not run, because their stream has no RDD
        """

    @abstractmethod
    def note_computed(self, tick: int, batches: Sequence[MicroBatch]) -> None:
        """Note what the queries have computed for a batch."""

    @abstractmethod
    def note_cancelled(self, tick: int, text: str) -> None:
        """Note that an RDD function failed, so that no output of the batch can run."""

    @abstractmethod
    def note_done(self, tick: int) -> None:
        """Note that all outputs of a batch have run, in this process or an earlier one."""

    @abstractmethod
    def follow_output(self, tick: int, output: OutputNode) -> AbstractContextManager[OutputRun]:
        """Follow one output of a batch, and give its Spark jobs names."""

    @abstractmethod
    def late(self, tick: int) -> int:
        """Return how many intervals behind a batch time are due now, at least one."""
