"""Operators that keep state by key from batch to batch."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pyspark import RDD

from ..graph.nodes import SnapshotsNode
from ..state import StateSpec
from ..worker.operators.hashing import key_hash
from ..worker.operators.map_with_state import MapWithState
from ..worker.operators.update_state import UpdateStateByKey
from .windows import WindowOperators

if TYPE_CHECKING:
    from ..dstream import DStream, MapWithStateDStream


class StatefulOperators(WindowOperators):
    """updateStateByKey and mapWithState."""

    def updateStateByKey(
        self,
        updateFunc: Callable[[list[Any], Any], Any],
        numPartitions: int | None = None,
        initialRDD: Any = None,
    ) -> DStream:
        """Return a stream of (key, state) of all keys, updated in every batch.

        Parameters
        ----------
        updateFunc : callable
            ``updateFunc(list of new values, old state or None)`` gives the new state; None
            removes the key. It runs for every key in every batch
        numPartitions : int, optional
            partitions of the state; ``sc.defaultParallelism`` if None
        initialRDD : RDD or list, optional
            (key, state) pairs to start from
        """
        partitions, slide = self._partitions(numPartitions), self._node.slide
        return self._shuffle(
            "updateStateByKey",
            lambda i: UpdateStateByKey(i, partitions, slide, slide, updateFunc),
            needs_checkpoint=True,
            initial=self._initial(initialRDD),
        )

    def mapWithState(self, spec: StateSpec) -> MapWithStateDStream:
        """Return a stream of what a function gives for each (key, value), with state by key.

        Parameters
        ----------
        spec : StateSpec
            the function, initial state, partitions and timeout

        Mirrors ``org.apache.spark.streaming.dstream.PairDStreamFunctions.mapWithState``, which
        Spark never had in Python.
        """
        from ..dstream import MapWithStateDStream

        if not isinstance(spec, StateSpec):
            raise TypeError("mapWithState needs a StateSpec: use StateSpec.function(f)")
        partitions, slide = self._partitions(spec._partitions), self._node.slide
        timeout = None if spec._timeout is None else int(spec._timeout * 1000)
        function = spec._function
        timed = takes_four(function)
        stream = self._shuffle(
            "mapWithState",
            lambda i: MapWithState(
                i,
                partitions,
                slide,
                slide,
                function,
                timed,
                timeout,
                spec._partitioner or key_hash,
            ),
            needs_checkpoint=True,
            initial=self._initial(spec._initial),
        )
        return MapWithStateDStream(stream._node, self._ssc)

    def _initial(self, pairs: Any) -> Any:
        if pairs is None or isinstance(pairs, RDD):
            return pairs
        return self._sc.parallelize(pairs)


class Snapshots(StatefulOperators):
    """The result of mapWithState, which also knows all states."""

    def stateSnapshots(self) -> DStream:
        """Return a stream of (key, state) of all keys in every batch.

        Mirrors ``org.apache.spark.streaming.dstream.MapWithStateDStream.stateSnapshots``.
        """
        node = self._node
        return self._stream(lambda i: SnapshotsNode(i, (node,), node.slide, "stateSnapshots"))


def takes_four(function: Callable[..., Any]) -> bool:
    """Return whether a mapWithState function takes (time, key, value, state).

    Raises
    ------
    TypeError
        if it takes neither three nor four arguments
    """
    parameters = inspect.signature(function).parameters.values()
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    required = [p for p in positional if p.default is p.empty]
    for count in (len(required), len(positional)):
        if count in (3, 4):
            return count == 4
    raise TypeError(
        "a mapWithState function takes (key, value, state) or (time, key, value, state)"
    )
