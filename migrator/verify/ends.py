"""Compares how two jobs began and ended, says how far their batches can be compared, and explains a
failure: its operator, and whether a smaller input or a second run shows it.
"""

from __future__ import annotations

from dstream_compat.testing.results import Results
from dstream_compat.testing.run_errors import error_place, same_error
from migrator.verify.comparison import Rules, aligned_streams, compare
from migrator.verify.obstacles import FAILED, STOPPED
from migrator.verify.outcome import outputs_only


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


def failing_operator(old: Results, new: Results, job: str, migrated: str) -> str:
    """Return the operator whose records the job that fails does
    not come to, or the line of the error.

    Parameters
    ----------
    old, new : Results
        Runs with their intermediate streams.
    """
    failing, other, file = (new, old, migrated) if new.end == FAILED else (old, new, job)
    for numbers in aligned_streams(failing, other) if failing.failed else ():
        if (
            failing.failed not in failing.runs[numbers[0]]
            and failing.failed in other.runs[numbers[1]]
        ):
            return failing.outputs[numbers[0]].name
    return error_place(failing.error, file)


def last_batch(old: Results, new: Results) -> int:
    """Return the batch in which the jobs come to a different end; 0 if no batch has to do with it.

    Parameters
    ----------
    old, new : Results
        What both gave, of whom one failed.
    """
    results = new if new.end == FAILED else old
    return results.failed or results.last()


def fails_like(old: Results, new: Results, smaller_old: Results, smaller_new: Results) -> bool:
    """Return whether a smaller input shows the same failure, of the migrated job if that failed.

    Parameters
    ----------
    old, new : Results
        Over the whole input.
    smaller_old, smaller_new : Results
        Over the smaller one.
    """
    if not failure(smaller_old, smaller_new):
        return False
    if new.end == FAILED:
        return smaller_new.end == FAILED and same_error(new.error, smaller_new.error)
    # a test compares with what the original gave before it failed
    return same_error(old.error, smaller_old.error) and smaller_old.last() > 0


def differs_in(old: Results, again: Results, rules: Rules, batches: int) -> str:
    """Return where two runs of the original differ, as a text; empty if they do not.

    Parameters
    ----------
    old, again : Results
        The runs; the second one may have intermediate streams.
    """
    own = compare(old, outputs_only(again), rules, batches).first()
    if own is not None:
        return f"batch {own.batch}, {own.pair.name}"
    return "how they end" if failure(old, again) else ""


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
