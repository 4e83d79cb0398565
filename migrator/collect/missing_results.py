"""Uses of the result of calls that return None."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property

from migrator.collect.unit_collector import UnitCollector
from migrator.infer.values import Obj
from migrator.model.events import Event
from migrator.model.job_events import AttributeOfNone
from migrator.model.report import Confidence
from migrator.spark.kinds import Kind

# of streams and contexts
_GIVE_NOTHING = frozenset(
    {
        *("pprint", "foreachRDD", "saveAsTextFiles", "start", "stop", "awaitTermination"),
        *("remember", "checkpoint", "addStreamingListener"),
    }
)
_TESTS = (ast.If, ast.While, ast.IfExp, ast.Assert)


class MissingResults(UnitCollector):
    """Collects the attributes that are taken from such a result."""

    def unit_events(self) -> Iterator[Event]:
        """Yield the events that need the whole unit."""
        for node, value in self.facts.receivers.items():
            if len(value.atoms) != 1 or value.unknown:
                continue
            (atom,) = value.atoms
            if isinstance(atom, Obj) and atom.kind is Kind.NONE and atom.why:
                name = atom.why[-1].text
                if name in _GIVE_NOTHING and not self._is_guarded(node, name):
                    sure = self.facts.converged and not atom.probable
                    confidence = Confidence.PROVEN if sure else Confidence.PROBABLE
                    at, evidence = self.unit.name_spot(node), self.uses.evidence(atom.why)
                    yield AttributeOfNone(at, confidence, evidence, name, node.attr)

    def _is_guarded(self, node: ast.Attribute, name: str) -> bool:
        """Return whether the program tests the value first, or has its own method of that name."""
        if any(patched == name for _, patched in self.facts.patched):
            return True
        tested = isinstance(node.value, ast.Name) and node.value.id in self._tested
        return tested or self.uses.is_guarded(node)

    @cached_property
    def _tested(self) -> set[str]:
        """The names that stand in conditions."""
        tests = [n.test for n in self.unit.nodes() if isinstance(n, _TESTS)]
        tests += [n for n in self.unit.nodes() if isinstance(n, ast.BoolOp)]
        return {n.id for test in tests for n in ast.walk(test) if isinstance(n, ast.Name)}
