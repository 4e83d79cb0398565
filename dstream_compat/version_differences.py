"""What differs between the PySpark versions that this package runs on, and why."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pyspark.shuffle import ExternalGroupBy, ExternalList, ExternalMerger

if TYPE_CHECKING:
    from .storage import Storage

    PairMerger = ExternalMerger[Any, Any, Any]
    GroupMerger = ExternalGroupBy[Any, Any]
    SpilledList = ExternalList[Any]
else:  # generic from PySpark 4.2 on
    PairMerger = ExternalMerger
    GroupMerger = ExternalGroupBy
    SpilledList = ExternalList


def logged_offset(storage: Storage, folder: str) -> Any:
    """Return where our source ended in the last micro-batch that Spark has logged.

    Spark before 4.2 asks a Python source for its latest offset without saying where it is to start.
    It logs each micro-batch before it asks for the next one, so its log says that.

    Returns
    -------
    The offset, None if nothing is logged

    Parameters
    ----------
    storage : Storage
        where the folder is
    folder : str
        Spark's checkpoint of the query
    """
    log = f"{folder.rstrip('/')}/offsets"
    entries = storage.list(log) if storage.exists(log) else []
    numbers = [int(entry.name) for entry in entries if entry.name.isdigit()]
    if not numbers:
        return None
    _version, _metadata, ours, *_others = storage.read(f"{log}/{max(numbers)}").decode().split("\n")
    return json.loads(ours)
