"""Spark's Streaming tab, its REST answers and its metrics, fed with the events of a job.

Decision 0093: Spark's own Streaming tab is fed with our events.
"""

from __future__ import annotations

import json
import logging
import threading
from collections import deque
from collections.abc import Mapping
from typing import Any, Final

from pyspark import SparkContext

from ..graph.nodes import Graph
from ..settings import UI
from ..source.base import Source
from ..spark.conf import conf_of
from ..spark.java import java_class, spark_is_there
from ..spark.java_code import own_class
from .events import BatchEvent, OutputOperationEvent, ReceiverEvent, StreamingStarted
from .infos import JavaBatchInfo, JavaOutputOperationInfo, JavaStreamInputInfo

_LOG = logging.getLogger("dstream_compat")
_CAPACITY: Final = 10_000
"""Events that may wait, as in Spark's listener bus."""
_PAUSE_SECONDS: Final = 0.1
"""How long events are collected: what happens in one small batch is one call."""
_CLOSE_SECONDS: Final = 2.0


def wants_tab(sc: SparkContext) -> bool:
    """Return whether there is a place for the tab or its metrics, and they are not switched off."""
    return UI.read(conf_of(sc)) and (sc.uiWebUrl is not None or _has_sink(sc))


def _has_sink(sc: SparkContext) -> bool:
    """Return whether metrics go anywhere but to a page of the UI."""
    java: Any = sc._jsc
    config = java_class(sc, "org.apache.spark.metrics.MetricsConfig")(java.sc().conf())
    config.initialize()
    return any(
        key.startswith("sink.") and key.endswith(".class") and "ervlet" not in key
        for key in config.getInstance("driver").keySet()
    )


class StreamingTab:
    """Hands events to the listener behind Spark's own tab, all that come within a moment at once.

    A thread of its own makes all calls, so that no batch and no listener waits for them, and a
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
        self._events: deque[tuple[str, Any]] = deque()
        self._some = threading.Event()
        self._closing = threading.Event()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None
        self._java: Any = None
        self._failed = False
        self._dropped = 0
        self._told_of_dropped = False

    def note(self, callback: str, event: Any) -> None:
        """Take an event; never waits.

        Parameters
        ----------
        callback : str
            name of the method of listeners
        event : object
            its argument
        """
        if self._closing.is_set():
            return
        if len(self._events) >= _CAPACITY:
            self._dropped += 1
            return
        self._events.append((callback, event))
        with self._starting:  # receivers report from threads of their own
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._run, name="dstream-compat-tab", daemon=True
                )
                self._thread.start()
        if not self._some.is_set():
            self._some.set()

    def close(self) -> None:
        """Show what is left and remove the tab; waits for that, but not for long."""
        self._closing.set()
        self._some.set()
        if self._thread is not None:
            self._thread.join(_CLOSE_SECONDS)

    def _run(self) -> None:
        try:
            self._java = self._open()
            while not self._closing.is_set():
                self._some.wait()
                self._closing.wait(_PAUSE_SECONDS)
                self._some.clear()
                self._feed()
            self._feed()
            if spark_is_there(self._sc):
                self._java.close()
        except Exception as error:
            self._warn("are not there", error)
            self._closing.set()

    def _feed(self) -> None:
        events = [self._events.popleft() for _ in range(len(self._events))]
        if self._dropped and not self._told_of_dropped:
            self._told_of_dropped = True
            _LOG.warning(
                "The Streaming tab and its metrics have skipped %d events so far: their queue of "
                "%d was full. The job and its listeners are not affected",
                self._dropped,
                _CAPACITY,
            )
        try:
            self._java.feed(
                json.dumps([(callback, _java_values(event)) for callback, event in events])
            )
        except Exception as error:
            self._warn("may be incomplete", error)

    def _open(self) -> Any:
        java: Any = self._sc._jsc
        tab = own_class(self._sc, __package__, "FedTab").newInstance()
        tab.open(java.sc(), self._interval, json.dumps(self._inputs), self._receivers)
        return tab

    def _warn(self, what: str, error: Exception) -> None:
        if not self._failed and spark_is_there(self._sc):
            self._failed = True
            _LOG.warning(
                "Spark's tab Streaming and its metrics %s: %s (the job runs on; %s=false does "
                "without them)",
                what,
                getattr(error, "java_exception", error),
                UI,
            )


# What Java reads: lists, in the order of the parameters of Spark's classes.


def _java_values(event: Any) -> Any:
    match event:
        case BatchEvent(info):
            return _batch(info)
        case OutputOperationEvent(info):
            return _output(info)
        case ReceiverEvent(info):
            return [getattr(info, name)() for name in info._getters]
        case StreamingStarted(millis):
            return millis
    raise TypeError(f"{event!r} is not an event")


def _batch(info: JavaBatchInfo) -> list[Any]:
    return [
        info.batchTime().milliseconds(),
        [_input(part) for part in info.streamIdToInputInfo().values()],
        info.submissionTime(),
        info.processingStartTime(),
        info.processingEndTime(),
        [_output(part) for part in info.outputOperationInfos().values()],
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
