"""Sets up a Python worker of Spark, once.

Decision 0042: Workers freeze what is loaded.
"""

from __future__ import annotations

import gc

_is_set_up = False


def set_up_worker() -> None:
    """Take what the worker has loaded out of the garbage collections that follow each task.

    PySpark's daemon collects after every task. With pandas and pyarrow loaded that takes some 60 ms
    of CPU time, while the next task waits for the worker.
    """
    global _is_set_up
    if not _is_set_up:
        _is_set_up = True
        gc.collect()
        gc.freeze()
