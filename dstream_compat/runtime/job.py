"""A started context: its scheduler, its query and how both end."""

from __future__ import annotations

import atexit
import logging
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

from py4j.protocol import Py4JError
from pyspark import SparkContext

from ..clock import Clock
from ..compile import Plan, compile_graph
from ..exceptions import BatchFailedError, QueryFailedError, StreamingStateError
from ..graph import Graph
from ..settings import JobSettings
from ..source.base import Source
from ..source.rpc import SchedulerServer
from ..source.scheduler import Scheduler
from ..source.spool import Spool
from ..storage import discard, storage_for
from . import query
from .batches import BatchAborted, BatchRunner
from .checkpoint import Checkpoint, temporary_folder
from .initial import initial_frames

_LOG = logging.getLogger("dstream_compat")
_GRACE_SECONDS: Final = 2.0
_DRAIN_SECONDS: Final = 3600.0
"""How long a graceful stop lets running batches go on, as on the real engine."""
_ATTEMPTS: Final = 3


class Job:
    """Runs the graph of one context.

    Parameters
    ----------
    sc : SparkContext
        the user's context
    graph : Graph
        what to run
    clock : Clock
        gives batch times
    settings : JobSettings
        see there
    checkpoint : Checkpoint, optional
        None keeps the query's own checkpoint in a temporary folder
    recovering : bool
        True continues the checkpoint
    on_end : callable
        called when the job has ended, before those who wait for that are told
    """

    def __init__(
        self,
        sc: SparkContext,
        graph: Graph,
        clock: Clock,
        settings: JobSettings,
        checkpoint: Checkpoint | None,
        recovering: bool,
        on_end: Callable[[], None],
    ) -> None:
        self._sc = sc
        self._settings = settings
        self._checkpoint = checkpoint
        self._recovering = recovering
        self._on_end = on_end
        self._temporary = temporary_folder(sc)
        self._changed = threading.Condition()
        self._stop_lock = threading.RLock()  # a signal handler may stop again
        self._stopping = False
        self._ending: int | None = None
        self._ended = False
        self._error: BaseException | None = None
        self._begun = threading.Event()
        self.plan: Plan = compile_graph(graph, settings.partitions)
        self.runner = BatchRunner(sc, graph, self._report)
        self.scheduler = Scheduler(
            sc,
            clock,
            graph.interval,
            self.plan.sources,
            lambda: initial_frames(self.plan.initial),
            self._spool(),
            settings.partitions,
            settings.most,
            self._on_begin,
        )
        self._server = SchedulerServer(self.scheduler)
        self._query: Any = None

    @property
    def sources(self) -> Sequence[Source]:
        """The sources of the graph."""
        return list(self.plan.sources.values())

    def start(self) -> None:
        """Start the query and wait until its first interval begins.

        Raises
        ------
        StreamingStateError
            if the query cannot start; the message says why
        """
        # Whatever ends the process, Spark is told before its planner loses us.
        atexit.register(self.stop, False)
        with self._stop_lock:
            if self._stopping:
                return
            self._start_query()
        threading.Thread(target=self._monitor, name="dstream-compat-monitor", daemon=True).start()
        while not self._begun.wait(0.05):
            if self._recovering and self.runner.thread is not None:
                break  # the batch that was running when the earlier process ended runs again
            if self._ended:
                if self._stopping:
                    return
                error = self._error
                raise error if error is not None else StreamingStateError("the query ended")
        if self._checkpoint is not None and not self._recovering:
            self._checkpoint.make_current()

    def wait(self, seconds: float | None) -> bool:
        """Wait until the job has ended or an error is reported; returns whether it has ended."""
        with self._changed:
            self._changed.wait_for(lambda: self._ended or self._error is not None, seconds)
            return self._ended

    @property
    def error(self) -> BaseException | None:
        """The latest error, of an output or of the query itself."""
        return self._error

    def in_callback(self) -> bool:
        """Return whether the calling thread is the one that runs outputs."""
        return self.runner.thread == threading.get_ident()

    def stop(self, gracefully: bool) -> None:
        """End the job; returns when it has ended.

        Parameters
        ----------
        gracefully : bool
            process everything received first
        """
        if gracefully:
            self._drain()
        else:
            self.runner.halting.set()
        with self._stop_lock:
            self._stopping = True
            self.scheduler.halt()
            if self._query is not None:
                self._stop_query(_DRAIN_SECONDS if gracefully else _GRACE_SECONDS)
            self._end(None)

    def _drain(self) -> None:
        drained = self.scheduler.drain()
        deadline = time.monotonic() + self._settings.drain_seconds
        while not drained.wait(0.05) and not self._ended and not self._stopping:
            if time.monotonic() > deadline:
                _LOG.warning(
                    "a graceful stop did not end within %g s; what is running may still end",
                    self._settings.drain_seconds,
                )
                return

    def _stop_query(self, grace: float) -> None:
        # Spark must not be interrupted in the middle of a job: let the micro-batch end first.
        try:
            if not self._wait_idle(grace):
                self.runner.stopping.set()
                self._sc.cancelJobGroup(self._query.runId().toString())
                self.runner.idle.wait(_GRACE_SECONDS)
            self.runner.stopping.set()
            self._query.stop()
        except Py4JError as error:
            if self._spark_is_there():
                _LOG.warning("stopping the query failed: %s", str(error).partition("\n")[0])

    def _wait_idle(self, grace: float) -> bool:
        """Wait for the running micro-batch; an impatient hard stop cuts a graceful one short."""
        deadline = time.monotonic() + grace
        while not self.runner.idle.wait(0.05):
            if self.runner.halting.is_set():
                deadline = min(deadline, time.monotonic() + _GRACE_SECONDS)
            if time.monotonic() > deadline:
                return False
        return True

    def _spark_is_there(self) -> bool:
        jsc: Any = self._sc._jsc
        try:
            return jsc is not None and not jsc.sc().isStopped()
        except Py4JError:
            return False  # the JVM has ended

    def _end(self, error: BaseException | None) -> None:
        with self._changed:
            if self._ending is not None:
                # a signal handler may find its own thread in the middle of this
                if self._ending != threading.get_ident():
                    self._changed.wait_for(lambda: self._ended)
                return
            self._ending = threading.get_ident()
        atexit.unregister(self.stop)
        self._server.close()
        for source in self.sources:
            source.stop_receiving()
        if self._temporary.startswith("file:") or self._spark_is_there():
            discard(storage_for(self._sc, self._temporary), self._temporary)
        self._on_end()
        with self._changed:
            self._ended = True
            self._error = error or self._error
            self._changed.notify_all()

    def _spool(self) -> Spool | None:
        if self._checkpoint is None:
            return None
        folder = self._checkpoint.inputs
        return Spool(storage_for(self._sc, folder), folder)

    def _on_begin(self, zero: int) -> None:
        self._begun.set()

    def _report(self, error: BatchFailedError) -> None:
        with self._changed:
            self._error = error
            self._changed.notify_all()

    def _start_query(self) -> None:
        folder = self._checkpoint.query if self._checkpoint else self._temporary
        storage = storage_for(self._sc, folder)
        self._query = query.start_query(
            self._sc,
            self.plan,
            self._server.address,
            folder,
            query.settings_for(self.plan, storage.local(folder) is not None),
            self.plan.labels[0].split(" -> ")[0],
            self.runner,
        )

    def _monitor(self) -> None:
        try:
            self._end(self._watch())
        except Exception as error:
            self._end(QueryFailedError.of(error))

    def _watch(self) -> BaseException | None:
        """Wait until the query has ended for good; returns the error that ended it."""
        failures: dict[int, int] = {}
        while True:
            error = self._await_query()
            if error is None or self._stopping or not self._spark_is_there():
                return None
            if isinstance(self.runner.failure, BatchAborted):
                return None
            batch = self._last_batch()
            failures[batch] = failures.get(batch, 0) + 1
            if not self._begun.is_set() or failures[batch] >= _ATTEMPTS:
                return error
            # Spark gave up on a micro-batch (a cancelled job, a lost worker): run it again.
            _LOG.error("%s; running the batch again", str(error).partition("\n")[0])
            self.runner.failure = None
            with self._stop_lock:
                if self._stopping:
                    return None
                self._start_query()

    def _last_batch(self) -> int:
        progress = self._query.lastProgress()
        return -1 if progress is None else int(progress.batchId())

    def _await_query(self) -> BaseException | None:
        try:
            self._query.awaitTermination()
        except Exception as error:
            return QueryFailedError.of(error)
        return None
