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


class QueryStates:
    """The states of a query.

    Parameters
    ----------
    session : SparkSession
        which reads
    query : StreamingQuery
        whose checkpoint is read
    """

    def __init__(self, session: Any, query: Any) -> None:
        self._session = session
        self._query = query
        self._known: list[tuple[str, dict[str, str]]] | None = None

    def read(self) -> Iterator[tuple[str, list[Any]]]:
        """Yield the name of each state, and its pairs of a key and a value, between two batches."""
        if self._query.lastProgress is None:
            return
        root = self._query._jsq.streamingQuery().resolvedCheckpointRoot()
        if self._known is None:  # they are those of the first batch
            self._known = list(self._find(root))
        for name, options in self._known:
            rows = self._load(root, options).collect()
            yield name, [(_plain(row.key), _plain(row.value)) for row in rows]

    def _find(self, root: str) -> Iterator[tuple[str, dict[str, str]]]:
        operators = self._session.read.format("state-metadata").load(root).collect()
        for row in sorted(operators, key=lambda one: one.operatorId):
            for variable in _variables(row):
                options = {"operatorId": str(row.operatorId)}
                if variable:
                    options["stateVarName"] = variable
                if "value" in self._load(root, options).columns:
                    yield variable or row.operatorName, options

    def _load(self, root: str, options: dict[str, str]) -> Any:
        return self._session.read.format("statestore").options(**options).load(root)


def _variables(row: Any) -> list[str]:
    """Return the variables of an operator with functions; an empty name for one of SQL."""
    if not row.operatorName.startswith("transformWithState"):
        return [_NO_VARIABLE] if row.operatorName in _READ else []
    properties = json.loads(row.operatorProperties)
    variables = properties.get("stateVariables", [])
    if isinstance(variables, str):
        variables = json.loads(variables)
    return [
        variable["stateName"] for variable in variables if not variable["stateName"].startswith("$")
    ]


def _plain(row: Any) -> Any:
    """Return the only value of a row instead of it."""
    return row[0] if hasattr(row, "__fields__") and len(row) == 1 else row
