"""Reads a job whose batches stay RDD code: all methods that a stream has without state."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from ..program.bindings import bindings
from ..program.graph import Node, Output, Stage
from ..program.job import Lost
from ..program.modules import Block
from ..reading.reader import Reader
from ..refusals import NotExpressible
from .methods import NO_CHANGE, SAME

_ONE: dict[str, int] = {"count": 0, "countByValue": 0, "reduce": 1, "transform": 1}
_TWO = "transformWith"
_LATER = frozenset(
    ("functools.partial", "operator.itemgetter", "operator.attrgetter", "operator.methodcaller")
)
"""Calls that give the same function whenever they run."""


class BatchReader(Reader):
    """Reads one block."""

    def operator(
        self, owner: Node, call: ast.Call, method: str, block: Block, names: dict[str, Any]
    ) -> Node | Lost:
        """Return the node of a method of a stream."""
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        if any(isinstance(each, ast.Starred) for each in given):
            raise NotExpressible("ARGUMENTS", f"the arguments of {method} are not known", call)
        known = method in SAME or method in NO_CHANGE or method == _TWO
        if not known and len(given) != _ONE.get(method, -1):
            text = f"`{method}` is no method of the RDD of a batch"
            raise NotExpressible("BATCH_CODE", text, call)
        parents = [owner]
        for each in given:
            other = self.value(each, block, names)
            if isinstance(other, Node):
                parents.append(other)
            elif other is not None:
                text = f"`{method}` is given more than streams and functions"
                raise NotExpressible("ARGUMENTS", text, each)
            elif not isinstance(each, ast.Lambda):
                self._check_late(each)
        return self.add(Node(method, call, tuple(parents), _stage(method, parents), block))

    def _union(self, call: ast.Call, block: Block, names: dict[str, Any]) -> Node | Lost:
        made = super()._union(call, block, names)
        if isinstance(made, Node) and not made.is_source:
            made.stage = _stage("union", made.parents)
        return made

    def _check_late(self, node: ast.expr) -> None:
        """Refuse an argument that may be another one in the function of a batch."""
        for part in ast.walk(node):
            if isinstance(part, ast.Call) and self.module.path_of(part.func) not in _LATER:
                raise NotExpressible("LATE", "this call would run in each batch", node)
            if isinstance(part, ast.Name) and self._is_bound_again(part.id):
                raise NotExpressible("LATE", f"`{part.id}` may have another value later", node)

    def _is_bound_again(self, name: str) -> bool:
        """Return whether a name of the job is bound several times, or by other functions."""
        nodes = [*ast.walk(self.module.tree)]
        if any(
            isinstance(each, ast.Global | ast.Nonlocal) and name in each.names for each in nodes
        ):
            return True
        bound = [each for each in nodes if name in bindings(each)]
        for scope in (*reversed(self.block.functions), self.module.tree):
            own = [each for each in bound if self.module.function(each) is scope]
            if own:
                return len(own) > 1
        return False

    def check_function(self, output: Output) -> None:
        """Check that the function of a `foreachRDD` is the same in each batch."""
        for given in (*output.call.args, *(each.value for each in output.call.keywords)):
            if not isinstance(given, ast.Lambda):
                self._check_late(given)

    def _source(self, call: ast.Call, method: str, block: Block) -> Node | None:
        if method in ("textFile", "parallelize"):
            # RDDs of the driver stay what they are
            self.release(call)
            return None
        return super()._source(call, method, block)

    def functions_apart(self) -> set[ast.AST]:
        """Return the code that is read when it is rewritten: none, as all of it stays."""
        return set()

    def find_offsets(self) -> None:
        """Refuse offsets, which the RDD of a batch has no more."""
        for node in ast.walk(self.module.tree):
            if isinstance(node, ast.Attribute) and node.attr == "offsetRanges":
                text = "the RDD of a batch has no offsets"
                raise NotExpressible("OFFSET_RANGES", text, node)


def _stage(method: str, parents: Sequence[Node]) -> Stage:
    """Return where a stream is computed: sources are united before their rows are records."""
    different = len({*parents}) == len(parents) and all(each.is_source for each in parents)
    return Stage.ROWS if method == "union" and different else Stage.BATCH
