"""`toDF` of RDDs in programs that make no session, which gives RDDs that method."""

from __future__ import annotations

import ast
import re
from functools import cached_property

from migrator.collect.removed.finder import Finder, editable
from migrator.infer.values import Obj, Value
from migrator.model.removed_events import LostSession
from migrator.model.report import TextEdit
from migrator.source.python import Unit
from migrator.spark.kinds import Kind

_SESSION = re.compile(r"SparkSession|SQLContext|HiveContext|sql_?context", re.IGNORECASE)
_CONTEXT = re.compile(r"\bSparkContext\s*\(|\bSparkContext\.getOrCreate\b")
_IMPORT = "from pyspark.sql import SparkSession"


class Sessions(Finder):
    """Finds `toDF` of RDDs where no session is made."""

    def attribute(self, node: ast.Attribute) -> None:
        """Find `rdd.toDF`."""
        if node.attr != "toDF":
            return
        call = self.around.parents.get(node)
        if not isinstance(call, ast.Call) or call.func is not node or self._has_session:
            return
        value = self.facts.receivers.get(node)
        if value is None or not _is_rdd(value) or self.around.is_guarded(node):
            return
        edits = self._edits(call, node)
        event = LostSession(self.unit.name_spot(node), ast.unparse(node), edits)
        self.drafts.add(event, node, _IMPORT)

    @cached_property
    def _has_session(self) -> bool:
        """Whether anything in the programs around may make a session, or run where there is one."""
        units = [p.unit for p in self.program.project.programs.values() if p.unit is not None]
        if self.program.project.failed:
            return True
        texts = [text for unit in units for text in _texts(unit)]
        # a shell and a notebook have a session
        makes_context = any(_CONTEXT.search(text) for text in texts)
        return not makes_context or any(_SESSION.search(text) for text in texts)

    def _edits(self, call: ast.Call, node: ast.Attribute) -> tuple[TextEdit, ...]:
        """Return the same through a session: `session.createDataFrame(rdd, ...)`."""
        chunk = editable(self.unit, call)
        if chunk is None or self.around.is_bound("SparkSession", node):
            return ()
        text = chunk.source(call)
        start, end = chunk.span(call)
        receiver_end = chunk.span(node.value)[1]
        opening = chunk.text.find("(", chunk.span(node)[1], end)
        between = chunk.text[receiver_end:opening]
        if "#" in text or between.replace(" ", "") != ".toDF":
            return ()
        if any(isinstance(a, ast.Starred) for a in call.args) or len(call.args) > 2:
            return ()
        separator = ", " if call.args or call.keywords else ""
        return (
            chunk.edit(start, start, "SparkSession.builder.getOrCreate().createDataFrame("),
            chunk.edit(receiver_end, opening + 1, separator),
        )


def _texts(unit: Unit) -> list[str]:
    return [*(chunk.text for chunk in unit.chunks), *unit.unread]


def _is_rdd(value: Value) -> bool:
    """Return whether a value is proven to be an RDD."""
    atoms = value.without_none()
    if not atoms or value.unknown:
        return False
    return all(isinstance(a, Obj) and a.kind is Kind.RDD and not a.probable for a in atoms)
