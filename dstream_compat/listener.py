"""StreamingListener, with the callbacks of ``pyspark.streaming.listener``."""

from __future__ import annotations

from typing import Any

__all__ = ["StreamingListener"]


class StreamingListener:
    """Base class of listeners; override the callbacks of interest.

    The events have the getters of Spark's ``JavaStreamingListener*`` classes, all of them methods:
    ``batchCompleted.batchInfo().processingDelay()``. See ``dstream_compat.listeners.events``.
    """

    # The names of the parameters are Spark's, that of onBatchStarted too.

    def onStreamingStarted(self, streamingStarted: Any) -> None:
        """Called when the context was started: ``time()``, in milliseconds since the epoch."""

    def onReceiverStarted(self, receiverStarted: Any) -> None:
        """Called when a receiver was started: ``receiverInfo()``."""

    def onReceiverError(self, receiverError: Any) -> None:
        """Called when a receiver reported an error and goes on: ``receiverInfo()``."""

    def onReceiverStopped(self, receiverStopped: Any) -> None:
        """Called when a receiver was stopped or lost its connection: ``receiverInfo()``."""

    def onBatchSubmitted(self, batchSubmitted: Any) -> None:
        """Called when a batch is due: ``batchInfo()``."""

    def onBatchStarted(self, batchSubmitted: Any) -> None:
        """Called when the processing of a batch begins: ``batchInfo()``."""

    def onBatchCompleted(self, batchCompleted: Any) -> None:
        """Called when the last output of a batch has ended, well or not: ``batchInfo()``."""

    def onOutputOperationStarted(self, outputOperationStarted: Any) -> None:
        """Called when an output of a batch begins: ``outputOperationInfo()``."""

    def onOutputOperationCompleted(self, outputOperationCompleted: Any) -> None:
        """Called when an output of a batch has ended: ``outputOperationInfo()``."""
