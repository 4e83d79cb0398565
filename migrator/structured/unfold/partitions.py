"""`TopicAndPartition`, which is gone with the old module of Kafka: a pair."""

from __future__ import annotations

import ast

from ..program.arguments import bind_arguments
from ..program.bindings import loads
from ..program.modules import SourceModule
from .edits import as_line, edits_of_spans, with_edits

_PARAMETERS = ("topic", "partition")


def unfold_partition(module: SourceModule) -> SourceModule | None:
    """Return a module with pairs of topics and partitions; None if it has no other ones."""
    calls, uses = [], 0
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Attribute) and node.attr in ("_topic", "_partition"):
            return None
        if isinstance(node, ast.Name | ast.Attribute) and module.is_old(node, "TopicAndPartition"):
            uses += 1
        if isinstance(node, ast.Call) and module.is_old(node.func, "TopicAndPartition"):
            arguments = bind_arguments(node, _PARAMETERS)
            inner = any(module.is_old(e.func, "TopicAndPartition") for e in _calls_in(node))
            if arguments is None or inner or node.lineno != node.end_lineno:
                return None
            if not _is_key(module, node):
                return None
            calls.append((node, [arguments[each] for each in _PARAMETERS]))
    if not calls or uses > len(calls):
        return None
    spans = [
        (*module.span(node), f"({', '.join(as_line(module.source(part)) for part in parts)})")
        for node, parts in calls
    ]
    return with_edits(module, edits_of_spans(module, spans))


def _is_key(module: SourceModule, node: ast.expr) -> bool:
    """Return whether an object is only the key of a dict: a pair prints and formats otherwise."""
    match module.parents[node]:
        case ast.Dict(keys=keys):
            return node in keys
        case ast.DictComp(key=key) | ast.Subscript(slice=key):
            return key is node
        case ast.Compare(left=left):
            return left is node
        case ast.Assign(targets=[ast.Name(id=name)]):
            return all(_is_key(module, load) for load in loads(module.tree, name))
    return False


def _calls_in(call: ast.Call) -> list[ast.Call]:
    """Return the calls in the arguments of a call."""
    return [node for node in ast.walk(call) if isinstance(node, ast.Call) and node is not call]
