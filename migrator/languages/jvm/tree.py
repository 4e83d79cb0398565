"""Scala and Java as syntax trees, by tree-sitter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from migrator.model.report import Spot

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

_SCOPES = frozenset(
    (
        # Scala
        *("template_body", "block", "function_definition", "lambda_expression", "case_clause"),
        *("class_definition", "object_definition", "trait_definition", "for_expression"),
        # Java
        *("class_declaration", "class_body", "method_declaration", "constructor_declaration"),
        *("interface_declaration", "for_statement", "enhanced_for_statement", "catch_clause"),
    )
)


def can_parse(language: str) -> bool:
    """Return whether the optional part that parses a language ("scala" or "java") is installed."""
    return all(find_spec(name) is not None for name in ("tree_sitter", f"tree_sitter_{language}"))


@dataclass(eq=False, slots=True)
class JvmScope:
    """A namespace of a source: what its names are, None if that is not known."""

    parent: JvmScope | None
    kinds: dict[str, object] = field(default_factory=dict)

    def find(self, name: str) -> object:
        """Return what a name is, in this scope or around it."""
        scope: JvmScope | None = self
        while scope is not None:
            if name in scope.kinds:
                return scope.kinds[name]
            scope = scope.parent
        return None

    def owner(self, name: str) -> JvmScope | None:
        """Return the scope that declares a name."""
        scope: JvmScope | None = self
        while scope is not None and name not in scope.kinds:
            scope = scope.parent
        return scope


class JvmSource:
    """A parsed source.

    Attributes
    ----------
    nodes : list of (Node, JvmScope)
        All named nodes, parents before children, each with its scope.
    """

    def __init__(self, text: str, language: str) -> None:
        self.data = text.encode("utf-8", "replace")
        self.lines = self.data.split(b"\n")
        # the nodes are views of the tree
        self.tree = _parser(language).parse(self.data)
        self.nodes = list(_nodes(self.tree.root_node))

    def text(self, node: Node) -> str:
        """Return the text of a node."""
        return self.data[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def spot(self, node: Node) -> Spot:
        """Return where a node starts."""
        row, column = node.start_point
        before = self.lines[row][:column] if row < len(self.lines) else b""
        return Spot(row + 1, len(before.decode("utf-8", "replace")) + 1)

    def first_error(self) -> Spot | None:
        """Return where the parser did not understand the source, if anywhere."""
        if not self.tree.root_node.has_error:
            return None
        broken = (node for node, _ in self.nodes if node.is_error or node.is_missing)
        return next((self.spot(node) for node in broken), Spot(1, 1))


def _nodes(root: Node) -> Iterator[tuple[Node, JvmScope]]:
    # not recursive: sources may be nested deeper than Python calls
    waiting = [(root, JvmScope(None))]
    while waiting:
        node, scope = waiting.pop()
        yield node, scope
        inner = JvmScope(scope) if node.type in _SCOPES else scope
        if node.type == "lambda_expression":
            inner.kinds.update((name, None) for name in _parameters(node))
        waiting += [(child, inner) for child in reversed(node.named_children)]


def _parameters(function: Node) -> Iterator[str]:
    """Yield the names that a lambda gives to its arguments: they hide those around it."""
    parameters = function.child_by_field_name("parameters")
    if parameters is not None:
        for node in (parameters, *parameters.named_children):
            if node.type == "identifier" and node.text is not None:
                yield node.text.decode("utf-8", "replace")


@cache
def _parser(language: str) -> Parser:
    # optional dependencies
    from tree_sitter import Language, Parser

    return Parser(Language(import_module(f"tree_sitter_{language}").language()))
