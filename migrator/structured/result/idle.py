"""What outputs do not give in intervals without input, though those of DStreams did.

A query has no batch then, unless timers of its state wake it.
"""

from __future__ import annotations

import ast

from ..builder.builder import Builder
from ..program.graph import TICK_SOURCE, WINDOWS, Node, Output, batch_function

_GIVEN = {
    "updateStateByKey": "line {}: the state is not given in intervals without input",
    "count": "line {}: a count of 0 is not given in intervals without input",
}


def idle_outputs(builder: Builder) -> frozenset[int]:
    """Return the lines of such outputs; the report says what they do not give.

    Parameters
    ----------
    builder : Builder
        of the job, when all is written
    """
    outputs = set()
    # queries whose batches stay RDD code have a batch then, if something is given
    for output in () if builder.batch_code else builder.job.outputs:
        line = output.call.func.end_lineno or output.call.lineno
        notes = [text.format(line) for text in _texts(builder, output)]
        for note in notes:
            builder.note(note)
        if notes:
            outputs.add(line)
    return frozenset(outputs)


def _texts(builder: Builder, output: Output) -> list[str]:
    if any(node.operator == TICK_SOURCE for node in output.node.path()):
        return []
    texts = [
        _GIVEN[node.operator]
        for node in output.node.path()
        if node.operator in _GIVEN and node not in builder.starts
    ]
    if output.method == "foreachRDD":
        function = batch_function(builder.module, output).node
        name = function.name if isinstance(function, ast.FunctionDef) else "lambda"
        woken = any(step in builder.starts and _has_timers(step) for step in output.node.path())
        text = f"line {{}}: `{name}` is not called for intervals without input"
        texts.append(f"{text} while no window or state has records" if woken else text)
    return texts


def _has_timers(node: Node) -> bool:
    """Return whether timers of the records that a node keeps wake its query."""
    return node.operator in WINDOWS or node.operator == "updateStateByKey"
