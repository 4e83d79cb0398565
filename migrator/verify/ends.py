"""Compares how two jobs began and ended, and says how far their batches can be compared."""

from __future__ import annotations

from dstream_compat.testing.results import Results
from dstream_compat.testing.run_errors import same_error
from migrator.verify.obstacles import FAILED, STOPPED


def begin_of(old: Results | None, new: Results | None) -> int | None:
    """Return from when a query has to run again, in milliseconds; None if both began together.

    That began at a multiple of all its slides, which only its streams know.

    Parameters
    ----------
    old, new : Results, optional
        What the job and the query gave.
    """
    begin: int | None = None if old is None or new is None else old.header.get("begin")
    return None if new is None or begin == new.header.get("begin") else begin


def compared_batches(old: Results, new: Results, length: int) -> int:
    """Return how many batches are compared.

    All of the recording, if both jobs were stopped after it. A job that ends by itself runs a few
    idle intervals more or less, which do not count, and no batch from the one that failed does.
    """
    if old.end == new.end == STOPPED:
        return length
    length = min([length, *(results.last_complete() for results in (old, new) if results.failed)])
    reached = min(old.last(), new.last())
    with_rows = max(
        (
            batch
            for outcome in (old, new)
            for runs in outcome.runs
            for batch, batches in runs.items()
            if any(batches)
        ),
        default=0,
    )
    return min(length, max(reached, with_rows))


def failure(old: Results, new: Results) -> str:
    """Return how the end of the new job differs from that of the old one; empty if it does not."""
    if new.end == FAILED and old.end != FAILED:
        return f"the migrated job fails {_where(new)}: {new.error_line()}"
    if old.end == FAILED and new.end != FAILED:
        return f"the original fails {_where(old)}, the migrated job does not: {old.error_line()}"
    if old.end != FAILED or (_fail_in_one_batch(old, new) and same_error(old.error, new.error)):
        return ""
    return (
        f"the original fails {_where(old)} with {old.error_line()}; the migrated job fails "
        f"{_where(new)} with {new.error_line()}"
    )


def same_failure(old: Results, new: Results) -> str:
    """Return how both jobs fail, as a note of the report; empty if they do not, or differ."""
    if old.end != FAILED or failure(old, new):
        return ""
    return f"both jobs fail {_where(old)} with {old.error_line()}"


def _where(outcome: Results) -> str:
    """Return the batch that failed; errors outside of the batches come some time later."""
    return (
        f"in batch {outcome.last_complete() + 1}"
        if outcome.failed
        else f"after batch {outcome.last()}"
    )


def _fail_in_one_batch(old: Results, new: Results) -> bool:
    """Return whether the same batch failed; errors outside of the batches come at any one."""
    return old.last_complete() == new.last_complete() or not (old.failed or new.failed)
