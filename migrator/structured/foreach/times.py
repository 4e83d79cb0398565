"""The time of a batch, which a batch of Structured Streaming has not."""

from __future__ import annotations

import ast

from ..builder.builder import Builder
from ..builder.datetimes import datetime_class
from ..program.batch_function import BatchFunction
from ..program.modules import SourceModule
from ..refusals import NotExpressible

LOGS = frozenset(("debug", "info", "warning", "warn", "error", "critical", "exception", "log"))


def time_statement(builder: Builder, function: BatchFunction) -> str | None:
    """Return the statement that takes the place of the parameter; None if the time is not used.

    Raises
    ------
    NotExpressible
        if the time is more than a label of what is printed
    """
    uses = [
        node
        for node in ast.walk(function.node)
        if isinstance(node, ast.Name) and node.id == function.time
    ]
    if not uses:
        return None
    for node in uses:
        if not is_label(builder.module, node, function.node):
            builder.differs(
                "BATCH_TIME",
                f"`{node.id}` is the time of the batch; Structured Streaming knows only when a "
                "batch is computed",
                node,
            )
    if isinstance(function.node, ast.Lambda):
        raise NotExpressible("BATCH_TIME", "the time of the batch is used in a lambda", uses[0])
    builder.note(
        f"`{function.time}` is the time at which the batch is computed, no longer that of its "
        "interval"
    )
    return f"{function.time} = {datetime_class(builder)}.now().replace(microsecond=0)"


def is_label(module: SourceModule, node: ast.AST, function: ast.AST) -> bool:
    """Return whether a use is part of what is printed or logged."""
    while node is not function:
        node = module.parents[node]
        if isinstance(node, ast.Call):
            match node.func:
                case ast.Name(id="print"):
                    return not any(keyword.arg == "file" for keyword in node.keywords)
                case ast.Attribute(attr=attr) if attr in LOGS:
                    return True
                case ast.Attribute(attr="strftime" | "format" | "isoformat") | ast.Name(id="str"):
                    continue
                case _:
                    return False
    return False
