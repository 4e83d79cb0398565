"""What other code of a job has of it: contexts and sessions, which it keeps, and nothing else."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from migrator.infer.scopes import locals_of
from migrator.spark import api

from ..program.bindings import stores
from ..program.job import JobBlock, Lost, Session, Sometimes, Streaming, only_sometimes, words
from ..program.modules import outer_parts
from ..program.values import CONTEXTS
from ..refusals import NotExpressible


def note_other_uses(
    job: JobBlock, names: Collection[str], meaning: Mapping[str, Any], apart: Collection[ast.AST]
) -> Iterator[NotExpressible]:
    """Note the contexts and sessions that other code uses; yield refusals of all other uses.

    Parameters
    ----------
    job : JobBlock
        the job
    names : collection of str
        the names of its streams, contexts and sessions
    meaning : mapping of str to object
        what these names mean
    apart : collection of AST
        code that is read when it is rewritten
    """
    module, block = job.module, job.block
    function = block.functions[-1] if block.functions else module.tree
    for node in ast.walk(function):
        if (
            node not in apart
            and isinstance(node, ast.Name)
            and not isinstance(node.ctx, ast.Store)
            and node.id in names
            and node not in job.consumed
            and not _is_own(job, node)
        ):
            try:
                _note(job, node, meaning.get(node.id))
            except NotExpressible as error:
                yield error


def _note(job: JobBlock, node: ast.Name, owner: Any) -> None:
    parent = job.module.parents[node]
    has_context = isinstance(owner, Session | Streaming)
    if has_context and isinstance(parent, ast.Attribute) and parent.attr in CONTEXTS:
        job.passed[parent] = "SparkContext"
        return
    if isinstance(owner, Lost):
        return
    if isinstance(owner, Sometimes | None):
        # no name means anything behind a branch that ends the program
        raise only_sometimes(node)
    if not isinstance(owner, Session):
        text = f"`{node.id}` is used here in another way; it is {words(owner)}"
        raise NotExpressible("USE", text, node)
    if getattr(parent, "attr", "") == "stop":
        if _is_of_shell(job, node):
            return
        _check_stop(job, node)
    if owner.is_given:
        # it is there under its name
        if owner.kind == "SparkContext":
            job.classic.setdefault(getattr(parent, "attr", node.id))
        return
    if owner.kind == "SparkContext" and getattr(parent, "attr", "") == "stop":
        job.passed[node] = "SparkSession"  # which stops its context
    else:
        job.passed[node] = owner.kind


def _is_of_shell(job: JobBlock, node: ast.Name) -> bool:
    """Return whether a context that is stopped is the one of a shell, as the job makes its own
    under that name later.
    """
    session = job.session
    before = session is not None and (node.lineno, node.col_offset) < (
        session.lineno,
        session.col_offset,
    )
    if not before or job.block.functions or job.is_given or node.id not in api.PREDEFINED:
        return False
    alone = [*map(job.module.statement, stores(job.module.tree, node.id))] == [session]
    if alone:
        job.classic.setdefault("stop")
    return alone


def _check_stop(job: JobBlock, node: ast.Name) -> None:
    """Refuse a session that is stopped before the streams are made: it would be that of the job."""
    statements = [*job.streams, *(output.statement for output in job.outputs)]
    last = max((each.lineno for each in statements), default=0)
    around = [*job.module.around(node)]
    place = next((at for at, outer in enumerate(around) if outer in job.statements), None)
    if place is None or node.lineno >= last:
        return
    # functions that the job defines run later
    if not any(isinstance(e, ast.FunctionDef | ast.Lambda) for e in around[: place + 1]):
        raise NotExpressible("CONTEXTS", "a context is stopped before the job begins", node)


def _is_own(job: JobBlock, node: ast.Name) -> bool:
    """Return whether a function around a name binds this name for itself."""
    for parent in job.module.around(node):
        if parent in job.block.functions:
            break
        is_function = isinstance(parent, ast.FunctionDef | ast.Lambda)
        # defaults are computed outside of the function
        outside = any(node in ast.walk(part) for part in outer_parts(parent))
        if is_function and not outside and node.id in locals_of(parent):
            return True
    return False
