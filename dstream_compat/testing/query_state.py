"""Reads the state of streaming queries from their checkpoints, after a batch."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

_NO_VARIABLE: Final = ""
# a join keeps its rows on both sides in several stores of Spark's own making
_READ: Final = (
    "stateStoreSave",
    "dedupe",
    "dedupeWithinWatermark",
    "sessionWindowStateStoreSaveExec",
)


def states(session: Any, query: Any) -> Iterator[tuple[str, list[Any]]]:
    """Yield the name of each state of a query, and its pairs of a key and a value.

    Parameters
    ----------
    session : SparkSession
        which reads
    query : StreamingQuery
        it must be between two batches
    """
    root = query._jsq.streamingQuery().resolvedCheckpointRoot()
    if query.lastProgress is None:
        return
    operators = session.read.format("state-metadata").load(root).collect()
    for row in sorted(operators, key=lambda one: one.operatorId):
        for variable in _variables(row):
            reader = session.read.format("statestore").option("operatorId", row.operatorId)
            name = row.operatorName
            if variable:
                reader = reader.option("stateVarName", variable)
                name = variable
            frame = reader.load(root)
            if "value" in frame.columns:
                yield name, [(_plain(one.key), _plain(one.value)) for one in frame.collect()]


def _variables(row: Any) -> list[str]:
    """Return the variables of an operator with functions; an empty name for one of SQL."""
    if not row.operatorName.startswith("transformWithState"):
        return [_NO_VARIABLE] if row.operatorName in _READ else []
    properties = json.loads(row.operatorProperties)
    found = properties.get("stateVariables", [])
    if isinstance(found, str):
        found = json.loads(found)
    return [one["stateName"] for one in found if not one["stateName"].startswith("$")]


def _plain(row: Any) -> Any:
    """Return the only value of a row instead of it."""
    return row[0] if hasattr(row, "__fields__") and len(row) == 1 else row
