"""What the names and expressions of a Scala or Java source are: contexts, streams, API classes.

One source at a time, by declared types, constructors and calls; repeated until nothing is new.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from migrator.languages.jvm.api import (
    CONTEXT_STREAMS,
    FACTORIES,
    KINDS,
    PACKAGES,
    ROOT,
    STREAM_OTHER,
)
from migrator.languages.jvm.tree import JvmScope, JvmSource
from migrator.spark.kinds import Kind

if TYPE_CHECKING:
    from tree_sitter import Node

_PASSES = 8
_NAMES = ("identifier", "type_identifier", "operator_identifier")
_WRAPPERS = ("parenthesized_expression", "generic_function", "postfix_expression")
_GETTERS = ("getOrCreate", "getActive", "getActiveOrCreate")


@dataclass(frozen=True, slots=True)
class ApiClass:
    """A class or object of Spark Streaming, by its simple name."""

    name: str


class JvmKinds:
    """The kinds of all expressions of a source."""

    def __init__(self, source: JvmSource, imports: dict[str, str]) -> None:
        self.source = source
        self.imports = imports
        self.by_node: dict[int, object] = {}
        self.changed = True
        for _ in range(_PASSES):
            if not self.changed:
                break
            self.changed = False
            # children before their parents
            for node, scope in reversed(source.nodes):
                self._learn(node, scope)

    def of(self, node: Node | None) -> object:
        """Return a `Kind`, an `ApiClass`, or None if it is neither."""
        return None if node is None else self.by_node.get(node.id)

    def member(self, node: Node) -> tuple[Node, Node] | None:
        """Return the receiver and the name of a call or selection `receiver.name`."""
        if node.type in ("field_expression", "field_access"):
            value, name = "value", "field"
            if node.type == "field_access":
                value = "object"
        elif node.type == "method_invocation":
            value, name = "object", "name"
        elif node.type == "infix_expression":
            value, name = "left", "operator"
        else:
            return None
        receiver, field = node.child_by_field_name(value), node.child_by_field_name(name)
        return None if receiver is None or field is None else (receiver, field)

    def type_named(self, node: Node | None) -> str | None:
        """Return the class of Spark Streaming that a type or constructor names."""
        while node is not None and node.type in ("generic_type", "annotated_type"):
            node = node.child_by_field_name("type") or node.named_child(0)
        if node is None:
            return None
        path = self.source.text(node).replace(" ", "")
        if path.startswith(ROOT + "."):
            return path.rpartition(".")[2]
        return self.imports.get(path)

    def _learn(self, node: Node, scope: JvmScope) -> None:
        kind = self._kind(node, scope)
        if kind is not None and self.by_node.get(node.id) != kind:
            self.by_node[node.id] = kind
            self.changed = True
        self._declare(node, scope)

    def _kind(self, node: Node, scope: JvmScope) -> object:
        if node.type in _NAMES:
            name = self.source.text(node)
            kind = scope.find(name)
            if kind is not None or scope.owner(name) is not None:
                return kind
            return ApiClass(self.imports[name]) if name in self.imports else None
        if node.type in ("instance_expression", "object_creation_expression"):
            named = self.type_named(node.child_by_field_name("type") or node.named_child(0))
            return KINDS.get(named) if named is not None else None
        if node.type == "call_expression":
            function = node.child_by_field_name("function")
            if function is not None and function.type in _NAMES:
                return scope.find(self.source.text(function) + "()")
            return self.of(function)
        if node.type in _WRAPPERS or node.type == "block":
            # a block is worth its last expression
            children = node.named_children
            return self.of(children[-1 if node.type == "block" else 0]) if children else None
        if node.type == "method_invocation" and node.child_by_field_name("object") is None:
            name_node = node.child_by_field_name("name")
            return None if name_node is None else scope.find(self.source.text(name_node) + "()")
        member = self.member(node)
        return None if member is None else self._member_kind(*member, scope)

    def _member_kind(self, receiver: Node, field: Node, scope: JvmScope) -> object:
        name = self.source.text(field)
        if receiver.type == "this" or self.source.text(receiver) == "this":
            return scope.find(name)
        match self.of(receiver):
            case Kind.STREAMING_CONTEXT:
                return Kind.DSTREAM if name in CONTEXT_STREAMS else None
            case Kind.DSTREAM:
                return None if name in STREAM_OTHER else Kind.DSTREAM
            case ApiClass(cls):
                if KINDS.get(cls) is Kind.STREAMING_CONTEXT and name in _GETTERS:
                    return Kind.STREAMING_CONTEXT
                return Kind.DSTREAM if cls in FACTORIES and name != "createRDD" else None
        path = f"{self.source.text(receiver)}.{name}" if len(receiver.type) < 20 else ""
        package, _, simple = path.rpartition(".")
        return ApiClass(simple) if simple in PACKAGES.get(package, ()) else None

    def _declare(self, node: Node, scope: JvmScope) -> None:
        names: list[tuple[Node | None, object]] = []
        annotated = node.child_by_field_name("type")
        value = node.child_by_field_name("value")
        match node.type:
            case "val_definition" | "var_definition" | "val_declaration" | "var_declaration":
                pattern = node.child_by_field_name("pattern") or node.child_by_field_name("name")
                names.append((pattern, self._declared_kind(annotated, value)))
            case "parameter" | "class_parameter" | "formal_parameter" | "binding":
                names.append(
                    (node.child_by_field_name("name"), self._declared_kind(annotated, None))
                )
            case "local_variable_declaration" | "field_declaration":
                is_var = annotated is not None and self.source.text(annotated) == "var"
                for part in node.children_by_field_name("declarator"):
                    value_node = part.child_by_field_name("value")
                    kind = self._declared_kind(None if is_var else annotated, value_node)
                    names.append((part.child_by_field_name("name"), kind))
            case "assignment_expression":
                self._assign(node, scope)
            case "function_definition" | "method_declaration":
                name = node.child_by_field_name("name")
                returned = node.child_by_field_name("return_type") or annotated
                body = node.child_by_field_name("body")
                if name is not None:
                    kind = self._declared_kind(returned, None if returned is not None else body)
                    self._bind(scope, self.source.text(name) + "()", kind)
                    if node.type == "function_definition":
                        # Scala calls it without parentheses too
                        self._bind(scope, self.source.text(name), kind)
        for target, kind in names:
            if target is not None and target.type in _NAMES:
                self._bind(scope, self.source.text(target), kind)

    def _declared_kind(self, annotated: Node | None, value: Node | None) -> object:
        if annotated is not None:
            named = self.type_named(annotated)
            return KINDS.get(named) if named is not None else None
        return self.of(value)

    def _assign(self, node: Node, scope: JvmScope) -> None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        kind = self.of(right)
        if left is None or kind is None:
            return
        member = self.member(left)
        name = self.source.text(left if member is None else member[1])
        owner = scope.owner(name)
        if owner is not None and owner.kinds[name] is None:
            self._bind(owner, name, kind)

    def _bind(self, scope: JvmScope, name: str, kind: object) -> None:
        if name not in scope.kinds or (kind is not None and scope.kinds[name] != kind):
            scope.kinds[name] = kind
            self.changed = True
