"""Spark's Streaming tab, its REST answers and its metrics, fed with the events of a job."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Final

from pyspark import SparkContext

from ..graph.nodes import Graph
from ..listener import StreamingListener
from ..source.base import Source
from ..spark.java import java_class, spark_is_there
from .events import BatchEvent, OutputOperationEvent, ReceiverEvent, StreamingStarted
from .infos import JavaBatchInfo, JavaOutputOperationInfo, JavaStreamInputInfo

_SETTING: Final = "spark.streaming.compat.ui"
_JAVA: Final = "FedTab"
_LOG = logging.getLogger("dstream_compat")
_LOCK = threading.Lock()
_compiled: dict[int, Any] = {}
"""The Java class of each JVM, by the id of its gateway."""


def wants_tab(sc: SparkContext) -> bool:
    """Return whether there is a place for the tab or its metrics, and they are not switched off."""
    if (sc.getConf().get(_SETTING) or "true").strip().lower() != "true":
        return False
    return sc.uiWebUrl is not None or _has_sink(sc)


def _has_sink(sc: SparkContext) -> bool:
    """Return whether metrics go anywhere but to a page of the UI."""
    java: Any = sc._jsc
    config = java_class(sc, "org.apache.spark.metrics.MetricsConfig")(java.sc().conf())
    config.initialize()
    return any(
        key.startswith("sink.") and key.endswith(".class") and "ervlet" not in key
        for key in config.getInstance("driver").keySet()
    )


class StreamingTab(StreamingListener):
    """Hands events to the listener behind Spark's own tab, a few at a time.

    All calls are made by the thread of the listener bus, so that no batch waits for them, and a
    failure is only logged.

    Parameters
    ----------
    sc : SparkContext
        whose UI and metrics to use
    graph : Graph
        what runs
    sources : mapping
        source node id to source
    """

    def __init__(self, sc: SparkContext, graph: Graph, sources: Mapping[int, Source]) -> None:
        self._sc = sc
        self._interval = graph.interval
        self._inputs = sorted(
            (graph.inputs[node], f"{source.shown_as} [{graph.inputs[node]}]")
            for node, source in sources.items()
        )
        self._receivers = sum(bool(source.receiver) for source in sources.values())
        self._events: list[tuple[str, Any]] = []
        self._lock = threading.Lock()
        self._java: Any = None
        self._ended = False
        self._failed = False

    def onStreamingStarted(self, streamingStarted: StreamingStarted) -> None:
        self._events.append(("onStreamingStarted", streamingStarted.millis))

    def onReceiverStarted(self, receiverStarted: ReceiverEvent) -> None:
        self._events.append(("onReceiverStarted", _receiver(receiverStarted)))

    def onReceiverError(self, receiverError: ReceiverEvent) -> None:
        self._events.append(("onReceiverError", _receiver(receiverError)))

    def onReceiverStopped(self, receiverStopped: ReceiverEvent) -> None:
        self._events.append(("onReceiverStopped", _receiver(receiverStopped)))

    def onBatchSubmitted(self, batchSubmitted: BatchEvent) -> None:
        self._events.append(("onBatchSubmitted", _batch(batchSubmitted.info)))

    # StreamingListener has Spark's name for the parameter
    def onBatchStarted(self, batchStarted: BatchEvent) -> None:
        self._events.append(("onBatchStarted", _batch(batchStarted.info)))

    def onBatchCompleted(self, batchCompleted: BatchEvent) -> None:
        self._events.append(("onBatchCompleted", _batch(batchCompleted.info)))

    def onOutputOperationStarted(self, outputOperationStarted: OutputOperationEvent) -> None:
        self._events.append(("onOutputOperationStarted", _output(outputOperationStarted.info)))

    def onOutputOperationCompleted(self, outputOperationCompleted: OutputOperationEvent) -> None:
        self._events.append(("onOutputOperationCompleted", _output(outputOperationCompleted.info)))

    def flush(self) -> None:
        """Hand over what has come since the last call; the first one shows the tab."""
        events, self._events = self._events, []
        with self._lock:
            if not events or self._ended:
                return
            try:
                if self._java is None:
                    self._java = self._open()
                self._java.feed(json.dumps(events))
            except Exception as error:
                self._fail(error)

    def close(self) -> None:
        """Remove the tab; what comes later is ignored."""
        with self._lock:
            self._ended = True
            if self._java is not None and spark_is_there(self._sc):
                try:
                    self._java.close()
                except Exception as error:
                    self._fail(error)

    def _open(self) -> Any:
        java: Any = self._sc._jsc
        tab = _java_class(self._sc).newInstance()
        tab.open(java.sc(), self._interval, json.dumps(self._inputs), self._receivers)
        return tab

    def _fail(self, error: Exception) -> None:
        self._ended = self._ended or self._java is None
        if not self._failed and spark_is_there(self._sc):
            self._failed = True
            cause = getattr(error, "java_exception", error)
            _LOG.warning(
                "Spark's Streaming tab and its metrics %s: %s; the job runs without them, and "
                "%s=false hides this warning",
                "may be incomplete" if self._java is not None else "cannot be shown",
                cause,
                _SETTING,
            )


def _java_class(sc: SparkContext) -> Any:
    """Return our Java class, which is compiled once in each JVM."""
    gateway: Any = sc._gateway
    with _LOCK:
        if id(gateway) not in _compiled:
            java: Any = sc._jsc
            compiler = java_class(sc, "org.codehaus.janino.SimpleCompiler")()
            compiler.setParentClassLoader(java.getClass().getClassLoader())
            compiler.cook(files(__package__).joinpath(f"{_JAVA}.java").read_text("utf-8"))
            loader = compiler.getClassLoader()
            _compiled[id(gateway)] = loader.loadClass(f"dstream_compat.{_JAVA}")
        return _compiled[id(gateway)]


# What Java reads: lists, in the order of the parameters of Spark's classes.


def _batch(info: JavaBatchInfo) -> list[Any]:
    return [
        info.batchTime().milliseconds(),
        [_input(one) for one in info.streamIdToInputInfo().values()],
        info.submissionTime(),
        info.processingStartTime(),
        info.processingEndTime(),
        [_output(one) for one in info.outputOperationInfos().values()],
    ]


def _input(info: JavaStreamInputInfo) -> list[Any]:
    return [info.inputStreamId(), info.numRecords(), info.metadata().get("files")]


def _output(info: JavaOutputOperationInfo) -> list[Any]:
    return [
        info.batchTime().milliseconds(),
        info.id(),
        info.name(),
        info.description(),
        info.startTime(),
        info.endTime(),
        info.failureReason(),
    ]


def _receiver(event: ReceiverEvent) -> list[Any]:
    info = event.info
    return [
        info.streamId(),
        info.name(),
        info.active(),
        info.location(),
        info.executorId(),
        info.lastErrorMessage(),
        info.lastError(),
        info.lastErrorTime(),
    ]
