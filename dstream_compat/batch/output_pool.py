"""Runs the outputs of a batch, several at once if ``spark.streaming.concurrentJobs`` says so."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence

from pyspark import InheritableThread, SparkContext

from ..spark.sessions import user_session
from .overwriting import allow_overwriting


class OutputPool:
    """Runs calls in order, so many at a time.

    Parameters
    ----------
    sc : SparkContext
        the user's context
    size : int
        calls that run at once; one runs them in the caller's thread
    """

    def __init__(self, sc: SparkContext, size: int) -> None:
        self._sc = sc
        self._size = size
        self.threads: set[int] = set()
        """Threads that run calls now."""

    def run(self, calls: Sequence[Callable[[], None]]) -> None:
        """Run all calls; raises the first exception of one when all that were begun have ended."""
        if self._size <= 1 or len(calls) <= 1:
            for call in calls:
                call()
            return
        waiting = deque(calls)
        taking = threading.Lock()
        errors: list[BaseException] = []

        def take() -> Callable[[], None] | None:
            with taking:
                return waiting.popleft() if waiting and not errors else None

        def work() -> None:
            self.threads.add(threading.get_ident())
            try:
                with user_session(self._sc), allow_overwriting(self._sc):
                    while (call := take()) is not None:
                        call()
            except BaseException as error:
                errors.append(error)
            finally:
                self.threads.discard(threading.get_ident())

        # Spark jobs of these threads belong to the query's job group, as the caller's do.
        threads = [InheritableThread(work) for _ in range(min(self._size, len(calls)))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if errors:
            raise errors[0]
