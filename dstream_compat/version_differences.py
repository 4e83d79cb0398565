"""What differs between the PySpark versions that this package runs on, and why."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, Final

from pyspark import __version__
from pyspark.shuffle import ExternalGroupBy, ExternalList, ExternalMerger

from .exceptions import UnsupportedOperationError

if TYPE_CHECKING:
    from pyspark import SparkContext

    from .storage import Storage

    PairMerger = ExternalMerger[Any, Any, Any]
    GroupMerger = ExternalGroupBy[Any, Any]
    SpilledList = ExternalList[Any]
else:  # PySpark 4.1 has no type parameters there
    PairMerger = ExternalMerger
    GroupMerger = ExternalGroupBy
    SpilledList = ExternalList

_OLDEST: Final = (4, 1)
_NEXT_MAJOR: Final = 5


def check_version(sc: SparkContext) -> None:
    """Refuse a Spark that this package does not know.

    PySpark and the Spark that it has started are of the same version, unless SPARK_HOME names
    another one.

    Raises
    ------
    UnsupportedOperationError
        if PySpark or Spark is older than 4.1, or of a later major version than 4
    """
    for what, version in (("PySpark", __version__), ("Spark", sc.version)):
        major, minor = (int(part) for part in version.split(".")[:2])
        if (major, minor) < _OLDEST or major >= _NEXT_MAJOR:
            raise UnsupportedOperationError(
                f"{what} {version}",
                "dstream_compat runs on 4.1 and later versions of Spark 4",
                "Install pyspark>=4.1,<5, and let SPARK_HOME be unset or name such a Spark",
            )


def merger_limit(limit: float) -> int:
    """Return how many MiB a merger of PySpark may use: 4.1 takes no fractions."""
    return math.ceil(limit)


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
