"""What outputs do not give in intervals without input, though those of DStreams did.

A query has no batch then, unless timers of its state wake it.
"""

from __future__ import annotations

from ..builder.builder import Builder
from ..program.graph import Output

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
    found = set()
    for output in builder.job.outputs:
        line = output.call.func.end_lineno or output.call.lineno
        notes = [text.format(line) for text in _texts(builder, output)]
        for each in notes:
            builder.note(each)
        # what is said of functions is said where they are rewritten
        if notes or output.method == "foreachRDD":
            found.add(line)
    return frozenset(found)


def _texts(builder: Builder, output: Output) -> list[str]:
    return [
        _GIVEN[node.operator]
        for node in output.node.path()
        if node.operator in _GIVEN and node not in builder.starts
    ]
