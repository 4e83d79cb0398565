"""Functions that give what their own name means from there on: ``counts = counts(lines)``."""

from __future__ import annotations

import ast

from ..program.bindings import names_of, stores
from ..program.modules import SourceModule
from ..program.values import MADE, function_of, holds, is_in_batch
from .edits import edits_of_spans, is_in_place, with_edits
from .functions import span_of_name


def unfold_own_name(module: SourceModule) -> SourceModule | None:
    """Return a module in which such a function has a name of its own; None if there is none."""
    for node in ast.walk(module.tree):
        match node:
            case ast.Assign(
                targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name() as used) as call
            ) if name == used.id and not is_in_batch(module, node):
                result = _with_new_name(module, node, call, used)
                if result is not None:
                    return result
    return None


def _with_new_name(
    module: SourceModule, statement: ast.Assign, call: ast.Call, used: ast.Name
) -> SourceModule | None:
    function, name = function_of(module, call), used.id
    node = function.info.node if function is not None else None
    if not isinstance(node, ast.FunctionDef) or not holds(module.facts.values.get(call), MADE):
        return None
    scope = module.program.scopes[module.function(node)]
    others = [
        use
        for use, around in module.names_in(scope.node)
        if use.id == name and around.owner_of(name) is scope and use not in ast.walk(statement)
    ]
    is_only = len(stores(scope.node, name)) == 1 and name in names_of(statement)
    after = all(other.lineno > statement.lineno for other in others)
    if not (is_only and after and node.name == name and is_in_place(module, used)):
        return None
    new = module.numbered_name(name)
    spans = [(*span_of_name(module, node), new), (*module.span(used), new)]
    return with_edits(module, edits_of_spans(module, spans))
