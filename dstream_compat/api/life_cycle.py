"""StreamingContext's methods that start the computation, wait for its end and stop it."""

from __future__ import annotations

import threading
import time

from pyspark import SparkContext

from ..clock import Clock, clock_for
from ..exceptions import BatchFailedError, StreamingStateError
from ..graph import Graph
from ..runtime import active
from ..runtime import checkpoint as checkpoints
from ..runtime.checking import check_graph
from ..runtime.interrupts import interrupts_held_back
from ..runtime.job import Job
from ..runtime.listening import ListenerBus
from ..runtime.shipping import ship_package
from ..runtime.shutdown import ShutdownHook
from ..runtime.starting import make_job
from ..settings import use_own_python
from ..version_differences import check_version
from .factory import StreamFactory


class LifeCycle(StreamFactory):
    """From a graph to a job that runs, and its end."""

    def _attach(
        self,
        sc: SparkContext,
        graph: Graph,
        recovered: tuple[checkpoints.Checkpoint, checkpoints.Saved] | None = None,
    ) -> None:
        self._sc = sc
        self._jvm = sc._jvm
        self._context()._ensure_initialized()
        self._graph = graph
        self._recovered = recovered
        self._folder: str | None = None
        self._job: Job | None = None
        self._stopped = False
        self._settled = threading.Event()  # started or stopped
        self._lock = threading.RLock()
        self._listeners = ListenerBus()
        self._shutdown: ShutdownHook | None = None
        self._clock: Clock = clock_for(sc.getConf().get("spark.streaming.clock"))
        use_own_python(sc)
        ship_package(sc)
        active.made(self._context())

    def start(self) -> None:
        """Start the computation; returns when its first interval has begun.

        Raises
        ------
        StreamingStateError
            if there is nothing to do, the context was stopped, or another one is active
        ValueError
            if a stream cannot have its checkpoint interval or storage level
        """
        with self._lock:
            if self._stopped:
                raise StreamingStateError("StreamingContext has already been stopped")
            if self._job is not None:
                return
            active.claim(self._context())
            try:
                check_version(self._sc)
                check_graph(self._sc, self._graph, self._folder)
                with interrupts_held_back():
                    self._job = make_job(
                        self._sc,
                        self._graph,
                        self._clock,
                        self._folder,
                        self._recovered,
                        self._ended,
                    )
                self._job.monitor.listen(self._listeners)
                self._job.start()
                with interrupts_held_back():
                    self._shutdown = ShutdownHook.install(self._sc, lambda: self.stop(False, True))
                if self._job.wait(0):
                    self._ended()
                self._settled.set()
            except BaseException:
                self._abandon()
                raise

    def awaitTermination(self, timeout: float | None = None) -> None:
        """Wait until the context is stopped.

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

        Parameters
        ----------
        timeout : int or float
            seconds to wait at most

        Raises
        ------
        BatchFailedError
            with the traceback of the latest error of the user's code
        """
        until = None if timeout is None else time.monotonic() + timeout
        if self._job is None:
            self._settled.wait(timeout)
        job = self._job
        if job is None:
            return self._stopped
        ended = job.wait(None if until is None else max(until - time.monotonic(), 0))
        if ended and self._shutdown is not None:
            self._shutdown.exit_if_asked()
        error = job.error
        if error is not None:
            raise _fresh(error) from error.__cause__
        return ended

    def stop(self, stopSparkContext: bool = True, stopGraceFully: bool = False) -> None:
        """Stop the computation.

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
                job.scheduler.drain()
            else:
                job.halt()
            threading.Thread(
                target=self._stop, args=(stopSparkContext, stopGraceFully), daemon=True
            ).start()
            return
        self._stop(stopSparkContext, stopGraceFully)

    def _stop(self, stop_spark: bool, gracefully: bool) -> None:
        job = self._job
        if job is not None:
            job.stop(gracefully)
        with self._lock:  # a start() that was under way has ended now
            self._stopped = True
            self._settled.set()
            if self._job is not None and self._job is not job:
                self._job.stop(gracefully)
            active.release(self._context())
        if stop_spark:
            self._sc.stop()

    def _ended(self) -> None:
        active.release(self._context())
        if self._shutdown is not None:
            self._shutdown.remove()

    def _abandon(self) -> None:
        # As on the real engine: its receivers have begun and ended, and cannot begin again.
        self._stopped = True
        self._settled.set()
        job, self._job = self._job, None
        if job is not None:
            job.stop(False)
        active.release(self._context())


def _fresh(error: BaseException) -> BaseException:
    """Return a copy to raise: one exception object must not collect a traceback per call."""
    return BatchFailedError(*error.args) if isinstance(error, BatchFailedError) else error
