"""The DStream API of Spark, over Structured Streaming.

``from dstream_compat import StreamingContext`` takes the place of
``from pyspark.streaming import StreamingContext``; ``install()`` puts this package under the
``pyspark.streaming`` names, so that old jobs run unchanged.
"""

from __future__ import annotations

import importlib
import os
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .context import StreamingContext
    from .dstream import DStream
    from .listener import StreamingListener
    from .names.finder import install
    from .state import State, StateSpec

__version__ = "0.2.0"
__all__ = ["DStream", "State", "StateSpec", "StreamingContext", "StreamingListener", "install"]

_SUBMODULES = ("context", "dstream", "listener", "util")
_WHERE = {
    "StreamingContext": "context",
    "DStream": "dstream",
    "State": "state",
    "StateSpec": "state",
    "StreamingListener": "listener",
    "install": "names.finder",
}

# Spark plans Python sources with PYSPARK_DRIVER_PYTHON, else PYSPARK_PYTHON, else any python3 of
# the PATH. It must be the Python that runs this driver, and be known before the JVM starts.
if "PYSPARK_PYTHON" not in os.environ:
    os.environ.setdefault("PYSPARK_DRIVER_PYTHON", sys.executable)


def __getattr__(name: str) -> Any:
    # Workers import this package for its engine only; they need none of the driver's modules.
    if name in _WHERE:
        return getattr(importlib.import_module(f".{_WHERE[name]}", __name__), name)
    if name in _SUBMODULES:  # as attributes of pyspark.streaming they are there at once, too
        return importlib.import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
