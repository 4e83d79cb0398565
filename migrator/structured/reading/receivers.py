"""Receivers that share the records of a topic: those of a list, and those of one group."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from ..program.arguments import bind_arguments
from ..program.bindings import names_of, uses
from ..program.graph import Node
from ..program.modules import Block, SourceModule
from ..refusals import NotExpressible
from ..registry import SOURCES


@dataclass(frozen=True)
class Receivers:
    """A list of receivers that share the partitions of their topics: one source reads them."""

    node: Node


def repeated_element(node: ast.ListComp) -> ast.expr | None:
    """Return what a list has as often as a range says, None if the elements may differ."""
    match node.generators:
        case [
            ast.comprehension(
                target=ast.Name(id=name),
                iter=ast.Call(func=ast.Name(id="range" | "xrange")),
                ifs=[],
                is_async=0,
            )
        ]:
            return None if uses(node.elt, name) else node.elt
    return None


def length_statements(module: SourceModule, block: Block, statement: ast.Assign) -> list[ast.stmt]:
    """Return the statements that bind the lengths of a list, if it is their only use."""
    assert isinstance(statement.value, ast.ListComp)
    names = names_of(statement.value.generators[0].iter)
    return [
        statement
        for statement in block.body
        if isinstance(statement, ast.Assign)
        and len(statement.targets) == 1
        and isinstance(statement.targets[0], ast.Name)
        and statement.targets[0].id in names
        and len(uses(module.tree, statement.targets[0].id)) == 2
        and _has_no_effect(statement.value)
    ]


def _has_no_effect(node: ast.expr) -> bool:
    calls = (inner for inner in ast.walk(node) if isinstance(inner, ast.Call))
    return all(isinstance(e.func, ast.Name) and e.func.id in ("int", "len") for e in calls)


def shared_groups(module: SourceModule, nodes: Iterable[Node]) -> Iterator[NotExpressible]:
    """Yield refusals of receivers that may share records: sources would each read all of them."""
    receivers = [node for node in nodes if node.operator == "createStream"]
    for first, other in combinations(receivers, 2):
        arguments = [
            bind_arguments(each.call, SOURCES["createStream"].parameters) or {}
            for each in (first, other)
        ]
        groups = [_text(module, each.get("groupId")) for each in arguments]
        if None not in groups and groups[0] != groups[1]:
            continue
        topics = [_topics(module, each.get("topics")) for each in arguments]
        if topics[0] is not None and topics[1] is not None and topics[0].isdisjoint(topics[1]):
            continue
        text = "receivers of one group share the records of a topic; sources read all of them each"
        yield NotExpressible("GROUP", text, other.call)


def _text(module: SourceModule, node: ast.expr | None) -> str | None:
    """Return the text that an expression is, None if it is not known."""
    match None if node is None else module.constant(node):
        case ast.Constant(value=str(text)):
            return text
        case ast.Call(func=ast.Name(id="str"), args=[ast.Constant(value=value)], keywords=[]):
            return str(value)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            parts = _text(module, left), _text(module, right)
            return None if parts[0] is None or parts[1] is None else parts[0] + parts[1]
    return None


def _topics(module: SourceModule, node: ast.expr | None) -> set[str] | None:
    match None if node is None else module.constant(node):
        case ast.Dict(keys=keys):
            texts = [_text(module, key) for key in keys]
            return None if None in texts else {text for text in texts if text is not None}
    return None
