"""DStream: a stream of batches, with the methods of ``pyspark.streaming.DStream``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import datetime
from types import FunctionType, GenericAlias
from typing import TYPE_CHECKING, Any, ClassVar, cast

from pyspark import RDD, StorageLevel

from .api.arity import with_time
from .api.dataframes import DataFrameBridge
from .api.explanation import explain_stream
from .api.joins import JoinOperators
from .api.keyed import KeyedOperators
from .api.narrow import NarrowOperators
from .api.outputs import OutputOperators
from .api.private_names import JVM_STREAM
from .api.rdd_functions import RDDOperators
from .api.stateful import Snapshots, StatefulOperators
from .api.windows import WindowOperators
from .exceptions import StreamingStateError, UnsupportedOperationError
from .graph.nodes import Node
from .settings import NATIVE
from .spark.conf import conf_of
from .spark.parallelism import cores_to_use
from .state import StateSpec

if TYPE_CHECKING:
    from .context import StreamingContext

__all__ = ["DStream"]


class _InstanceOfSparks:
    """Lets ``isinstance(stream, pyspark.streaming.DStream)`` be true, whoever imported that class.

    The streaming models of ``pyspark.mllib`` ask for the class that they imported, which is Spark's
    own unless ``install()`` came first. ``isinstance`` looks at ``__class__`` beside the type.
    """

    @property  # type: ignore[misc]  # nobody sets it
    def __class__(self) -> type[Any]:
        own = type(self)
        spark = getattr(sys.modules.get("pyspark.streaming.dstream"), "DStream", own)
        return own if issubclass(own, spark) else spark


class DStream(
    _InstanceOfSparks,
    NarrowOperators["DStream"],
    KeyedOperators["DStream"],
    JoinOperators["DStream"],
    WindowOperators["DStream"],
    StatefulOperators["DStream"],
    RDDOperators["DStream"],
    OutputOperators["DStream"],
    DataFrameBridge["DStream"],
):
    """A sequence of RDDs, one per batch, of the same kind of records.

    Mirrors ``pyspark.streaming.DStream``. Streams come from a StreamingContext or from other
    streams; nothing runs before the context starts.

    Parameters
    ----------
    jdstream : Node
        this stream's place in the graph; a stream of the JVM cannot be wrapped
    ssc : StreamingContext
        where it runs
    jrdd_deserializer : None
        only there for the signature

    Raises
    ------
    UnsupportedOperationError
        if it is to wrap a stream of the JVM
    """

    # ``DStream[str]`` in annotations, as Spark's own class allows
    __class_getitem__: ClassVar[Any] = classmethod(GenericAlias)

    def __init__(
        self, jdstream: Any, ssc: StreamingContext, jrdd_deserializer: None = None
    ) -> None:
        if not isinstance(jdstream, Node):
            raise UnsupportedOperationError(
                "DStream(jdstream, ssc, jrdd_deserializer)",
                "streams of the JVM cannot be wrapped",
                "Make streams with the methods of a StreamingContext",
            )
        super().__init__(jdstream, ssc)

    def context(self) -> StreamingContext:
        """Return the StreamingContext of this stream.

        Mirrors ``pyspark.streaming.DStream.context``.

        Returns
        -------
        StreamingContext
        """
        return cast("StreamingContext", self._ssc)

    # In no family of api/, since they return streams of classes of their own.

    def transform(self, func: Callable[..., Any]) -> TransformedDStream:
        """Return a stream of the RDDs that a function makes of each batch's RDD.

        Mirrors ``pyspark.streaming.DStream.transform``.

        Parameters
        ----------
        func : callable
            ``func(rdd)`` or ``func(time, rdd)``; runs in the driver, once per batch, and returns
            an RDD

        Returns
        -------
        TransformedDStream

        Raises
        ------
        AssertionError
            if a plain function takes neither one nor two arguments
        TypeError
            if it cannot be called
        """
        if isinstance(func, FunctionType):
            assert func.__code__.co_argcount in (1, 2), "func should take one or two arguments"
        return self._transform(with_time(func, "transform"))

    def _transform(self, func: Callable[[datetime, RDD[Any]], RDD[Any]]) -> TransformedDStream:
        return TransformedDStream(self, func)

    def mapWithState(self, spec: StateSpec) -> MapWithStateDStream:
        """Return a stream of what a function gives for each (key, value), with state by key.

        Mirrors ``org.apache.spark.streaming.dstream.PairDStreamFunctions.mapWithState``, which
        Spark never had in Python.

        Parameters
        ----------
        spec : StateSpec
            the function, initial state, partitions and timeout

        Returns
        -------
        MapWithStateDStream
        """
        return MapWithStateDStream(self._mapped_with_state(spec), self.context())

    def explain(self) -> None:
        """Print which way each operator takes on the way to this stream, and why.

        Not in ``pyspark.streaming``; like ``DataFrame.explain``. It tells what holds now: workers
        look at the functions again, as what they see may change.
        """
        native = NATIVE.read(conf_of(self._sc))
        places = self._ssc._state_partitions(), cores_to_use(self._sc)
        print(explain_stream(self._ssc._graph, self._node, native, *places), end="")

    def cache(self) -> DStream:
        """Return this stream, its RDDs kept in memory while their batch runs.

        Mirrors ``pyspark.streaming.DStream.cache``; see ``persist``.

        Returns
        -------
        DStream
        """
        return self.persist(StorageLevel.MEMORY_ONLY)

    def persist(self, storageLevel: StorageLevel) -> DStream:
        """Return this stream, its RDDs persisted while their batch runs.

        Only streams behind ``transform`` gain by it: all others are computed once anyway.

        Mirrors ``pyspark.streaming.DStream.persist``.

        Parameters
        ----------
        storageLevel : StorageLevel
            where to keep the RDDs

        Returns
        -------
        DStream

        Raises
        ------
        StreamingStateError
            if the context was started
        TypeError
            if it is not a StorageLevel
        """
        self.is_cached = True
        self._sc._getJavaStorageLevel(storageLevel)
        self._set("storage level", self._ssc._graph.persisted, storageLevel)
        return self

    def checkpoint(self, interval: float) -> DStream:
        """Return this stream, persisted; state is made durable with every micro-batch.

        Mirrors ``pyspark.streaming.DStream.checkpoint``.

        Parameters
        ----------
        interval : int or float
            seconds; ``start()`` checks it, and that there is a checkpoint directory. Otherwise it
            has no effect

        Returns
        -------
        DStream

        Raises
        ------
        StreamingStateError
            if the context was started
        """
        self.is_checkpointed = True
        graph = self._ssc._graph
        self._set("checkpoint interval", graph.checkpointed, int(interval * 1000))
        graph.persisted[self._node.id] = StorageLevel.MEMORY_ONLY  # as with DStreams
        return self

    def _set(self, what: str, settings: dict[int, Any], value: Any) -> None:
        with self._ssc._lock:
            if self._ssc._job is not None:
                raise StreamingStateError(
                    f"Cannot change {what} of a DStream after streaming context has started"
                )
            settings[self._node.id] = value


class TransformedDStream(DStream):
    """What transform returns: a DStream whose RDDs a function of the driver makes.

    Mirrors ``pyspark.streaming.dstream.TransformedDStream``.

    Parameters
    ----------
    prev : DStream
        whose RDDs the function gets
    func : callable
        ``func(time, rdd)`` to an RDD
    """

    _jdstream_val = JVM_STREAM

    def __init__(self, prev: DStream, func: Callable[[datetime, RDD[Any]], RDD[Any]]) -> None:
        super().__init__(prev._rdd_function("transform", func), prev.context())
        self.prev = prev
        self.func = func


class MapWithStateDStream(Snapshots["DStream"], DStream):
    """What mapWithState returns: a DStream that also has ``stateSnapshots()``."""
