"""Receivers of one group of Kafka's consumers, which share the records of a topic."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from itertools import combinations

from ..program.arguments import bound
from ..program.graph import Node
from ..program.modules import SourceModule
from ..refusals import NotExpressible
from ..registry import SOURCES


def shared_groups(module: SourceModule, nodes: Iterable[Node]) -> Iterator[NotExpressible]:
    """Yield refusals of receivers that may share records: sources would each read all of them."""
    receivers = [each for each in nodes if each.operator == "createStream"]
    for one, other in combinations(receivers, 2):
        given = [
            bound(each.call, SOURCES["createStream"].parameters) or {} for each in (one, other)
        ]
        groups = [_text(module, each.get("groupId")) for each in given]
        if None not in groups and groups[0] != groups[1]:
            continue
        topics = [_topics(module, each.get("topics")) for each in given]
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
            texts = [_text(module, each) for each in keys]
            return None if None in texts else {each for each in texts if each is not None}
    return None
