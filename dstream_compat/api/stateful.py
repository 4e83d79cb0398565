"""Operators that keep state by key from batch to batch."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from pyspark import RDD

from ..graph.nodes import InitialPairs, Node, SnapshotsNode
from ..old_checkpoint.pickled_states import initial_state
from ..state import StateSpec
from ..worker.operators.hashing import key_hash
from ..worker.operators.map_with_state import MapWithState
from ..worker.operators.update_state import UpdateStateByKey
from .base import S, StreamBase


class StatefulOperators(StreamBase[S]):
    """updateStateByKey and mapWithState."""

    def updateStateByKey(
        self,
        updateFunc: Callable[[list[Any], Any], Any],
        numPartitions: int | None = None,
        initialRDD: Any = None,
    ) -> S:
        """Return a stream of (key, state) of all keys, updated in every batch.

        Mirrors ``pyspark.streaming.DStream.updateStateByKey``.

        Parameters
        ----------
        updateFunc : callable
            ``updateFunc(list of new values, old state or None)`` gives the new state; None
            removes the key. It runs for every key in every batch
        numPartitions : int, optional
            partitions of the state; the default parallelism if None
        initialRDD : RDD, list or str, optional
            (key, state) pairs to start from; or ``checkpoint:FOLDER#2``, the second state in the
            checkpoint folder of a job on Spark's DStreams

        Returns
        -------
        DStream
        """
        partitions, slide = self._partitions(numPartitions), self._node.slide
        return self._stream(
            self._shuffle(
                "updateStateByKey",
                lambda i: UpdateStateByKey(i, partitions, slide, slide, updateFunc),
                needs_checkpoint=True,
                initial=self._initial(initialRDD),
            )
        )

    def _mapped_with_state(self, spec: StateSpec) -> Node:
        if not isinstance(spec, StateSpec):
            raise TypeError("mapWithState needs a StateSpec: use StateSpec.function(f)")
        partitions, slide = self._partitions(spec._partitions), self._node.slide
        timeout = None if spec._timeout is None else int(spec._timeout * 1000)
        function = spec._function
        timed = takes_four(function)
        return self._shuffle(
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

    def _initial(self, pairs: Any) -> InitialPairs | None:
        if pairs is None:
            return None
        if isinstance(pairs, str):
            return initial_state(self._sc, pairs)
        return InitialPairs(pairs if isinstance(pairs, RDD) else self._sc.parallelize(pairs))


class Snapshots(StreamBase[S]):
    """The result of mapWithState, which also knows all states."""

    def stateSnapshots(self) -> S:
        """Return a stream of (key, state) of all keys in every batch.

        Mirrors ``org.apache.spark.streaming.dstream.MapWithStateDStream.stateSnapshots``.

        Returns
        -------
        DStream
        """
        node = self._node
        return self._stream(
            self._ssc._define(lambda i: SnapshotsNode(i, (node,), node.slide, "stateSnapshots"))
        )


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
        "a mapWithState function takes (key, value, state) or (time, key, value, state), not "
        f"{inspect.signature(function)}"
    )
