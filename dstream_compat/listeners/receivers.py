"""Posts what receivers report as events of the listener bus."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pyspark import SparkContext

from ..clock import Clock
from ..graph.nodes import Graph
from ..source.base import Source, SourceEvents
from .bus import ListenerBus
from .events import JavaReceiverInfo, ReceiverEvent
from .java_values import UNKNOWN
from .streaming_tab import StreamingTab


@dataclass(eq=False)
class ReceiverMonitor(SourceEvents):
    """Follows the receivers of a job.

    Mirrors what ``org.apache.spark.streaming.scheduler.ReceiverTracker`` posts.

    Parameters
    ----------
    sc : SparkContext
        the user's context
    graph : Graph
        what runs
    clock : Clock
        the streaming clock
    sources : mapping
        source node id to source
    bus : ListenerBus
        carries the events to the user's listeners
    tab : StreamingTab, optional
        gets them, too
    """

    sc: SparkContext
    graph: Graph
    clock: Clock
    sources: Mapping[int, Source]
    bus: ListenerBus
    tab: StreamingTab | None = None

    def __post_init__(self) -> None:
        self._host = self.sc.getConf().get("spark.driver.host") or "localhost"

    def stream_id(self, source: Source) -> int:
        node = next(node for node, known in self.sources.items() if known is source)
        return self.graph.inputs[node]

    def receiver_started(self, source: Source) -> None:
        self._post("onReceiverStarted", source, True)

    def receiver_stopped(self, source: Source, message: str, error: str = "") -> None:
        self._post("onReceiverStopped", source, False, message, error)

    def receiver_error(self, source: Source, message: str, error: str) -> None:
        self._post("onReceiverError", source, True, message, error)

    def _post(
        self, callback: str, source: Source, active: bool, message: str = "", error: str = ""
    ) -> None:
        stream = self.stream_id(source)
        name = f"{source.receiver}-{stream}"
        at = self.clock.now() if error else UNKNOWN
        info = JavaReceiverInfo(stream, name, active, self._host, "driver", message, error, at)
        self._tell(callback, ReceiverEvent(info))

    def _tell(self, callback: str, event: Any) -> None:
        if self.tab is not None:
            self.tab.note(callback, event)
        self.bus.post(callback, event)
