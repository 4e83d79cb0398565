"""Posts what receivers report as events of the listener bus."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pyspark import SparkContext

from ..clock import Clock
from ..graph.nodes import Graph
from ..source.base import Input, SourceEvents
from ..spark.conf import conf_of
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
    inputs : mapping
        source node id to input
    bus : ListenerBus
        carries the events to the user's listeners
    tab : StreamingTab, optional
        gets them, too
    """

    sc: SparkContext
    graph: Graph
    clock: Clock
    inputs: Mapping[int, Input]
    bus: ListenerBus
    tab: StreamingTab | None = None

    def __post_init__(self) -> None:
        self._host = conf_of(self.sc).get("spark.driver.host") or "localhost"

    def stream_id(self, receiver: Input) -> int:
        node = next(node for node, own in self.inputs.items() if own is receiver)
        return self.graph.inputs[node]

    def receiver_started(self, receiver: Input) -> None:
        self._post("onReceiverStarted", receiver, True)

    def receiver_stopped(self, receiver: Input, message: str, error: str = "") -> None:
        self._post("onReceiverStopped", receiver, False, message, error)

    def receiver_error(self, receiver: Input, message: str, error: str) -> None:
        self._post("onReceiverError", receiver, True, message, error)

    def _post(
        self, callback: str, receiver: Input, active: bool, message: str = "", error: str = ""
    ) -> None:
        stream = self.stream_id(receiver)
        name = f"{receiver.receiver}-{stream}"
        at = self.clock.now() if error else UNKNOWN
        info = JavaReceiverInfo(stream, name, active, self._host, "driver", message, error, at)
        self._tell(callback, ReceiverEvent(info))

    def _tell(self, callback: str, event: Any) -> None:
        if self.tab is not None:
            self.tab.note(callback, event)
        self.bus.post(callback, event)
