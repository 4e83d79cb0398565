"""Compares how two jobs ended, and says how far their batches can be compared."""

from __future__ import annotations

from dstream_compat.testing.results import Results
from migrator.verify.obstacles import FAILED, STOPPED


def compared_batches(old: Results, new: Results, length: int) -> int:
    """How many batches are compared.

    All of the recording, if both jobs were stopped after it. A job that ends by itself runs a few
    idle intervals more or less, which do not count, and no batch from the one that failed does.
    """
    if old.end == new.end == STOPPED:
        return length
    length = min([length, *(one.reached() for one in (old, new) if one.failed)])
    reached = min(old.last(), new.last())
    with_rows = max(
        (
            batch
            for outcome in (old, new)
            for runs in outcome.runs
            for batch, given in runs.items()
            if any(given)
        ),
        default=0,
    )
    return min(length, max(reached, with_rows))


def failure(old: Results, new: Results) -> str:
    """How the end of the new job differs from that of the old one; empty if it does not."""
    if new.end == FAILED and (old.end != FAILED or not _fail_alike(old, new)):
        return f"the migrated job fails in batch {new.reached() + 1}: {new.error_line()}"
    if old.end == FAILED and new.end != FAILED:
        return (
            f"the original fails in batch {old.reached() + 1}, the migrated job does not: "
            f"{old.error_line()}"
        )
    return ""


def _fail_alike(old: Results, new: Results) -> bool:
    """Whether errors are of one class, or one names the other: DStreams wrap those of Python."""
    kinds = old.error_kind(), new.error_kind()
    return kinds[0] == kinds[1] or f"{kinds[1]}:" in old.error or f"{kinds[0]}:" in new.error
