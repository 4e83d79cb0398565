"""`getOrCreate` of a context whose streams are made after it: such a job never went on.

A context that comes from a checkpoint takes no more streams, so a second start of the job failed.
"""

from __future__ import annotations

import ast

from migrator.spark.kinds import STREAMS

from ..program.arguments import bound
from ..program.modules import SourceModule
from .edits import edit_of_spans, with_edits
from .evaluation import is_pure
from .values import holds, is_in_batch

NOTE = (
    "a second start failed, as the streams are made after `getOrCreate`; now each start begins anew"
)


def unfold_recovery(module: SourceModule) -> SourceModule | None:
    """Return a module that calls the function of such a context; None if there is none."""
    for call in ast.walk(module.tree):
        match call:
            case ast.Call(func=ast.Attribute(value=owner, attr="getOrCreate")) if module.is_old(
                owner, "StreamingContext"
            ):
                given = bound(call, ("checkpointPath", "setupFunc"))
                made = None if given is None else _function(module, given["setupFunc"])
                if given is None or made is None or is_in_batch(module, call):
                    continue
                if not _has_streams(module, made) and is_pure(given["checkpointPath"]):
                    text = f"{module.source(given['setupFunc'])}()"
                    last = call.end_lineno or call.lineno
                    edit = edit_of_spans(module, call.lineno, last, [(*module.span(call), text)])
                    note = f"line {module.origin(call.lineno)}: {NOTE}"
                    return with_edits(module, [edit], note)
    return None


def _function(module: SourceModule, node: ast.expr) -> ast.FunctionDef | None:
    """Return the function of a name that has no other use."""
    if not isinstance(node, ast.Name):
        return None
    uses = [e for e in ast.walk(module.tree) if isinstance(e, ast.Name) and e.id == node.id]
    found = [
        e for e in ast.walk(module.tree) if isinstance(e, ast.FunctionDef) and e.name == node.id
    ]
    plain = len(uses) == len(found) == 1 and not ast.unparse(found[0].args)
    return found[0] if plain else None


def _has_streams(module: SourceModule, function: ast.FunctionDef) -> bool:
    values = module.facts.values
    return any(
        isinstance(each, ast.expr) and holds(values.get(each), STREAMS)
        for each in ast.walk(function)
    )
