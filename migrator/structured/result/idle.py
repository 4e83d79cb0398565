"""What outputs do not give in intervals without input, though those of DStreams did.

A query has no batch then, unless timers of its state wake it.
"""

from __future__ import annotations

import ast

from ..builder.builder import Builder
from ..program.batch_function import batch_function
from ..program.graph import TICK_SOURCE, WINDOWS, Node, Output

_GIVEN = {
    "updateStateByKey": "line {}: the state is not given in intervals without input",
    "count": "line {}: a count of 0 is not given in intervals without input",
}

_OF_PARTITIONS = ("glom", "mapPartitions", "mapPartitionsWithIndex", "transform", "transformWith")
"""Methods that may give records where there are none."""


def idle_outputs(builder: Builder) -> frozenset[int]:
    """Return the lines of such outputs; the report says what they do not give.

    Parameters
    ----------
    builder : Builder
        of the job, when all is written
    """
    found = set()
    for output in builder.job.outputs:
        line = output.call.func.end_lineno or output.call.lineno
        notes = [text.format(line) for text in _texts(builder, output)]
        for each in notes:
            builder.note(each)
        if notes:
            found.add(line)
    return frozenset(found)


def _texts(builder: Builder, output: Output) -> list[str]:
    if any(node.operator == TICK_SOURCE for node in output.node.path()):
        return []
    found = [
        _GIVEN[node.operator]
        for node in output.node.path()
        if node.operator in _GIVEN and node not in builder.starts
    ]
    if builder.batch_code:
        steps = {each.operator for each in output.node.path() if each.operator in _OF_PARTITIONS}
        found += [
            f"line {{}}: what `{each}` makes of no records is not given in intervals without input"
            for each in sorted(steps)
        ]
    if output.method == "foreachRDD":
        name = _name(builder, output)
        woken = any(each in builder.starts and _has_timers(each) for each in output.node.path())
        text = f"line {{}}: `{name}` is not called for intervals without input"
        found.append(f"{text} while no window or state has records" if woken else text)
    return found


def _name(builder: Builder, output: Output) -> str:
    """Return the name of the function of a `foreachRDD`."""
    if builder.batch_code:
        (given,) = [*output.call.args, *(each.value for each in output.call.keywords)]
        return "lambda" if isinstance(given, ast.Lambda) else builder.source(given)
    function = batch_function(builder.module, output).node
    return function.name if isinstance(function, ast.FunctionDef) else "lambda"


def _has_timers(node: Node) -> bool:
    """Return whether timers of the records that a node keeps wake its query."""
    return node.operator in WINDOWS or node.operator == "updateStateByKey"
