"""Explains a failure: its operator, and whether a smaller input or a second run shows it."""

from __future__ import annotations

from dstream_compat.testing.results import Results
from dstream_compat.testing.run_errors import error_place, same_error
from migrator.verify.comparison import Rules, compare
from migrator.verify.ends import failure
from migrator.verify.obstacles import FAILED
from migrator.verify.operators import aligned_streams
from migrator.verify.outcome import outputs_only


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
