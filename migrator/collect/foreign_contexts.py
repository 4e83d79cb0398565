"""Contexts that a program only gets, from code that is not part of the tree."""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections.abc import Iterator

from migrator.collect.unit_collector import UnitCollector, text_of
from migrator.infer.program import FunctionInfo
from migrator.infer.values import Obj, Ref, Value
from migrator.model.events import Event
from migrator.model.job_events import ForeignContext
from migrator.source.child_nodes import enclosing_functions
from migrator.spark.kinds import Kind

# where the evidence begins if nobody is seen to make the object
_ASSUMED = ("only a ", "declared as ", "documented as ")
_SPARK = frozenset({"pyspark", "dstream_compat"})
_TEST = re.compile(
    r"^\s*(?:import|from)\s+(?:unittest|pytest|nose)\b|^\s*def\s+test_", re.MULTILINE
)


class ForeignContexts(UnitCollector):
    """Collects the first use of such a context in a job."""

    def unit_events(self) -> Iterator[Event]:
        """Yield the event of the unit, if it has one."""
        assumed_nodes = [n for n, v in self.facts.receivers.items() if _is_assumed(v)]
        if not assumed_nodes or self.unit.unread or self.program.project.failed:
            return
        if any(_TEST.search(chunk.text) for chunk in self.unit.chunks):
            return
        starts = {text_of(n.value) for n in self.facts.receivers if n.attr == "start"}
        where = enclosing_functions(self.unit.tree)
        assumed_nodes.sort(key=lambda n: (n.end_lineno or 0, n.end_col_offset or 0))
        for node in assumed_nodes:
            name = text_of(node.value)
            info = next((i for f, i in self.program.functions.items() if f is where[node]), None)
            is_others = info is not None and ("decorated" in info.flags or _has_foreign_base(info))
            if name in starts or is_others:
                by_others = info is not None and is_others and not self._is_called(info.name)
                yield ForeignContext(self.unit.name_spot(node), name, by_others=by_others)
                return

    def _is_called(self, name: str) -> bool:
        """Return whether a function of this name is called by the programs of the job."""
        units = (program.unit for program in self.program.project.programs.values())
        nodes = (node for unit in units if unit is not None for node in unit.nodes())
        calls = (node for node in nodes if isinstance(node, ast.Call))
        return any(
            (isinstance(call.func, ast.Attribute) and call.func.attr == name)
            or (isinstance(call.func, ast.Name) and call.func.id == name)
            for call in calls
        )


def _has_foreign_base(info: FunctionInfo) -> bool:
    """Return whether a function is a method that a base class from elsewhere may call."""
    for family in () if info.owner is None else info.owner.ancestors():
        for base in family.node.bases:
            if isinstance(base, ast.Name) and hasattr(builtins, base.id):
                continue
            value = info.program.facts.values.get(base, family.bases)
            roots = {a.path.partition(".")[0] for a in value.atoms if isinstance(a, Ref)}
            if value.unknown or roots - sys.stdlib_module_names - _SPARK:
                return True
    return False


def _is_assumed(value: Value) -> bool:
    """Return whether a value is a context, and nothing says who has made it."""
    contexts = [a for a in value.atoms if isinstance(a, Obj) and a.kind is Kind.STREAMING_CONTEXT]
    return bool(contexts) and all(a.why and a.why[0].text.startswith(_ASSUMED) for a in contexts)
