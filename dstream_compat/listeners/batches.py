"""The record of a batch for listeners, from its submission to the end of its last output."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Final

from ..graph.job_names import site_of
from ..graph.nodes import Graph, Node, OutputNode, SourceNode
from ..source.base import InputInfo
from .infos import JavaBatchInfo, JavaOutputOperationInfo, JavaStreamInputInfo
from .java_values import UNKNOWN, ScalaList
from .states import StateOperatorInfo

_FAILED: Final = "org.apache.spark.SparkException: An exception was raised by Python:\n"
"""How the reason of a failure begins with DStreams, too."""


@dataclass
class BatchOutput:
    """One output of one batch; times by the streaming clock."""

    output: OutputNode
    number: int
    start: int = UNKNOWN
    end: int = UNKNOWN
    failure: str | None = None

    def begin(self, now: int) -> None:
        """Note that it runs, for the first time or again."""
        self.start, self.end, self.failure = now, UNKNOWN, None

    def fail(self, text: str) -> None:
        """Note why it failed."""
        self.failure = _FAILED + text

    def info(self, graph: Graph, tick: int) -> JavaOutputOperationInfo:
        """Return what listeners are told now."""
        site = site_of(graph, self.output)
        return JavaOutputOperationInfo(
            tick,
            self.number,
            site.name(self.output.label),
            site.description(),
            self.start,
            self.end,
            self.failure if self.end != UNKNOWN else None,
        )


@dataclass
class Batch:
    """A batch from when it is due until its last output has ended; times by the wall clock."""

    tick: int
    runs: list[BatchOutput]
    submission: int
    begin: int = UNKNOWN
    end: int = UNKNOWN
    inputs: dict[int, InputInfo] = field(default_factory=dict)
    read: dict[int, int] = field(default_factory=dict)
    states: list[StateOperatorInfo] = field(default_factory=list)
    execution: str = ""
    planned: bool = False
    submitted: bool = False
    started: bool = False

    @property
    def has_ended(self) -> bool:
        """Whether its last output has ended."""
        return self.end != UNKNOWN

    def records(self, node: int) -> int:
        """Return how many records of a source it has, those that tasks have read included."""
        return self.inputs[node].records + self.read.get(node, 0)

    def info(self, graph: Graph) -> JavaBatchInfo:
        """Return what listeners are told now."""
        return JavaBatchInfo(
            self.tick,
            [self._input(graph, node) for node in self.inputs],
            self.submission,
            self.begin if self.started else UNKNOWN,
            self.end,
            [run.info(graph, self.tick) for run in self.runs],
            self.states,
            self.execution,
        )

    def _input(self, graph: Graph, node: int) -> JavaStreamInputInfo:
        records, files = self.inputs[node]
        if self.has_ended:  # what tasks have read is counted where they read it
            records = self.records(node)
        metadata = {} if files is None else _file_metadata(files)
        return JavaStreamInputInfo(graph.inputs[node], records, metadata)


def _file_metadata(files: tuple[str, ...]) -> dict[str, object]:
    return {"files": ScalaList(files), "Description": "\n".join(files)}


def wall_clock() -> int:
    """Return the milliseconds since the epoch."""
    return int(time.time() * 1000)


def sources_of(node: Node) -> frozenset[int]:
    """Return the ids of the source nodes that a stream is made of."""
    if isinstance(node, SourceNode):
        return frozenset((node.id,))
    return frozenset().union(*map(sources_of, node.parents))
