"""StreamingListener, with the callbacks of ``pyspark.streaming.listener``."""

from __future__ import annotations

from typing import Any

__all__ = ["StreamingListener"]


class StreamingListener:
    """Base class of listeners; override the callbacks of interest."""

    def onStreamingStarted(self, streamingStarted: Any) -> None:
        """Be told that the context was started."""

    def onReceiverStarted(self, receiverStarted: Any) -> None:
        """Be told that a receiver was started."""

    def onReceiverError(self, receiverError: Any) -> None:
        """Be told that a receiver reported an error."""

    def onReceiverStopped(self, receiverStopped: Any) -> None:
        """Be told that a receiver was stopped."""

    def onBatchSubmitted(self, batchSubmitted: Any) -> None:
        """Be told that a batch is queued."""

    def onBatchStarted(self, batchStarted: Any) -> None:
        """Be told that a batch begins."""

    def onBatchCompleted(self, batchCompleted: Any) -> None:
        """Be told that a batch has ended."""

    def onOutputOperationStarted(self, outputOperationStarted: Any) -> None:
        """Be told that an output of a batch begins."""

    def onOutputOperationCompleted(self, outputOperationCompleted: Any) -> None:
        """Be told that an output of a batch has ended."""
