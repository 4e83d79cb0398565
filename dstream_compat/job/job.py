"""A started context: its queries and how they begin and end together."""

from __future__ import annotations

import atexit
import logging
import signal
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Final

from pyspark import SparkContext

from ..batch.execution_mode import ExecutionMode
from ..batch.notices import Notices
from ..checkpoint.checkpoint import Checkpoint
from ..clock import Clock
from ..exceptions import QueryFailedError, StreamingStateError
from ..graph.nodes import Graph
from ..intervals.scheduler import Scheduler
from ..lifecycle import BatchAborted, Lifecycle, Phase
from ..listeners.bus import ListenerBus
from ..listeners.monitor import Monitor
from ..source.base import Input
from ..spark.interrupts import interrupts_held_back
from ..spark.java import JVM_ERRORS, spark_is_there
from ..spark.settings import JobSettings
from .queries import QueryFactory
from .query_run import GRACE_SECONDS, QueryRun
from .run_folders import RunFolders

_DRAIN_SECONDS: Final = 3600.0
"""How long a graceful stop lets running batches go on, as with DStreams."""


@dataclass(eq=False, repr=False)
class Job:
    """Runs the graph of one context.

    Parameters
    ----------
    sc : SparkContext
        the user's context
    graph : Graph
        what to run
    life : Lifecycle
        of the context
    clock : Clock
        gives batch times
    bus : ListenerBus
        carries events to the user's listeners
    settings : JobSettings
        see there
    checkpoint : Checkpoint, optional
        None keeps the queries' own checkpoints in a temporary folder
    recovering : bool
        True continues the checkpoint
    on_end : callable
        called when the job has ended, before those who wait for that go on
    """

    sc: SparkContext
    graph: Graph
    life: Lifecycle
    clock: Clock
    bus: ListenerBus
    settings: JobSettings
    checkpoint: Checkpoint | None
    recovering: bool
    on_end: Callable[[], None]

    def __post_init__(self) -> None:
        self._stop_lock = threading.RLock()  # a signal handler may stop again
        self._folders = RunFolders(self.sc, self.checkpoint)
        factory = QueryFactory(
            self.sc, self.graph, self.life, self.clock, self.settings, self._folders
        )
        self._queries = factory.make(self.bus, self._notices())
        self.runner = self._queries.runner

    def _notices(self) -> Notices:
        notices = Notices()
        if self.checkpoint is not None:
            save = self.checkpoint.variables(self.graph).save
            note = self.checkpoint.note_progress
            notices = notices._replace(on_progress=note, on_outputs=save)
        if self.recovering:
            # what was running when the earlier process ended runs again, before any interval begins
            notices = notices._replace(on_batch=lambda: self.life.advance(Phase.RUNNING))
        return notices

    @property
    def inputs(self) -> Sequence[Input]:
        """What the first query reads."""
        return list(self.scheduler.inputs.values())

    @property
    def scheduler(self) -> Scheduler:
        """What says which intervals the first query takes."""
        return self.runner.scheduler

    @property
    def runs(self) -> Sequence[QueryRun]:
        """The queries, each behind the one before."""
        return self._queries.runs

    @property
    def monitor(self) -> Monitor:
        """What tells listeners what happens."""
        return self._queries.monitor

    @property
    def folders(self) -> Sequence[str]:
        """Spark's checkpoint folders of the queries."""
        return [run.folder for run in self.runs]

    @property
    def mode(self) -> ExecutionMode:
        """How the first query has computed its last micro-batch."""
        return self.runner.execution.mode

    def start(self) -> None:
        """Start the queries and wait until the first interval begins.

        Raises
        ------
        StreamingStateError
            if a query cannot start; the message says why
        """
        # Whatever ends the process, Spark hears of it before its planner loses us.
        atexit.register(self._stop_at_exit)
        if not self.recovering:
            for initial in (
                self._queries.initial,
                *(query.initial for query in self._queries.later),
            ):
                initial.keep()
        for later in self._queries.later:
            self._start_query(later.run)
            if not self.recovering and not self._wait_start(later.query.warm.is_set):
                return
        self._start_query(self._queries.first)
        if not self._wait_start(lambda: False):
            return
        if self.checkpoint is not None and not self.recovering:
            self.checkpoint.make_current()

    def _start_query(self, run: QueryRun) -> None:
        with interrupts_held_back():
            run.start()
        threading.Thread(
            target=self._watch, args=(run,), name="dstream-compat-monitor", daemon=True
        ).start()

    def _wait_start(self, reached: Callable[[], bool]) -> bool:
        """Wait until the context has begun or a point is reached; False if it is stopped."""
        while not (self.life.began or reached()):
            if self.life.phase is Phase.STOPPED:
                return False
            if self.life.has_ended:
                error = self.life.error
                raise error if error is not None else StreamingStateError("the query ended")
            self.life.wait_for(Phase.RUNNING, 0.05)
        return True

    def remember(self, duration: int) -> None:
        """Keep the RDDs of batches from now on, also in later lives of the job.

        Parameters
        ----------
        duration : int
            for so many milliseconds
        """
        self.graph.remember = duration
        self.runner.past.remember(duration)

    def in_callback(self) -> bool:
        """Return whether the calling thread is one that runs outputs."""
        return threading.get_ident() in {self.runner.thread, *self.runner.pool.threads}

    def drain(self) -> threading.Event:
        """Receive nothing more and process what was received; the event says that it is done."""
        self.life.advance(Phase.DRAINING)
        return self.scheduler.drain()

    def halt(self) -> None:
        """Begin no further interval."""
        self.life.advance(Phase.HALTING)
        self.scheduler.halt()

    def stop(self, gracefully: bool) -> None:
        """End the job; returns when it has ended.

        Parameters
        ----------
        gracefully : bool
            process everything received first
        """
        if gracefully:
            wait_drained(self.drain(), self.settings.drain_seconds, self._is_over)
        else:
            self.life.advance(Phase.HALTING)
            for source in self.inputs:
                source.stop_receiving()
        with self._stop_lock:
            self.life.advance(Phase.STOPPING)
            if gracefully:  # what runs may end, and needs the other queries for that
                self._queries.first.stop(_DRAIN_SECONDS)
            self._expect_stop()
            for run in self.runs:
                run.stop(_DRAIN_SECONDS if gracefully else GRACE_SECONDS)
            self._end()

    def _stop_at_exit(self) -> None:
        # A further Ctrl-C ends the process, as a restart is prepared for that.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        self.stop(False)

    def _is_over(self) -> bool:
        aborted = isinstance(self.runner.failure, BatchAborted)
        return aborted or self.life.phase >= Phase.STOPPING

    def _end(self) -> None:
        if not self.life.begin_end():
            return
        atexit.unregister(self._stop_at_exit)
        with ExitStack() as last:  # whatever fails, the rest is done and those who wait go on
            last.callback(self.life.end)
            last.callback(self.on_end)
            last.callback(self._folders.discard)
            last.callback(close_what_is_there, self.sc, self.runner.past.close)
            last.callback(self.monitor.close)
            for source in self.inputs:
                last.callback(source.stop_receiving)
            for run in self.runs:
                last.callback(close_what_is_there, self.sc, run.close)

    def _may_go_on(self) -> bool:
        """Return whether a failed query can be started again: not while sources are started."""
        return self.life.began and not self.scheduler.beginning

    def _watch(self, run: QueryRun) -> None:
        try:
            error = run.watch(self._may_go_on)
        except Exception as failure:
            error = QueryFailedError.of(failure, run.folder)
        self.life.fail(error)
        others = [other for other in self.runs if other is not run]
        if others and self.life.phase < Phase.STOPPING:
            self._stop_others(others)
        self._end()

    def _expect_stop(self) -> None:
        for run in self.runs:
            run.expect_stop()
        for later in self._queries.later:
            later.query.release()

    def _stop_others(self, others: Sequence[QueryRun]) -> None:
        """Stop the other queries: one alone is of no use, what it
        hands over is not processed or never comes.
        """
        self.halt()
        with self._stop_lock:
            self._expect_stop()
            for run in others:
                run.stop(GRACE_SECONDS)


_LOG = logging.getLogger("dstream_compat")


def wait_drained(drained: threading.Event, seconds: float, ended: Callable[[], bool]) -> None:
    """Wait until everything received is processed; says so if that takes too long.

    Parameters
    ----------
    drained : threading.Event
        set when it is
    seconds : float
        how long to wait at most
    ended : callable
        whether the job has ended otherwise
    """
    deadline = time.monotonic() + seconds
    while not drained.wait(0.05) and not ended():
        if time.monotonic() > deadline:
            _LOG.warning(
                "a graceful stop did not end within %g s (spark.streaming.gracefulStopTimeout): "
                "batches that are running may still end, and no further one begins",
                seconds,
            )
            return


def close_what_is_there(sc: SparkContext, close: Callable[[], None]) -> None:
    """Close something of the JVM, which may have ended.

    Parameters
    ----------
    sc : SparkContext
        whose JVM it is
    close : callable
        closes it
    """
    try:
        close()
    except JVM_ERRORS as error:
        if spark_is_there(sc):
            _LOG.warning("a part of the job could not be closed: %s", str(error).partition("\n")[0])
