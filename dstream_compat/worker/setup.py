"""What a Python worker of Spark does once."""

from __future__ import annotations

import gc

_settled = False


def settle() -> None:
    """Take what the worker has loaded out of the garbage collections that follow each task.

    PySpark's daemon collects after every task. With pandas and pyarrow loaded that takes some 60 ms
    of CPU time, while the next task waits for the worker.
    """
    global _settled
    if not _settled:
        _settled = True
        gc.collect()
        gc.freeze()
