"""StreamingContext: the entry point, with the methods of ``pyspark.streaming.StreamingContext``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyspark import SparkConf, SparkContext

from .api.operator_names import with_operator_name
from .api.start_and_stop import StartAndStop
from .checkpoint import checkpoint as checkpoints
from .checkpoint.folder import refuse_real_checkpoint, use_for_rdds
from .dstream import DStream
from .exceptions import StreamingStateError, UnsupportedOperationError
from .graph.job_names import register
from .graph.nodes import Graph, Node
from .job import active
from .lifecycle import Phase
from .names.storage_levels import restore_old_levels
from .settings import REBUILD_GRAPH
from .spark.conf import conf_of
from .spark.console import show_hdfs_retries
from .spark.settings import recovered_conf

__all__ = ["StreamingContext"]

restore_old_levels()


class StreamingContext(StartAndStop[DStream]):
    """Creates streams from sources, and starts and stops their computation.

    Mirrors ``pyspark.streaming.StreamingContext``.

    Parameters
    ----------
    sparkContext : SparkContext
        where to run
    batchDuration : int or float
        batch interval in seconds
    jssc : Recovered, optional
        what ``getOrCreate`` has found; there is no JVM StreamingContext to give here
    """

    def __init__(
        self,
        sparkContext: SparkContext,
        batchDuration: float | None = None,
        jssc: checkpoints.Recovered | None = None,
    ) -> None:
        if isinstance(jssc, checkpoints.Recovered):
            super().__init__(sparkContext, jssc.saved.graph, jssc)
            return
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
        super().__init__(sparkContext, Graph(interval))

    def __reduce__(self) -> Any:
        return self._sc.__getnewargs__()  # raises what Spark raises: its context is referenced

    @property
    def sparkContext(self) -> SparkContext:
        """The SparkContext of this StreamingContext.

        Mirrors ``pyspark.streaming.StreamingContext.sparkContext``.
        """
        return self._sc

    # Life cycle.

    @classmethod
    def getOrCreate(
        cls, checkpointPath: str, setupFunc: Callable[[], StreamingContext]
    ) -> StreamingContext:
        """Return the context that a checkpoint holds, or the one that a function sets up.

        Mirrors ``pyspark.streaming.StreamingContext.getOrCreate``.

        Parameters
        ----------
        checkpointPath : str
            checkpoint folder of an earlier run
        setupFunc : callable
            makes a new context; not called when there is a checkpoint

        Returns
        -------
        StreamingContext

        Raises
        ------
        CheckpointError
            if the folder holds a checkpoint that cannot be used

        Notes
        -----
        With ``spark.streaming.compat.rebuildGraph=true`` (given to ``spark-submit``, or set on a
        SparkContext that exists already) the function is called, and what it sets up goes on with
        the state and the offsets of the checkpoint. Spark's DStreams cannot do that.

        With ``spark.streaming.compat.importFrom`` a new job goes on where a job on Spark's DStreams
        has ended, whose checkpoint folder the setting names.
        """
        SparkContext._ensure_initialized()
        sc = SparkContext._active_spark_context
        show_hdfs_retries(sc or SparkContext)
        refuse_real_checkpoint(sc, checkpointPath)
        saved_run = checkpoints.find(sc, checkpointPath)
        if saved_run is None:
            context = setupFunc()
            context.checkpoint(checkpointPath)
            return context
        if REBUILD_GRAPH.read(SparkConf() if sc is None else conf_of(sc)):
            context = setupFunc()
            context.checkpoint(checkpointPath)
            context._recovered = checkpoints.Recovered(saved_run, saved_run.load(with_graph=False))
            return context
        saved = saved_run.load()
        if sc is None:
            sc = SparkContext.getOrCreate(recovered_conf(saved.conf))
        context = StreamingContext(sc, None, checkpoints.Recovered(saved_run, saved))
        context.checkpoint(checkpointPath)
        return context

    @classmethod
    def getActive(cls) -> StreamingContext | None:
        """Return the context that was started and not stopped, or None.

        Mirrors ``pyspark.streaming.StreamingContext.getActive``.

        Returns
        -------
        StreamingContext or None
        """
        context: StreamingContext | None = active.get()
        return context

    @classmethod
    def getActiveOrCreate(
        cls, checkpointPath: str | None, setupFunc: Callable[[], StreamingContext]
    ) -> StreamingContext:
        """Return the active context, else the one that ``getOrCreate`` gives.

        Mirrors ``pyspark.streaming.StreamingContext.getActiveOrCreate``.

        Parameters
        ----------
        checkpointPath : str, optional
            None goes to ``setupFunc`` at once
        setupFunc : callable
            makes a new context

        Returns
        -------
        StreamingContext

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

    def checkpoint(self, directory: str | None) -> None:
        """Keep graph and state in a folder, so that ``getOrCreate`` can continue the job.

        ``RDD.checkpoint`` writes to a folder below it, as with DStreams.

        Mirrors ``pyspark.streaming.StreamingContext.checkpoint``.

        Parameters
        ----------
        directory : str, optional
            any Hadoop path; None keeps nothing

        Raises
        ------
        CheckpointError
            if it holds a checkpoint of Spark's own DStreams, or cannot be written
        """
        if directory is not None and directory != self._folder:
            refuse_real_checkpoint(self._sc, directory)
            use_for_rdds(self._sc, directory)
        self._folder = directory

    def remember(self, duration: float) -> None:
        """Keep the RDDs of past batches of all streams, for ``DStream.slice``.

        Mirrors ``pyspark.streaming.StreamingContext.remember``.

        Parameters
        ----------
        duration : int or float
            seconds; batches before the call are not kept

        Raises
        ------
        StreamingStateError
            if it was set before
        """
        with self._lock:
            if self._graph.remember is not None:
                raise StreamingStateError(
                    f"Remember duration already set as {self._graph.remember} ms. "
                    "Cannot set it again."
                )
            self._graph.remember = int(duration * 1000)
            if self._job is not None:
                self._job.remember(self._graph.remember)

    def addStreamingListener(self, streamingListener: Any) -> None:
        """Add a listener, which gets all events from now on.

        Mirrors ``pyspark.streaming.StreamingContext.addStreamingListener``.

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
        if self._job is not None:
            self._job.monitor.watch()

    # Inside.

    def _define(self, make: Callable[[int], Node]) -> Node:
        with self._lock:
            if self._life.phase is Phase.STOPPED:
                raise StreamingStateError(
                    "Adding new inputs, transformations, and output operations after stopping a "
                    "context is not supported"
                )
            what = "Adding new inputs, transformations, and output operations after "
            if self._job is not None:
                raise StreamingStateError(f"{what}starting a context is not supported")
            # a graph that is rebuilt is not the one that was saved
            if self._recovered is not None and self._recovered.saved.graph is self._graph:
                raise StreamingStateError(
                    f"{what}recovering a context is not supported: its streams come from the "
                    "checkpoint. Define all of them in the function that is given to getOrCreate"
                )
            node = with_operator_name(make(self._graph.next_id()))
            register(self._graph, node)
            return node

    def _stream(self, node: Node) -> DStream:
        return DStream(node, self)
