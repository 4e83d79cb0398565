"""Lets the process that prepares a query with state start quickly and in silence.

Spark starts it in the driver for each run of such a query, and gives it 10 s to connect. Most of
its start is to compile PySpark, since Spark names the zip of it, which has no compiled modules.
Python imports ``sitecustomize`` from ``PYTHONPATH`` when it starts, and this one imports the next.
"""

import os
import sys
from pathlib import Path

STATE_PREPARATION = "pyspark.sql.streaming.transform_with_state_driver_worker"
"""The module that the process runs."""

STATE = "DSTREAM_COMPAT_STATE"
"""The variable that says to the daemon that its workers compute state."""

_ZIP = "pyspark.zip"


def prefer_compiled() -> None:
    """Import pyspark from its folder, not from the zip in it."""
    zipped = next((Path(entry) for entry in sys.path if Path(entry).name == _ZIP), None)
    if zipped is None or len(zipped.parts) < 4:
        return
    package = zipped.parents[2]  # pyspark/python/lib/pyspark.zip
    if package.name != "pyspark" or not (package / "__init__.py").is_file():
        return
    sys.path.insert(0, str(package.parent))
    try:
        import pyspark  # noqa: F401
    finally:
        sys.path.remove(str(package.parent))


def import_next(file: str, name: str) -> None:
    """Import the ``sitecustomize`` that another one hides, if there is one; it may change the path.

    Parameters
    ----------
    file, name : str
        of the module that hides it
    """
    own = str(Path(file).parent)
    this = sys.modules.pop(name)
    sys.path[:] = [entry for entry in sys.path if entry != own]
    try:
        import sitecustomize  # type: ignore[import-not-found]  # noqa: F401
    except ModuleNotFoundError as error:
        if error.name != "sitecustomize":
            raise
    finally:
        sys.modules.setdefault(name, this)  # Python looks for what it imports


if __name__ == "sitecustomize":
    import_next(__file__, __name__)
    if sys.orig_argv[-2:] == ["-m", STATE_PREPARATION]:
        prefer_compiled()
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115  # it tells its steps there
