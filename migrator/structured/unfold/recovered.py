"""`getOrCreate` of a context whose streams are made after it: such a job never went on.

A context that comes from a checkpoint takes no more streams, so a second start of the job failed.
"""

from __future__ import annotations

import ast

from migrator.spark.kinds import STREAMS

from ..program.arguments import bind_arguments
from ..program.bindings import uses
from ..program.modules import SourceModule
from ..program.values import has_any, is_in_batch
from .edits import edit_of_spans, with_edits
from .evaluation import is_pure

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
                arguments = bind_arguments(call, ("checkpointPath", "setupFunc"))
                function_found = (
                    None if arguments is None else _function(module, arguments["setupFunc"])
                )
                if arguments is None or function_found is None or is_in_batch(module, call):
                    continue
                if not has_any(module, function_found, STREAMS) and is_pure(
                    arguments["checkpointPath"]
                ):
                    text = f"{module.source(arguments['setupFunc'])}()"
                    span = (*module.span(call), text)
                    edit = edit_of_spans(module, *module.lines_of(call), [span])
                    note = module.note(call.lineno, NOTE)
                    return with_edits(module, [edit], note)
    return None


def _function(module: SourceModule, node: ast.expr) -> ast.FunctionDef | None:
    """Return the function of a name that has no other use."""
    if not isinstance(node, ast.Name):
        return None
    functions = (node for node in ast.walk(module.tree) if isinstance(node, ast.FunctionDef))
    matching = [function for function in functions if function.name == node.id]
    plain = len(uses(module.tree, node.id)) == len(matching) == 1
    return matching[0] if plain and not ast.unparse(matching[0].args) else None
