"""StreamingContext: the entry point, with the methods of ``pyspark.streaming.StreamingContext``."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from typing import Any

from pyspark import RDD, SparkConf, SparkContext, StorageLevel

from .clock import Clock, clock_for
from .dstream import DStream
from .exceptions import BatchFailedError, StreamingStateError, UnsupportedOperationError
from .graph import Graph, Node, RDDNode, ShuffleNode, SourceNode, UnionNode
from .runtime import active
from .runtime import checkpoint as checkpoints
from .runtime.job import Job, Settings
from .runtime.shipping import ship_package
from .source.base import Source
from .source.files import FileSource
from .source.queue import QueueSource
from .source.socket import SocketSource

__all__ = ["StreamingContext"]


class StreamingContext:
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
        self._clock: Clock = clock_for(sc.getConf().get("spark.streaming.clock"))
        _use_own_python(sc)
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
        """
        SparkContext._ensure_initialized()
        sc = SparkContext._active_spark_context
        checkpoints.refuse_real_checkpoint(sc, checkpointPath)
        found = checkpoints.find(sc, checkpointPath)
        if found is None:
            context = setupFunc()
            context.checkpoint(checkpointPath)
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
            self._check()
            active.claim(self)
            try:
                self._job = self._make_job()
                self._job.start()
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
        """
        job = self._job
        if job is not None and job.in_callback():
            # The batch that called us must end first, so the stop goes on beside it.
            job.scheduler.halt() if not stopGraceFully else job.scheduler.drain()
            threading.Thread(
                target=self._stop, args=(stopSparkContext, stopGraceFully), daemon=True
            ).start()
            return
        self._stop(stopSparkContext, stopGraceFully)

    def _stop(self, stop_spark: bool, gracefully: bool) -> None:
        job = self._job
        if job is not None:
            job.stop(gracefully)
        with self._lock:
            self._stopped = True
            active.release(self)
        if stop_spark:
            self._sc.stop()

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
        """Accept how long to remember past batches; only ``slice`` would see it.

        Parameters
        ----------
        duration : int or float
            seconds
        """

    def addStreamingListener(self, streamingListener: Any) -> None:
        """Raise UnsupportedOperationError: this version calls no listeners yet."""
        raise UnsupportedOperationError(
            "addStreamingListener",
            "this version calls no listeners yet",
            "Use a StreamingQueryListener of Structured Streaming for now",
        )

    # Sources.

    def queueStream(
        self,
        rdds: list[Any],
        oneAtATime: bool = True,
        default: Any = None,
    ) -> DStream:
        """Return a stream of the RDDs or lists of a queue.

        Parameters
        ----------
        rdds : list of RDD or list of list
            later changes to the list are not seen
        oneAtATime : bool
            take one item per batch, or all that are left
        default : RDD or list, optional
            what batches get when the queue is empty

        Raises
        ------
        IndexError
            if the queue is empty and there is no default
        """
        if default and not isinstance(default, RDD):
            default = self._sc.parallelize(default)
        items: list[Any] = [rdds] if not rdds and default else list(rdds)
        if not isinstance(items[0], RDD):
            items = [self._sc.parallelize(item) for item in items]
        fallback = default if isinstance(default, RDD) else None
        return self._source(QueueSource(items, oneAtATime, fallback))

    def socketTextStream(
        self,
        hostname: str,
        port: int,
        storageLevel: StorageLevel = StorageLevel.MEMORY_AND_DISK_2,
    ) -> DStream:
        """Return a stream of the lines that a TCP server sends as UTF-8 text.

        Parameters
        ----------
        hostname, port : str, int
            the server; the connection is made again whenever it is lost
        storageLevel : StorageLevel
            has no effect
        """
        return self._source(SocketSource(hostname, int(port), self._sc.defaultParallelism))

    def textFileStream(self, directory: str) -> DStream:
        """Return a stream of the lines of new files in a folder.

        Parameters
        ----------
        directory : str
            any Hadoop path; names that begin with ``.`` or ``_`` are skipped
        """
        return self._source(self._files(directory, None))

    def binaryRecordsStream(self, directory: str, recordLength: int) -> DStream:
        """Return a stream of the records of new files in a folder.

        Parameters
        ----------
        directory : str
            any Hadoop path; names that begin with ``.`` or ``_`` are skipped
        recordLength : int
            bytes per record
        """
        return self._source(self._files(directory, int(recordLength)))

    # Streams of several streams.

    def union(self, *dstreams: DStream) -> DStream:
        """Return a stream of the records of all streams.

        Raises
        ------
        ValueError
            without any stream, or if slide durations differ
        """
        if not dstreams:
            raise ValueError("should have at least one DStream to union")
        if len(dstreams) == 1:
            return dstreams[0]
        slides = sorted({stream._node.slide for stream in dstreams})
        if len(slides) > 1:
            raise ValueError(f"All DStreams should have same slide duration, not {slides} ms")
        nodes = tuple(stream._node for stream in dstreams)
        return DStream(self._define(lambda i: UnionNode(i, nodes, slides[0], "union")), self)

    def transform(
        self, dstreams: list[DStream], transformFunc: Callable[[list[RDD[Any]]], RDD[Any]]
    ) -> DStream:
        """Return a stream of what a function makes of the RDDs of several streams.

        Parameters
        ----------
        dstreams : list of DStream
            at least one
        transformFunc : callable
            list of RDDs to an RDD; runs in the driver, once per batch
        """
        nodes = tuple(stream._node for stream in dstreams)

        def call(_: Any, *rdds: RDD[Any]) -> RDD[Any]:
            return transformFunc(list(rdds))

        return DStream(
            self._define(lambda i: RDDNode(i, nodes, nodes[0].slide, "transform", call)), self
        )

    # Inside.

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
            return make(self._graph.next_id())

    def _source(self, source: Source) -> DStream:
        interval = self._graph.interval
        return DStream(
            self._define(lambda i: SourceNode(i, (), interval, source.label, source)), self
        )

    def _files(self, folder: str, record_length: int | None) -> FileSource:
        remember = _seconds(
            self._sc.getConf().get("spark.streaming.fileStream.minRememberDuration")
        )
        return FileSource(folder, self._clock.now(), record_length, int(remember * 1000))

    def _check(self) -> None:
        if not self._graph.outputs:
            raise StreamingStateError("No output operations registered, so nothing to execute")
        if self._folder is not None or self._sc._jsc.sc().getCheckpointDir().isDefined():
            return
        for node in self._graph.reachable():
            if isinstance(node, ShuffleNode) and node.needs_checkpoint:
                raise StreamingStateError(
                    "The checkpoint directory has not been set. Please set it by "
                    f"StreamingContext.checkpoint() ({node.label} needs it)"
                )

    def _make_job(self) -> Job:
        conf = self._sc.getConf()
        partitions = int(conf.get("spark.streaming.compat.partitions") or 0)
        run: checkpoints.Checkpoint | None = None
        if self._recovered is not None:
            run, saved = self._recovered
            checkpoints.check_hash(self._sc, saved)
            partitions = saved.partitions
        partitions = partitions or max(self._sc.defaultParallelism, 1)
        if self._recovered is None and self._folder is not None:
            run = self._save(self._folder, partitions)
        drain = _seconds(conf.get("spark.streaming.gracefulStopTimeout"), 10 * self._interval)
        most = int(conf.get("spark.streaming.compat.maxIntervals") or 20)
        return Job(
            self._sc,
            self._graph,
            self._clock,
            Settings(partitions, most, drain),
            run,
            self._recovered is not None,
        )

    @property
    def _interval(self) -> float:
        return self._graph.interval / 1000

    def _save(self, folder: str, partitions: int) -> checkpoints.Checkpoint:
        for node in self._graph.reachable():
            if isinstance(node, SourceNode):
                node.source.prepare(self._sc, durable=True)
        run = checkpoints.begin(self._sc, folder)
        conf = [(k, v) for k, v in self._sc.getConf().getAll() if _is_kept(k)]
        probe = checkpoints.probe_hash(self._sc)
        run.save(checkpoints.Saved(self._graph, conf, partitions, probe))
        return run


def _fresh(error: BaseException) -> BaseException:
    """Return a copy to raise: one exception object must not collect a traceback per call."""
    return BatchFailedError(*error.args) if isinstance(error, BatchFailedError) else error


def _is_kept(key: str) -> bool:
    volatile = ("spark.app.id", "spark.app.startTime", "spark.app.submitTime", "spark.driver.port")
    return key not in volatile and not key.startswith(("spark.driver.host", "spark.app.initial"))


def _seconds(text: str | None, default: float = 60.0) -> float:
    """Return a Spark duration setting in seconds; plain numbers are seconds."""
    if text is None:
        return default
    units = {"ms": 0.001, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
    digits = text.strip().rstrip("abcdefghijklmnopqrstuvwxyz").strip()
    unit = text.strip()[len(digits) :].strip() or "s"
    try:
        return float(digits) * units[unit]
    except (ValueError, KeyError) as error:
        raise ValueError(f"{text!r} is not a duration such as 60s, 5m or 500ms") from error


def _use_own_python(sc: SparkContext) -> None:
    """Let local workers run the driver's Python: Spark's default is any ``python3`` of the PATH."""
    if (sc.master or "").startswith("local") and "PYSPARK_PYTHON" not in os.environ:
        sc.pythonExec = sys.executable
