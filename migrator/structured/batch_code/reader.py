"""Reads a job whose batches stay RDD code."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from migrator.spark.kinds import STREAMS

from ..program.arguments import arguments_of
from ..program.bindings import stores
from ..program.graph import EITHER, MQTT, TICK_SOURCE, Node, Output, Stage
from ..program.job import JobBlock, Lost, Streaming
from ..program.values import holds
from ..reading.offset_ranges import CODE, OTHER_STREAM, SOURCE
from ..reading.reader import Reader
from ..refusals import NotExpressible
from .late import check_argument
from .methods import KEEPING, NO_CHANGE, SAME, arguments, spec_arguments
from .mqtt import PARAMETERS as MQTT_PARAMETERS
from .queues import PARAMETERS

_ONE: dict[str, int] = {"count": 0, "countByValue": 0, "reduce": 1, "transform": 1}
_TWO = "transformWith"
_OF_PARTITIONS = frozenset(("partitionId", "mapPartitionsWithIndex"))
"""What knows the number of a partition: with ticks there is one more, and Spark orders them."""


class BatchReader(Reader):
    """Reads one block."""

    def operator(self, owner: Node, call: ast.Call, method: str) -> Node | Lost:
        """Return the node of a method of a stream."""
        all_arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
        if any(isinstance(each, ast.Starred) for each in all_arguments):
            raise NotExpressible("ARGUMENTS", f"the arguments of {method} are not known", call)
        is_known = method in SAME or method in NO_CHANGE or method in (*KEEPING, _TWO, "checkpoint")
        if not is_known and len(all_arguments) != _ONE.get(method, -1):
            text = f"`{method}` is no method of the RDD of a batch"
            raise NotExpressible("BATCH_CODE", text, call)
        parents = [owner]
        for each in all_arguments:
            other = self.value(each)
            if isinstance(other, Node):
                parents.append(other)
            elif other is not None:
                text = f"`{method}` is given more than streams and functions"
                raise NotExpressible("ARGUMENTS", text, each)
            elif method != "mapWithState":
                check_argument(self.module, self.block, each)
        stream = self.add(Node(method, call, tuple(parents), _stage(method, parents), self.block))
        if method in KEEPING:
            arguments(stream)
        if method == "mapWithState":
            for each in spec_arguments(self.module, stream).values():
                check_argument(self.module, self.block, each)
        return stream

    def _union(self, call: ast.Call) -> Node | Lost:
        union_node = super()._union(call)
        if isinstance(union_node, Node) and not union_node.is_source:
            union_node.stage = _stage("union", union_node.parents)
        return union_node

    def either(self, name: str, stream: Node, other: Node) -> Node | Lost:
        """Return the node of one of two streams of the same batch that share a name."""
        first, second = (
            {step for step in node.path() if step.is_source} for node in (stream, other)
        )
        if first != second:
            text = f"`{name}` reads another source in one branch of an `if`"
            return self.refuse(NotExpressible("BRANCH", text, other.call))
        for store in stores(self.module.function(other.call), name):
            value = getattr(self.module.parents[store], "value", None)
            if value is None or not holds(self.module.facts.values.get(value), STREAMS):
                text = f"`{name}` is no stream in one place"
                return self.refuse(NotExpressible("BRANCH", text, store))
        return self.add(Node(EITHER, other.call, (stream, other), Stage.BATCH, self.block, name))

    def check_function(self, output: Output) -> None:
        """Check that the function of a `foreachRDD` is the same in each batch."""
        for argument in (*output.call.args, *(keyword.value for keyword in output.call.keywords)):
            check_argument(self.module, self.block, argument)

    def _call(self, call: ast.Call) -> Any:
        match call.func:
            case ast.Attribute(value=owner, attr="queueStream") if isinstance(
                self.value(owner), Streaming
            ):
                arguments_of(call, *PARAMETERS)
                return self._at_ticks("queueStream", call)
            case ast.Attribute(attr="createStream") as function if f".{MQTT}." in (
                self.module.path_of(function) or ""
            ):
                arguments = arguments_of(call, *MQTT_PARAMETERS)
                if isinstance(self.value(arguments["ssc"]), Streaming):
                    return self._at_ticks(MQTT, call)
        return super()._call(call)

    def _at_ticks(self, operator: str, call: ast.Call) -> Node:
        """Return a stream of which each batch takes what is there: one query does for all."""
        ticks = next((node for node in self.job.nodes if node.operator == TICK_SOURCE), None)
        if ticks is None:
            ticks = self.add(Node(TICK_SOURCE, call, (), Stage.ROWS, self.block))
        return self.add(Node(operator, call, (ticks,), Stage.BATCH, self.block))

    def _source(self, call: ast.Call, method: str) -> Node | None:
        if method in ("textFile", "parallelize"):
            # RDDs of the driver stay what they are
            self.release(call)
            return None
        return super()._source(call, method)

    def functions_apart(self) -> set[ast.AST]:
        """Return the code that is read when it is rewritten: none, as all of it stays."""
        return set()

    def find_offsets(self) -> None:
        """Note whether the functions of batches read offsets of Kafka."""
        nodes = ast.walk(self.module.tree)
        reads = [e for e in nodes if isinstance(e, ast.Attribute) and e.attr == "offsetRanges"]
        if reads and all(node.operator != SOURCE for node in self.job.nodes):
            raise NotExpressible(CODE, OTHER_STREAM, reads[0])
        self.job.reads_offsets = bool(reads)
        for node in ast.walk(self.module.tree) if reads else ():
            if isinstance(node, ast.Attribute) and node.attr in _OF_PARTITIONS:
                text = "offsets are used by the number of a partition, which the RDD has not"
                raise NotExpressible(CODE, text, node)

    def read(self) -> JobBlock | None:
        """Return the job of the block, or None if it builds no StreamingContext."""
        job = super().read()
        if job is not None:
            for node in ast.walk(self.module.tree):
                try:
                    self._refuse_old_context(node)
                except NotExpressible as error:
                    self.refuse(error)
        return job

    def _refuse_old_context(self, node: ast.AST) -> None:
        """Refuse code that needs what the old context has set, or a stream under its name."""
        match node:
            case ast.Attribute(attr="checkpoint" | "getCheckpointDir", value=owner) if not (
                (isinstance(owner, ast.Name) and owner.id in self.names)
                or holds(self.module.facts.values.get(owner), STREAMS)
            ):
                text = "an RDD is saved in the checkpoint folder of the old context"
                raise NotExpressible("CHECKPOINT", text, node)
            case ast.Delete(targets=targets):
                for target in targets:
                    if isinstance(target, ast.Name) and target.id in self.names:
                        raise NotExpressible("USE", f"`{target.id}` is deleted", target)


def _stage(method: str, parents: Sequence[Node]) -> Stage:
    """Return where a stream is computed: sources are united before their rows are records."""
    different = len({*parents}) == len(parents) and all(parent.is_source for parent in parents)
    return Stage.ROWS if method == "union" and different else Stage.BATCH
