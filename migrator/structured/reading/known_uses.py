"""Refuses jobs that use a stream or context in a way that is not known."""

from __future__ import annotations

import ast
from collections.abc import Collection

from ..program.batch_function import batch_function, locals_of
from ..program.job import JobBlock
from ..refusals import NotExpressible


def refuse_other_uses(job: JobBlock, names: Collection[str]) -> None:
    """Refuse a job in which one of these names is used in a way that is not known."""
    module, block = job.module, job.block
    function = block.functions[-1] if block.functions else module.tree
    # the code of these functions is read when it is rewritten
    apart = {
        node
        for output in job.outputs
        if output.method == "foreachRDD"
        for node in ast.walk(batch_function(module, output).node)
    }
    for node in ast.walk(function):
        if (
            node not in apart
            and isinstance(node, ast.Name)
            and isinstance(node.ctx, ast.Load)
            and node.id in names
            and node not in job.consumed
            and not _is_own(job, node)
        ):
            raise NotExpressible("USE", f"`{node.id}` is used here in another way", node)


def _is_own(job: JobBlock, node: ast.Name) -> bool:
    """Return whether a function around a name binds this name for itself."""
    parent = job.module.parents.get(node)
    while parent is not None and parent not in job.block.functions:
        if isinstance(parent, ast.FunctionDef | ast.Lambda) and node.id in locals_of(parent):
            return True
        parent = job.module.parents.get(parent)
    return False
