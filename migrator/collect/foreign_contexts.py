"""Contexts that a program only gets, from code that is not part of the tree."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from migrator.collect.enclosing_functions import enclosing_functions
from migrator.collect.unit_collector import UnitCollector, text_of
from migrator.infer.values import Obj, Value
from migrator.model.events import Event
from migrator.model.job_events import ForeignContext
from migrator.spark.kinds import Kind

# where the evidence begins if nobody is seen to make the object
_ASSUMED = ("only a ", "declared as ", "documented as ")
_TEST = re.compile(
    r"^\s*(?:import|from)\s+(?:unittest|pytest|nose)\b|^\s*def\s+test_", re.MULTILINE
)


class ForeignContexts(UnitCollector):
    """Collects the first use of such a context in a job."""

    def unit_events(self) -> Iterator[Event]:
        """Yield the event of the unit, if it has one."""
        found = [n for n, v in self.facts.receivers.items() if _is_assumed(v)]
        if not found or self.unit.unread or self.program.project.failed:
            return
        if any(_TEST.search(chunk.text) for chunk in self.unit.chunks):
            return
        starts = {text_of(n.value) for n in self.facts.receivers if n.attr == "start"}
        where = enclosing_functions(self.unit)
        found.sort(key=lambda n: (n.end_lineno or 0, n.end_col_offset or 0))
        for node in found:
            name = text_of(node.value)
            if name in starts or self._is_decorated(where.get(node)):
                yield ForeignContext(self.uses.attribute_spot(node), name)
                return

    def _is_decorated(self, function: ast.AST | None) -> bool:
        """Return whether code that is not known may call a function."""
        known = (i for node, i in self.program.functions.items() if node is function)
        return any("decorated" in info.flags for info in known)


def _is_assumed(value: Value) -> bool:
    """Return whether a value is a context, and nothing says who has made it."""
    contexts = [a for a in value.atoms if isinstance(a, Obj) and a.kind is Kind.STREAMING_CONTEXT]
    return bool(contexts) and all(a.why and a.why[0].text.startswith(_ASSUMED) for a in contexts)
