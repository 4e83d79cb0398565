"""One streaming query of a context while it runs: started, watched, started again, stopped."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, Final

from pyspark import SparkContext

from ..batch.callback import Callback
from ..batch.table_ranges import RangeAnnouncer
from ..exceptions import QueryFailedError
from ..lifecycle import BatchAborted, Lifecycle, Phase
from ..plan.compile import Plan
from ..planner.rpc import SchedulerServer
from ..spark.java import JVM_ERRORS, jvm_is_there, spark_is_there
from ..spark.query_names import query_name
from ..storage.files import reason_of, storage_for
from ..wire.errors import SPARK_ERRORS
from . import query

_LOG = logging.getLogger("dstream_compat")
GRACE_SECONDS: Final = 2.0
_ATTEMPTS: Final = 3


@dataclass(eq=False)
class QueryRun:
    """A query with its scheduler and its ``foreachBatch`` function.

    Parameters
    ----------
    sc : SparkContext
        the user's context
    life : Lifecycle
        of the context
    plan : Plan
        what it runs
    callback : Callback
        gets its micro-batches
    announcer : RangeAnnouncer
        tells tasks what they read of tables
    folder : str
        Spark's checkpoint of the query
    """

    sc: SparkContext
    life: Lifecycle
    plan: Plan
    callback: Callback
    announcer: RangeAnnouncer
    folder: str

    def __post_init__(self) -> None:
        self._scheduler = self.callback.scheduler
        self._server = SchedulerServer(self._scheduler) if self.plan.tables else None
        self._lock = threading.RLock()  # a signal handler may stop again
        self._stopping = False
        self._query: Any = None

    def start(self) -> None:
        """Start the query, unless it was stopped already.

        Raises
        ------
        QueryFailedError
            if Spark cannot read its checkpoint
        """
        try:
            self._start()
        except SPARK_ERRORS as error:
            text = reason_of(error)  # without Java's stack
            raise QueryFailedError.of(RuntimeError(text), self.folder) from error

    def _start(self) -> None:
        with self._lock:
            if self._stopping:
                return
            storage = storage_for(self.sc, self.folder)
            self.callback.functions.begin()
            self._query, streams = query.start_query(
                self.sc,
                self.plan,
                self.announcer.tables,
                self.callback.execution,
                None if self._server is None else self._server.address,
                self.folder,
                query.settings_for(self.plan, storage.local(self.folder) is not None),
                query_name(self.plan.labels),
                self.callback,
            )
            self.announcer.take_query(self._query, streams)

    def expect_stop(self) -> None:
        """Start the query no more if it fails: it is about to be stopped."""
        self._stopping = True

    def stop(self, grace: float) -> None:
        """Stop the query; what it runs has ``grace`` seconds to end."""
        self._scheduler.halt()
        with self._lock:
            self._stopping = True
            if self._query is None:
                return
            # Spark must not be interrupted in the middle of a job: let the micro-batch end first.
            try:
                if not self._wait_idle(grace):
                    self.life.advance(Phase.ABORTING)
                    self.sc.cancelJobGroup(self._query.runId().toString())
                    self.callback.idle.wait(GRACE_SECONDS)
                self.life.advance(Phase.ABORTING)
                self._query.stop()
            except JVM_ERRORS as error:
                if spark_is_there(self.sc):
                    reason = str(error).partition("\n")[0]
                    _LOG.warning("stopping the query failed: %s", reason)

    def close(self) -> None:
        """Answer Spark's planner no more, and remove what tasks read."""
        self._scheduler.end()
        with ExitStack() as last:
            last.callback(self.announcer.close)
            last.callback(self.callback.execution.close)
            last.callback(self.callback.functions.close)
            if self._server is not None:
                last.callback(self._server.close)

    def watch(self, begun: Callable[[], bool]) -> BaseException | None:
        """Wait until the query has ended for good; returns the error that ended it.

        Parameters
        ----------
        begun : callable
            whether the context has begun; before that a failed query is not started again
        """
        failures: dict[int | None, int] = {}
        error = self._await()
        while error is not None and not self._stopping:
            if not spark_is_there(self.sc):
                return None if jvm_is_there(self.sc) else error
            if isinstance(self.callback.failure, BatchAborted):
                return None
            last = self._scheduler.last_commit
            failures[last] = failures.get(last, 0) + 1
            if not begun() or failures[last] >= _ATTEMPTS:
                return error
            # Spark gave up on a micro-batch (a cancelled job, a lost worker): run it again.
            _LOG.error("%s; running the batch again", str(error).partition("\n")[0])
            self.callback.failure = None
            try:
                self.start()
            except QueryFailedError as failure:
                error = failure
            except Exception as failure:  # a broker that is away: the next attempt may find it
                error = QueryFailedError.of(failure, self.folder)
            else:
                error = self._await()
        return None

    def _wait_idle(self, grace: float) -> bool:
        """Wait for the running micro-batch; an impatient hard stop cuts a graceful one short."""
        deadline = time.monotonic() + grace
        while not self.callback.idle.wait(0.05):
            if self.life.phase >= Phase.HALTING:
                deadline = min(deadline, time.monotonic() + GRACE_SECONDS)
            if time.monotonic() > deadline:
                return False
        return True

    def _await(self) -> BaseException | None:
        try:
            self._query.awaitTermination()
        except Exception as error:
            # Spark takes what our function raises for an error of a function of the user.
            cause = self.callback.failure or error
            failed = QueryFailedError.of(cause, self.folder)
            failed.__cause__ = cause
            return failed
        return None
