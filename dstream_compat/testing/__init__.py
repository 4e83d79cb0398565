"""Tools for tests of jobs: recorded batches in, what each output gives out, compared by batch.

Nothing here imports PySpark before a job is run.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .assertions import BatchesDiffer, assert_batches_equal
    from .batches import Batches, from_results
    from .clock import ManualClock
    from .errors import RecordingError, RunError
    from .recordings import Recording, read_batches, write_batches
    from .results import Output, Results, read_results
    from .running import run_batches

__all__ = [
    "Batches",
    "BatchesDiffer",
    "ManualClock",
    "Output",
    "Recording",
    "RecordingError",
    "Results",
    "RunError",
    "assert_batches_equal",
    "from_results",
    "read_batches",
    "read_results",
    "run_batches",
    "write_batches",
]

_WHERE = {
    "assertions": ("BatchesDiffer", "assert_batches_equal"),
    "batches": ("Batches", "from_results"),
    "clock": ("ManualClock",),
    "errors": ("RecordingError", "RunError"),
    "recordings": ("Recording", "read_batches", "write_batches"),
    "results": ("Output", "Results", "read_results"),
    "running": ("run_batches",),
}


def __getattr__(name: str) -> Any:
    for module, names in _WHERE.items():
        if name in names:
            return getattr(importlib.import_module(f".{module}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
