"""StreamingListener, with the callbacks of ``pyspark.streaming.listener``."""

from __future__ import annotations

from typing import Any

__all__ = ["StreamingListener"]


class StreamingListener:
    """Base class of listeners; override the callbacks of interest.

    Mirrors ``pyspark.streaming.StreamingListener``. The events have the getters of Spark's
    ``JavaStreamingListener*`` classes, all of them methods:
    ``batchCompleted.batchInfo().processingDelay()``. See ``dstream_compat.listeners.events``.
    """

    # The names of the parameters are Spark's, that of onBatchStarted too.

    def onStreamingStarted(self, streamingStarted: Any) -> None:
        """Called when the context was started.

        Parameters
        ----------
        streamingStarted : StreamingStarted
            with ``time()``, in milliseconds since the epoch
        """

    def onReceiverStarted(self, receiverStarted: Any) -> None:
        """Called when a receiver was started.

        Parameters
        ----------
        receiverStarted : ReceiverEvent
            with ``receiverInfo()``
        """

    def onReceiverError(self, receiverError: Any) -> None:
        """Called when a receiver reported an error and goes on.

        Parameters
        ----------
        receiverError : ReceiverEvent
            with ``receiverInfo()``
        """

    def onReceiverStopped(self, receiverStopped: Any) -> None:
        """Called when a receiver was stopped or lost its connection.

        Parameters
        ----------
        receiverStopped : ReceiverEvent
            with ``receiverInfo()``
        """

    def onBatchSubmitted(self, batchSubmitted: Any) -> None:
        """Called when a batch is due.

        Parameters
        ----------
        batchSubmitted : BatchEvent
            with ``batchInfo()``
        """

    def onBatchStarted(self, batchSubmitted: Any) -> None:
        """Called when the processing of a batch begins.

        Parameters
        ----------
        batchSubmitted : BatchEvent
            with ``batchInfo()``
        """

    def onBatchCompleted(self, batchCompleted: Any) -> None:
        """Called when the last output of a batch has ended, well or not.

        Parameters
        ----------
        batchCompleted : BatchEvent
            with ``batchInfo()``
        """

    def onOutputOperationStarted(self, outputOperationStarted: Any) -> None:
        """Called when an output of a batch begins.

        Parameters
        ----------
        outputOperationStarted : OutputOperationEvent
            with ``outputOperationInfo()``
        """

    def onOutputOperationCompleted(self, outputOperationCompleted: Any) -> None:
        """Called when an output of a batch has ended.

        Parameters
        ----------
        outputOperationCompleted : OutputOperationEvent
            with ``outputOperationInfo()``
        """
