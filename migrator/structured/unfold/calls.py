"""Functions that are given parts of a job, or make some: their code in the place of their calls."""

from __future__ import annotations

import ast

from migrator.infer.values import Function
from migrator.spark.kinds import Kind

from ..program.modules import SourceModule
from ..program.sessions import lazy_session
from ..program.values import JOB, MADE, function_of, has_any, holds, is_in_batch
from ..registry import OUTPUTS
from .contexts import uses_context_around
from .edits import with_edits
from .unfolding import Unfolding


def unfold_call(module: SourceModule) -> SourceModule | None:
    """Return a module with the code of a function in the place of a call; None if none is left."""
    calls = [node for node in ast.walk(module.tree) if isinstance(node, ast.Call)]
    for call in sorted(calls, key=lambda each: (each.lineno, each.col_offset)):
        function = function_of(module, call)
        if function is not None and _is_of_job(module, call, function):
            unfolding = Unfolding.of(module, call, function)
            edits = None if unfolding is None else unfolding.edits()
            if edits is not None:
                return with_edits(module, edits)
    return None


def _is_of_job(module: SourceModule, call: ast.Call, function: Function) -> bool:
    values = module.facts.values
    arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
    value = values.get(call)
    node = function.info.node
    if is_in_batch(module, call) or is_in_batch(module, node):
        return False
    if isinstance(call.func, ast.Name) and lazy_session(module, call.func) is not None:
        return False  # it keeps the session for all that call it
    if function.owner is not None and not (
        isinstance(call.func, ast.Attribute)
        and isinstance(call.func.value, ast.Name)
        and module.parents[node] in module.around(call)
    ):
        return False  # an object has several methods
    if any(holds(values.get(each), JOB) for each in arguments):
        return True
    if any(holds(values.get(each), MADE) for each in arguments) and has_any(module, node, JOB):
        return True
    owner = module.parents[node]
    if function.owner is not None and isinstance(owner, ast.ClassDef):
        if holds(value, MADE) or has_any(module, node, JOB):
            return True
        # the rest of what makes the object
        begins = getattr(module.function(call), "name", "") == "__init__"
        return begins and isinstance(module.parents[call], ast.Expr) and has_any(module, owner, JOB)
    if module.parents[node] is module.tree and uses_context_around(module, node):
        return True
    if value is None or value.unknown or not holds(value, MADE):
        return False
    # a function that builds the whole job stays, and is called where it was
    builds = holds(value, {Kind.STREAMING_CONTEXT})
    return not (builds and any(getattr(inner, "attr", "") in OUTPUTS for inner in ast.walk(node)))
