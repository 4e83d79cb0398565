"""Java code of Spark Streaming that a program reaches through py4j."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from migrator.collect.api_uses import ApiUses
from migrator.collect.unit_collector import UnitCollector
from migrator.infer.program import Program
from migrator.infer.values import Jvm
from migrator.model.events import Event, JavaPath, JvmReceiver
from migrator.model.report import Spot
from migrator.source.python import Unit
from migrator.spark.jvm_receivers import jvm_receiver

JAVA = "org.apache.spark.streaming"
_JVM = re.compile(r"(?:^|\.)_?jvm\.")
_STREAMING = re.compile(r"(?<!sql\.)\bstreaming\b")
# what may stand in the name of such a class
_HINTS = ("Utils", "Helper")


class JavaPaths(UnitCollector):
    """Collects paths into Java, of attributes and in strings; only the longest of a chain."""

    def __init__(self, unit: Unit, program: Program, uses: ApiUses) -> None:
        super().__init__(unit, program, uses)
        # an attribute comes before its parts
        self.reported: set[ast.AST] = set()

    def attribute(self, node: ast.Attribute) -> Iterator[Event]:
        """Yield a class that makes streams, or the package of Spark Streaming."""
        if node.attr.endswith(_HINTS) and self._is_java(node):
            receiver = jvm_receiver(node.attr)
            if receiver is not None and (self._is_of_streaming(node) or self._creates(node)):
                self.reported.update(ast.walk(node.value))
                yield JvmReceiver(self.unit.name_spot(node), *receiver)
        if node.attr == "streaming" and node not in self.reported:
            text = ast.unparse(node.value)
            if text.endswith("org.apache.spark"):
                yield JavaPath(self.unit.name_spot(node), f"{text}.streaming")

    def string(self, text: str, at: Spot) -> Iterator[Event]:
        """Yield the same of a string with the full name of a class."""
        receiver = jvm_receiver(text)
        if receiver is None:
            yield JavaPath(at, text)
        else:
            yield JvmReceiver(at, *receiver)

    def _is_of_streaming(self, node: ast.Attribute) -> bool:
        """Return whether a class lies in a package of streams; those of tables have none."""
        value = self.facts.receivers.get(node)
        paths = [a.path for a in value.atoms if isinstance(a, Jvm)] if value is not None else []
        return any(_STREAMING.search(path) for path in (*paths, ast.unparse(node.value)))

    def _creates(self, attribute: ast.Attribute) -> bool:
        """Return whether a method of a class or of its object is called that makes something."""
        holders = {ast.unparse(attribute), f"{ast.unparse(attribute)}()"}
        for node in self.unit.nodes():
            if isinstance(node, ast.Assign) and ast.unparse(node.value) in holders:
                holders.update(ast.unparse(target) for target in node.targets)
        return any(
            isinstance(node, ast.Attribute)
            and node.attr.startswith("create")
            and ast.unparse(node.value) in holders
            for node in self.unit.nodes()
        )

    def _is_java(self, node: ast.Attribute) -> bool:
        value = self.facts.receivers.get(node)
        if value is not None and any(isinstance(a, Jvm) for a in value.atoms):
            return True
        return _JVM.search(ast.unparse(node)) is not None
