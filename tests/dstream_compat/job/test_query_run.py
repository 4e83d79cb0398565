"""How often a micro-batch that Spark has given up on is tried again."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from dstream_compat.job import query_run as queryrun
from dstream_compat.job.query_run import QueryRun


class Query:
    """Fails after having committed some micro-batches, again and again, and ends in the end.

    Parameters
    ----------
    committed : list of (int or None)
        the interval that is committed last, at each failure
    """

    def __init__(self, run: Any, committed: list[int | None]) -> None:
        self._run = run
        self._left = list(committed)

    def awaitTermination(self) -> None:
        if self._left:
            self._run._scheduler.last_commit = self._left.pop(0)
            raise RuntimeError("a disk is full")


def watched(
    monkeypatch: pytest.MonkeyPatch, committed: list[int | None], begun: bool = True
) -> tuple[bool, int]:
    """Return whether the query ended well, and how often it was started again."""
    monkeypatch.setattr(queryrun, "spark_is_there", lambda sc: True)
    run: Any = QueryRun.__new__(QueryRun)
    started: list[int] = []
    vars(run).update(
        sc=None,
        _stopping=False,
        folder="query",
        callback=SimpleNamespace(failure=None),
        _scheduler=SimpleNamespace(last_commit=None),
        start=lambda: started.append(1),
        _query=Query(run, committed),
    )
    error = run.watch(lambda: begun)
    return error is None, len(started)


def test_a_batch_is_tried_three_times(monkeypatch: pytest.MonkeyPatch) -> None:
    assert watched(monkeypatch, []) == (True, 0)
    assert watched(monkeypatch, [1, 1]) == (True, 2)
    assert watched(monkeypatch, [1, 1, 1]) == (False, 2)


def test_each_batch_has_its_own_attempts(monkeypatch: pytest.MonkeyPatch) -> None:
    assert watched(monkeypatch, [1, 1, 2, 2, 3, 3]) == (True, 6)
    assert watched(monkeypatch, [1, 1, 2, 3, 3, 3]) == (False, 5)


def test_what_a_recovery_replays_has_them_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is known to be committed until the replay is."""
    assert watched(monkeypatch, [None, None, 1]) == (True, 3)
    assert watched(monkeypatch, [None, None, None]) == (False, 2)


def test_nothing_is_tried_again_before_the_context_has_begun(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert watched(monkeypatch, [None], begun=False) == (False, 0)


def test_an_error_is_what_our_function_raised() -> None:
    """Spark shows it as one of the user's foreachBatch function, which no user has written."""
    run: Any = QueryRun.__new__(QueryRun)
    failure = OSError("a disk is full")

    def fail() -> None:
        raise RuntimeError("FOREACH_BATCH_USER_FUNCTION_ERROR")

    query = SimpleNamespace(awaitTermination=fail)
    vars(run).update(folder="x", _query=query, callback=SimpleNamespace(failure=failure))
    error = run._await()
    assert str(error) == "the streaming query failed: a disk is full (its checkpoint: x)"
    assert error.__cause__ is failure
    run.callback.failure = None
    assert "FOREACH_BATCH_USER_FUNCTION_ERROR" in str(run._await())
