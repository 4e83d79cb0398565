"""Events about functions that get the RDD of each batch, and about code made at run time."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrator.collect.unit_collector import UnitCollector, streaming_object, text_of
from migrator.infer.containers import atoms_within
from migrator.infer.values import Obj, Value
from migrator.model.events import Event
from migrator.model.job_events import LostOffsets, RddCode, RuntimeCode
from migrator.model.report import Confidence
from migrator.source.child_nodes import enclosing_functions
from migrator.spark.kinds import Kind

_EVALUATE = frozenset({"builtins.eval", "builtins.exec"})


class BatchFunctions(UnitCollector):
    """Collects these events for a whole unit."""

    def unit_events(self) -> Iterator[Event]:
        """Yield the events that need the whole unit."""
        batches = {n: v for n, v in self.facts.receivers.items() if _batch(v) is not None}
        codes = [n for n, callee in self.facts.callees.items() if callee.paths & _EVALUATE]
        if batches or codes:
            where = enclosing_functions(self.unit.tree)
            yield from self._rdd_code(batches, where)
            yield from self._run_time_code_events(codes, where)

    def _rdd_code(
        self, batches: dict[ast.Attribute, Value], where: dict[ast.AST, ast.AST]
    ) -> Iterator[Event]:
        by_function: dict[ast.AST, list[ast.Attribute]] = {}
        for node in batches:
            if node.attr == "offsetRanges":
                yield from self._offsets(node, batches[node])
            elif node in where and not node.attr.startswith("_"):
                by_function.setdefault(where[node], []).append(node)
        for function, nodes in by_function.items():
            nodes.sort(key=lambda n: (n.end_lineno or 0, n.end_col_offset or 0))
            first = nodes[0]
            atom = _batch(batches[first])
            assert atom is not None
            inferred = self.inferred_event(first, batches[first], atom)
            name = getattr(function, "name", "a lambda")
            operations = tuple(dict.fromkeys(n.attr for n in nodes))
            yield RddCode(inferred.at, inferred.confidence, inferred.evidence, name, operations)

    def _offsets(self, node: ast.Attribute, value: Value) -> Iterator[Event]:
        tags = {a.tag for a in value.atoms if isinstance(a, Obj)}
        atom = _batch(value)
        if value.unknown or tags != {"batch"} or atom is None:
            return
        if not self.uses.is_guarded(node):
            inferred = self.inferred_event(node, value, atom)
            yield LostOffsets(inferred.at, inferred.confidence, inferred.evidence)

    def _run_time_code_events(
        self, codes: list[ast.Call], where: dict[ast.AST, ast.AST]
    ) -> Iterator[Event]:
        near: set[ast.AST | None] = {
            where.get(node)
            for node, value in self.facts.receivers.items()
            if streaming_object(value) is not None
        }
        # and those that are given what a batch has
        near |= {
            node
            for node, info in self.program.functions.items()
            if any(_holds_batch(value) for value in info.params.values())
        }
        for call in codes:
            if where.get(call) in near:
                what = ast.unparse(call.func).rpartition(".")[2]
                at = self.unit.spot_of(call)
                yield RuntimeCode(at, Confidence.PROVEN, (), what, text_of(call))


def _holds_batch(value: Value) -> bool:
    """Return whether a value is or holds the RDD of a batch."""
    return any(
        isinstance(a, Obj) and a.kind is Kind.RDD and bool(a.tag) for a in atoms_within([value])
    )


def _batch(value: Value) -> Obj | None:
    """Return the RDD of a batch in a value."""
    for atom in value.sorted_atoms():
        if isinstance(atom, Obj) and atom.kind is Kind.RDD and atom.tag:
            return atom
    return None
