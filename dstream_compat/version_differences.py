"""What differs between the PySpark versions that this package runs on, and why."""

from __future__ import annotations

import math
import sys
from importlib import import_module
from importlib.util import MAGIC_NUMBER
from typing import TYPE_CHECKING, Any, Final

from pyspark import __version__
from pyspark.shuffle import ExternalGroupBy, ExternalList, ExternalMerger

from .exceptions import UnsupportedOperationError

if TYPE_CHECKING:
    from pyspark import SparkContext

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


def running_versions() -> dict[str, str]:
    """Return the versions that a checkpoint is written by, by name.

    ``byte_code`` changes with each minor version of Python: only the same one runs functions that
    were pickled by value.
    """
    return {
        "dstream_compat": import_module(__package__).__version__,
        "pyspark": __version__,
        "python": "{}.{}.{}".format(*sys.version_info),
        "byte_code": MAGIC_NUMBER.hex(),
    }
