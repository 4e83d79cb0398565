"""StreamingContext's methods that make streams: from sources, and from several streams."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pyspark import RDD, StorageLevel

from ..clock import Clock
from ..graph.nodes import Node, RDDNode, UnionNode
from ..graph.placement import common_placement
from ..settings import REMEMBER
from ..source.files.source import FileSource
from ..source.queues.source import QueueSource, queue_of
from ..source.receivers.socket import SocketSource
from ..spark.conf import conf_of
from .base import ContextBase, S, beside, with_early_shipping


class StreamFactory(ContextBase[S]):
    """Makes the streams of a context."""

    _clock: Clock

    def queueStream(
        self,
        rdds: list[Any],
        oneAtATime: bool = True,
        default: Any = None,
    ) -> S:
        """Return a stream of the RDDs or lists of a queue.

        Mirrors ``pyspark.streaming.StreamingContext.queueStream``.

        Parameters
        ----------
        rdds : list of RDD or list of list
            later changes to the list are not seen
        oneAtATime : bool
            take one item per batch, or all that are left
        default : RDD or list, optional
            what batches get when the queue is empty

        Returns
        -------
        DStream

        Raises
        ------
        IndexError
            if the queue is empty and there is no default
        AttributeError, TypeError
            if there are both RDDs and lists in the queue
        pickle.PicklingError
            if a record of a list, or a function of an RDD, cannot be pickled
        """
        queue, following = queue_of(self._sc, rdds, default)
        return self._source(QueueSource(queue, oneAtATime, following))

    def socketTextStream(
        self,
        hostname: str,
        port: int,
        storageLevel: StorageLevel = StorageLevel.MEMORY_AND_DISK_2,
    ) -> S:
        """Return a stream of the lines that a TCP server sends as UTF-8 text.

        Mirrors ``pyspark.streaming.StreamingContext.socketTextStream``.

        Parameters
        ----------
        hostname, port : str, int
            the server; the connection is made again whenever it is lost
        storageLevel : StorageLevel
            has no effect

        Returns
        -------
        DStream
        """
        return self._source(SocketSource(hostname, int(port), self._sc.defaultParallelism))

    def textFileStream(self, directory: str) -> S:
        """Return a stream of the lines of new files in a folder.

        Mirrors ``pyspark.streaming.StreamingContext.textFileStream``.

        Parameters
        ----------
        directory : str
            any Hadoop path, or a pattern of folders such as ``logs/*/in``; names that begin with
            ``.`` or ``_`` are skipped

        Returns
        -------
        DStream
        """
        return self._source(self._files(directory, None))

    def binaryRecordsStream(self, directory: str, recordLength: int) -> S:
        """Return a stream of the records of new files in a folder.

        Mirrors ``pyspark.streaming.StreamingContext.binaryRecordsStream``.

        Parameters
        ----------
        directory : str
            any Hadoop path, or a pattern of folders such as ``logs/*/in``; names that begin with
            ``.`` or ``_`` are skipped
        recordLength : int
            bytes per record

        Returns
        -------
        DStream
        """
        return self._source(self._files(directory, int(recordLength)))

    def union(self, *dstreams: S) -> S:
        """Return a stream of the records of all streams.

        Mirrors ``pyspark.streaming.StreamingContext.union``.

        Parameters
        ----------
        *dstreams : DStream
            at least one, all with the same slide duration

        Returns
        -------
        DStream

        Raises
        ------
        ValueError
            without any stream, or if slide durations or contexts differ
        """
        if not dstreams:
            raise ValueError("should have at least one DStream to union")
        if len(dstreams) == 1:
            return dstreams[0]
        nodes, slide = self._of_one_slide(dstreams, "All DStreams should have same slide duration")
        merged = common_placement(nodes) is not None
        node = self._define(lambda i: UnionNode(i, nodes, slide, "union", merged))
        return self._stream(node)

    def transform(
        self, dstreams: list[S], transformFunc: Callable[[tuple[RDD[Any], ...]], RDD[Any]]
    ) -> S:
        """Return a stream of what a function makes of the RDDs of several streams.

        Mirrors ``pyspark.streaming.StreamingContext.transform``.

        Parameters
        ----------
        dstreams : list of DStream
            at least one
        transformFunc : callable
            tuple of RDDs to an RDD; runs in the driver, once per batch

        Returns
        -------
        DStream

        Raises
        ------
        ValueError
            without any stream, or if slide durations or contexts differ
        """
        if not dstreams:
            raise ValueError("should have at least one DStream to transform")
        nodes, slide = self._of_one_slide(
            dstreams, "Some of the DStreams have different slide durations"
        )

        def call(_: Any, *rdds: RDD[Any]) -> RDD[Any]:
            return transformFunc(rdds)

        node = self._define(
            lambda i: RDDNode(i, nodes, slide, "transform", with_early_shipping(call))
        )
        return self._stream(node)

    def _files(self, folder: str, record_length: int | None) -> FileSource:
        least = int(REMEMBER.read(conf_of(self._sc)) * 1000)
        interval = self._graph.interval
        remember = -(-least // interval) * interval  # whole intervals, as with DStreams
        return FileSource(folder, self._clock.now(), record_length, remember)

    def _of_one_slide(self, streams: Sequence[S], message: str) -> tuple[tuple[Node, ...], int]:
        """Return the nodes of streams and the slide duration (milliseconds) that they share."""
        slides = sorted({stream._node.slide for stream in streams})
        if len(slides) > 1:
            raise ValueError(f"{message}: {slides} ms")
        return tuple(beside(self, stream) for stream in streams), slides[0]
