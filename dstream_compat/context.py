"""StreamingContext: the entry point, with the methods of ``pyspark.streaming.StreamingContext``."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from pyspark import SparkConf, SparkContext

from .api.factory import StreamFactory
from .clock import Clock, clock_for
from .exceptions import BatchFailedError, StreamingStateError, UnsupportedOperationError
from .graph import Graph, Node
from .runtime import active
from .runtime import checkpoint as checkpoints
from .runtime.job import Job
from .runtime.listen_sites import register
from .runtime.listening import ListenerBus
from .runtime.shipping import ship_package
from .runtime.shutdown import ShutdownHook
from .runtime.starting import check_graph, make_job
from .settings import use_own_python, wants_rebuild

__all__ = ["StreamingContext"]


class StreamingContext(StreamFactory):
    """Creates streams from sources, and starts and stops their computation.

    Mirrors ``pyspark.streaming.StreamingContext``.

    Parameters
    ----------
    sparkContext : SparkContext
        where to run
    batchDuration : int or float
        batch interval in seconds
    jssc : None
        only there for the signature: there is no JVM StreamingContext
    """

    def __init__(
        self,
        sparkContext: SparkContext,
        batchDuration: float | None = None,
        jssc: None = None,
    ) -> None:
        if jssc is not None:
            raise UnsupportedOperationError(
                "StreamingContext(jssc=...)",
                "there is no JVM StreamingContext behind this one",
                "Pass a SparkContext and the batch interval",
            )
        if batchDuration is None:
            raise ValueError("StreamingContext needs a batch interval in seconds")
        interval = int(batchDuration * 1000)
        if interval <= 0:
            raise ValueError(f"the batch interval must be at least 0.001 s, not {batchDuration}")
        self._attach(sparkContext, Graph(interval))

    def _attach(
        self,
        sc: SparkContext,
        graph: Graph,
        recovered: tuple[checkpoints.Checkpoint, checkpoints.Saved] | None = None,
    ) -> None:
        self._sc = sc
        self._jvm = sc._jvm
        self._graph = graph
        self._recovered = recovered
        self._folder: str | None = None
        self._job: Job | None = None
        self._stopped = False
        self._lock = threading.RLock()
        self._listeners = ListenerBus()
        self._shutdown: ShutdownHook | None = None
        self._clock: Clock = clock_for(sc.getConf().get("spark.streaming.clock"))
        use_own_python(sc)
        ship_package(sc)

    def __reduce__(self) -> Any:
        raise RuntimeError(
            "It appears that you are attempting to reference StreamingContext from a function "
            "that is sent to workers or saved in a checkpoint; StreamingContext can only be used "
            "on the driver"
        )

    @property
    def _jssc(self) -> Any:
        raise UnsupportedOperationError(
            "StreamingContext._jssc",
            "there is no JVM StreamingContext behind this one",
            "ssc._sc, ssc._jvm and ssc.sparkContext._jvm work",
        )

    @property
    def sparkContext(self) -> SparkContext:
        """The SparkContext of this StreamingContext."""
        return self._sc

    # Life cycle.

    @classmethod
    def getOrCreate(
        cls, checkpointPath: str, setupFunc: Callable[[], StreamingContext]
    ) -> StreamingContext:
        """Return the context that a checkpoint holds, or the one that a function sets up.

        Parameters
        ----------
        checkpointPath : str
            checkpoint folder of an earlier run
        setupFunc : callable
            makes a new context; not called when there is a checkpoint

        Raises
        ------
        CheckpointError
            if the folder holds a checkpoint that cannot be used

        Notes
        -----
        With ``spark.streaming.compat.rebuildGraph=true`` (given to ``spark-submit``, or set on a
        SparkContext that exists already) the function is called, and what it sets up goes on with
        the state and the offsets of the checkpoint. Spark's DStreams cannot do that.
        """
        SparkContext._ensure_initialized()
        sc = SparkContext._active_spark_context
        checkpoints.refuse_real_checkpoint(sc, checkpointPath)
        found = checkpoints.find(sc, checkpointPath)
        if found is None:
            context = setupFunc()
            context.checkpoint(checkpointPath)
            return context
        if wants_rebuild(sc):
            context = setupFunc()
            context._recovered = found, found.load(with_graph=False)
            context._folder = checkpointPath
            return context
        saved = found.load()
        if sc is None:
            sc = SparkContext.getOrCreate(SparkConf().setAll(saved.conf))
        context = cls.__new__(cls)
        context._attach(sc, saved.graph, (found, saved))
        context._folder = checkpointPath
        return context

    @classmethod
    def getActive(cls) -> StreamingContext | None:
        """Return the context that was started and not stopped, or None."""
        return active.get()

    @classmethod
    def getActiveOrCreate(
        cls, checkpointPath: str | None, setupFunc: Callable[[], StreamingContext]
    ) -> StreamingContext:
        """Return the active context, else the one that ``getOrCreate`` gives.

        Parameters
        ----------
        checkpointPath : str, optional
            None goes to ``setupFunc`` at once
        setupFunc : callable
            makes a new context

        Raises
        ------
        TypeError
            if ``setupFunc`` is not callable
        """
        if not callable(setupFunc):
            raise TypeError("setupFunc should be callable.")
        current = cls.getActive()
        if current is not None:
            return current
        return setupFunc() if checkpointPath is None else cls.getOrCreate(checkpointPath, setupFunc)

    def start(self) -> None:
        """Start the computation; returns when its first interval has begun.

        Raises
        ------
        StreamingStateError
            if there is nothing to do, the context was stopped, or another one is active
        """
        with self._lock:
            if self._stopped:
                raise StreamingStateError("StreamingContext has already been stopped")
            if self._job is not None:
                return
            check_graph(self._sc, self._graph, self._folder)
            active.claim(self)
            try:
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
                self._shutdown = ShutdownHook.install(self._sc, lambda: self.stop(False, True))
                if self._job.wait(0):
                    self._ended()
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
        """Wait until the context is stopped; return whether it is.

        Parameters
        ----------
        timeout : int or float
            seconds to wait at most

        Raises
        ------
        BatchFailedError
            with the traceback of the latest error of the user's code
        """
        job = self._job
        if job is None:
            return self._stopped
        ended = job.wait(timeout)
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
            if self._job is not None and self._job is not job:
                self._job.stop(gracefully)
            active.release(self)
        if stop_spark:
            self._sc.stop()

    def _ended(self) -> None:
        active.release(self)
        if self._shutdown is not None:
            self._shutdown.remove()

    def _abandon(self) -> None:
        job, self._job = self._job, None
        if job is not None:
            job.stop(False)
        active.release(self)

    def checkpoint(self, directory: str) -> None:
        """Keep graph and state in a folder, so that ``getOrCreate`` can continue the job.

        Parameters
        ----------
        directory : str
            any Hadoop path

        Raises
        ------
        CheckpointError
            if it holds a checkpoint of Spark's own DStreams
        """
        checkpoints.refuse_real_checkpoint(self._sc, directory)
        self._folder = directory

    def remember(self, duration: float) -> None:
        """Keep the RDDs of past batches of all streams, for ``DStream.slice``.

        Parameters
        ----------
        duration : int or float
            seconds

        Raises
        ------
        StreamingStateError
            if it was set before, or the context was started
        """
        with self._lock:
            if self._graph.remember is not None:
                raise StreamingStateError(
                    f"Remember duration already set as {self._graph.remember} ms. "
                    "Cannot set it again."
                )
            if self._job is not None:
                raise StreamingStateError("remember() must be called before start()")
            self._graph.remember = int(duration * 1000)

    def addStreamingListener(self, streamingListener: Any) -> None:
        """Let a listener be told what the context does, from now on.

        Parameters
        ----------
        streamingListener : StreamingListener
            its callbacks run one after another, in a thread that no batch waits for

        Raises
        ------
        TypeError
            if it has none of the callbacks
        """
        self._listeners.add(streamingListener)

    # Inside.

    def _context(self) -> StreamingContext:
        return self

    def _define(self, make: Callable[[int], Node]) -> Node:
        with self._lock:
            if self._stopped:
                raise StreamingStateError(
                    "Adding new inputs, transformations, and output operations after stopping a "
                    "context is not supported"
                )
            if self._job is not None or self._recovered is not None:
                when = "starting a context" if self._recovered is None else "recovering a context"
                raise StreamingStateError(
                    "Adding new inputs, transformations, and output operations after "
                    f"{when} is not supported"
                )
            node = make(self._graph.next_id())
            register(self._graph, node)
            return node


def _fresh(error: BaseException) -> BaseException:
    """Return a copy to raise: one exception object must not collect a traceback per call."""
    return BatchFailedError(*error.args) if isinstance(error, BatchFailedError) else error
