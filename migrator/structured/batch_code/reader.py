"""Reads a job whose batches stay RDD code: all methods that a stream has without state."""

from __future__ import annotations

import ast
from typing import Any

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
        return self.add(Node(method, call, tuple(parents), Stage.BATCH, block))

    def _check_late(self, node: ast.expr) -> None:
        """Refuse an argument that may be another one in the function of a batch."""
        scope = self.block.functions[-1] if self.block.functions else self.module.tree
        for part in ast.walk(node):
            if isinstance(part, ast.Call) and self.module.path_of(part.func) not in _LATER:
                raise NotExpressible("LATE", "this call would run in each batch", node)
            if isinstance(part, ast.Name):
                stores = [
                    each
                    for each in ast.walk(scope)
                    if isinstance(each, ast.Name)
                    and each.id == part.id
                    and not isinstance(each.ctx, ast.Load)
                ]
                if len(stores) > 1:
                    raise NotExpressible("LATE", f"`{part.id}` may have another value later", node)

    def check_function(self, output: Output) -> None:
        """Leave the function of a `foreachRDD` as it is."""

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
