"""StreamingContext's methods that start the computation, wait for its end and stop it."""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING

from pyspark import SparkContext

from ..checkpoint import checkpoint as checkpoints
from ..clock import Clock, clock_for
from ..exceptions import BatchFailedError, StreamingStateError
from ..graph.nodes import Graph
from ..job import active
from ..job.shutdown import ShutdownHook
from ..job.validation import check_graph
from ..lifecycle import Lifecycle, Phase
from ..listeners.bus import ListenerBus
from ..settings import CLOCK
from ..spark.conf import conf_of
from ..spark.console import show_hdfs_retries
from ..spark.interrupts import interrupts_held_back
from ..spark.parallelism import state_partitions
from ..spark.settings import use_own_python
from ..spark.shipping import ship_package
from ..version_differences import check_version
from .base import S
from .factory import StreamFactory
from .private_names import PrivateContextNames

if TYPE_CHECKING:
    from ..job.job import Job

_LOG = logging.getLogger("dstream_compat")


class StartAndStop(PrivateContextNames, StreamFactory[S]):
    """Starts the graph of a context as a job, and stops it.

    Parameters
    ----------
    sc : SparkContext
        where to run
    graph : Graph
        what to run
    recovered : Recovered, optional
        the run to continue
    """

    def __init__(
        self, sc: SparkContext, graph: Graph, recovered: checkpoints.Recovered | None = None
    ) -> None:
        self._sc = sc
        self._jvm = sc._jvm
        self._ensure_initialized()
        self._graph = graph
        self._recovered = recovered
        self._folder: str | None = None
        self._job: Job | None = None
        self._life = Lifecycle()
        self._lock = threading.RLock()
        self._listeners = ListenerBus()
        self._shutdown: ShutdownHook | None = None
        self._clock: Clock = clock_for(CLOCK.read(conf_of(sc)))
        show_hdfs_retries(sc)
        use_own_python(sc)
        ship_package(sc)
        active.note_latest(self)

    def start(self) -> None:
        """Start the computation; returns when its first interval has begun.

        Mirrors ``pyspark.streaming.StreamingContext.start``.

        Raises
        ------
        StreamingStateError
            if there is nothing to do, the context was stopped, or another one is active
        ValueError
            if a stream cannot have its checkpoint interval or storage level, or if its source can
            never be read, such as a folder of a file system that there is not
        """
        # half of what this package imports; `run` does it while it waits for the JVM
        from ..job.starting import make_job

        with self._lock:
            if self._life.phase is Phase.STOPPED:
                raise StreamingStateError("StreamingContext has already been stopped")
            if self._job is not None:
                return
            active.claim(self)
            self._life.advance(Phase.STARTING)
            try:
                check_version(self._sc)
                check_graph(self._sc, self._graph, self._folder)
                with interrupts_held_back():
                    self._job = make_job(
                        self._sc,
                        self._graph,
                        self._life,
                        self._clock,
                        self._listeners,
                        self._folder,
                        self._recovered,
                        self._on_end,
                    )
                self._job.start()
                with interrupts_held_back():
                    self._shutdown = ShutdownHook.install(self._sc, lambda: self.stop(False, True))
                if self._life.has_ended:
                    self._on_end()
            except BaseException:
                self._abandon()
                raise

    def _state_partitions(self) -> int:
        if self._job is not None:
            return self._job.settings.partitions
        if self._recovered is not None:
            return self._recovered.saved.partitions
        return state_partitions(self._sc)

    def awaitTermination(self, timeout: float | None = None) -> None:
        """Wait until the context is stopped.

        Mirrors ``pyspark.streaming.StreamingContext.awaitTermination``.

        Parameters
        ----------
        timeout : int or float, optional
            seconds to wait at most

        Raises
        ------
        BatchFailedError
            with the traceback of the latest error of the user's code
        """
        self.awaitTerminationOrTimeout(timeout)

    def awaitTerminationOrTimeout(self, timeout: float | None) -> bool:
        """Wait until the context is stopped, also if it is not started yet; return whether it is.

        Mirrors ``pyspark.streaming.StreamingContext.awaitTerminationOrTimeout``.

        Parameters
        ----------
        timeout : int or float
            seconds to wait at most

        Returns
        -------
        bool

        Raises
        ------
        BatchFailedError
            with the traceback of the latest error of the user's code
        """
        until = None if timeout is None else time.monotonic() + timeout
        self._life.wait_for(Phase.RUNNING, timeout)
        if self._job is None:
            return self._life.phase is Phase.STOPPED
        left = None if until is None else max(until - time.monotonic(), 0)
        ended = self._life.wait_for_end_or_error(left)
        if ended and self._shutdown is not None:
            self._shutdown.exit_if_asked()
        error = self._life.error
        if error is not None:
            raise _fresh(error) from error.__cause__
        return ended

    def stop(self, stopSparkContext: bool = True, stopGraceFully: bool = False) -> None:
        """Stop the computation.

        Mirrors ``pyspark.streaming.StreamingContext.stop``.

        Parameters
        ----------
        stopSparkContext : bool
            stop the SparkContext too
        stopGraceFully : bool
            process everything received first

        Raises
        ------
        StreamingStateError
            if a listener calls it: what it listens to would wait for it
        """
        if self._listeners.in_callback():
            raise StreamingStateError("Cannot stop StreamingContext within listener bus thread.")
        job = self._job
        if job is not None and job.in_callback():
            # The batch that called us must end first, so the stop goes on beside it.
            if stopGraceFully:
                job.drain()
            else:
                job.halt()
            threading.Thread(
                target=self._stop, args=(stopSparkContext, stopGraceFully), daemon=True
            ).start()
            return
        self._stop(stopSparkContext, stopGraceFully)

    def _stop(self, stop_spark: bool, gracefully: bool) -> None:
        try:
            with interrupts_held_back(self._hurry):
                job = self._job
                if job is not None:
                    job.stop(gracefully)
                with self._lock:  # a start() that was under way has ended now
                    if self._job is not None and self._job is not job:
                        self._job.stop(gracefully)
                    self._life.advance(Phase.STOPPED)
                    active.release(self)
        finally:
            if stop_spark:
                self._sc.stop()

    def _hurry(self) -> None:
        """Let a stop end soon: what was received and is not processed waits for a restart."""
        if self._life.phase < Phase.HALTING:
            _LOG.warning("interrupted during the stop: no further batch is processed")
            self._life.advance(Phase.HALTING)

    def _on_end(self) -> None:
        active.release(self)
        if self._shutdown is not None:
            self._shutdown.remove()

    def _abandon(self) -> None:
        # As with DStreams: its receivers have begun and ended, and cannot begin again.
        with interrupts_held_back():
            job, self._job = self._job, None
            if job is not None:
                job.stop(False)
            self._life.advance(Phase.STOPPED)
            active.release(self)


def _fresh(error: BaseException) -> BaseException:
    """Return a copy to raise: one exception object must not collect a traceback per call."""
    return BatchFailedError(*error.args) if isinstance(error, BatchFailedError) else error
