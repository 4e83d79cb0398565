"""mapWithState's public types, with Spark's names: StateSpec and State."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

ABSENT: Final = object()


class State:
    """The state of one key, as a mapWithState function sees it.

    Mirrors ``org.apache.spark.streaming.State``.
    """

    __slots__ = ("_removed", "_timing_out", "_updated", "_value")

    def __init__(self, value: Any, timing_out: bool) -> None:
        self._value = value
        self._timing_out = timing_out
        self._updated = False
        self._removed = False

    @classmethod
    def of(cls, value: Any) -> State:
        """Return the state of a key that has one.

        Parameters
        ----------
        value : object
            the state

        Returns
        -------
        State
        """
        return cls(value, False)

    @classmethod
    def absent(cls) -> State:
        """Return the state of a key that has none.

        Returns
        -------
        State
        """
        return cls(ABSENT, False)

    @classmethod
    def timing_out(cls, value: Any) -> State:
        """Return the state of a key that is about to be dropped.

        Parameters
        ----------
        value : object
            the state

        Returns
        -------
        State
        """
        return cls(value, True)

    @property
    def is_updated(self) -> bool:
        """Whether the function set a new value."""
        return self._updated

    @property
    def is_removed(self) -> bool:
        """Whether the function removed the state."""
        return self._removed

    def exists(self) -> bool:
        """Return whether the key has a state.

        Mirrors ``org.apache.spark.streaming.State.exists``.

        Returns
        -------
        bool
        """
        return self._value is not ABSENT

    def get(self) -> Any:
        """Return the state.

        Mirrors ``org.apache.spark.streaming.State.get``.

        Returns
        -------
        object

        Raises
        ------
        LookupError
            if the key has none: test ``exists()`` first, or use ``getOption()``
        """
        if self._value is ABSENT:
            raise LookupError("State is not set")
        return self._value

    def getOption(self) -> Any:
        """Return the state, or None if the key has none.

        Mirrors ``org.apache.spark.streaming.State.getOption``.

        Returns
        -------
        object
        """
        return None if self._value is ABSENT else self._value

    def update(self, newState: Any) -> None:
        """Set a new value.

        Mirrors ``org.apache.spark.streaming.State.update``.

        Parameters
        ----------
        newState : object
            the new state; anything that can be pickled

        Raises
        ------
        ValueError
            if the state was removed in this call, or the key is timing out
        """
        if self._removed:
            raise ValueError("Cannot update the state after it has been removed")
        if self._timing_out:
            raise ValueError("Cannot update the state that is timing out")
        self._value = newState
        self._updated = True

    def remove(self) -> None:
        """Remove the key's state.

        Mirrors ``org.apache.spark.streaming.State.remove``.

        Raises
        ------
        ValueError
            if it was removed already, or the key is timing out
        """
        if self._timing_out:
            raise ValueError("Cannot remove the state that is timing out")
        if self._removed:
            raise ValueError("Cannot remove the state that has already been removed")
        self._value = ABSENT
        self._updated = False
        self._removed = True

    def isTimingOut(self) -> bool:
        """Return whether the key is dropped after this call because it was idle too long.

        Mirrors ``org.apache.spark.streaming.State.isTimingOut``.

        Returns
        -------
        bool
        """
        return self._timing_out

    def __str__(self) -> str:
        return "State[N/A]" if self._value is ABSENT else f"State[{self._value!r}]"


class StateSpec:
    """The function of mapWithState, with its initial state, partitions and timeout.

    Mirrors ``org.apache.spark.streaming.StateSpec``; use ``StateSpec.function(f)``.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._initial: Any = None
        self._partitions: int | None = None
        self._partitioner: Callable[[Any], int] | None = None
        self._timeout: float | None = None

    @staticmethod
    def function(mappingFunction: Callable[..., Any]) -> StateSpec:
        """Return a spec for ``f(key, value or None, state)`` or ``f(time, key, value, state)``.

        Mirrors ``org.apache.spark.streaming.StateSpec.function``.

        Parameters
        ----------
        mappingFunction : callable
            runs once per record; with four arguments a None result emits nothing

        Returns
        -------
        StateSpec

        Raises
        ------
        TypeError
            if it is not callable
        """
        if not callable(mappingFunction):
            raise TypeError("StateSpec.function needs a callable")
        return StateSpec(mappingFunction)

    def initialState(self, rdd: Any) -> StateSpec:
        """Start from an RDD of (key, state) pairs; returns this spec.

        Mirrors ``org.apache.spark.streaming.StateSpec.initialState``.

        Parameters
        ----------
        rdd : RDD or list
            (key, state) pairs

        Returns
        -------
        StateSpec
        """
        self._initial = rdd
        return self

    def numPartitions(self, numPartitions: int) -> StateSpec:
        """Keep the state in this many partitions, by key hash; returns this spec.

        Mirrors ``org.apache.spark.streaming.StateSpec.numPartitions``.

        Parameters
        ----------
        numPartitions : int
            partitions of the state

        Returns
        -------
        StateSpec
        """
        self._partitions = int(numPartitions)
        self._partitioner = None
        return self

    def partitioner(self, numPartitions: int, partitionFunc: Callable[[Any], int]) -> StateSpec:
        """Keep key k in partition ``partitionFunc(k) % numPartitions``; returns this spec.

        Mirrors ``org.apache.spark.streaming.StateSpec.partitioner``.

        Parameters
        ----------
        numPartitions : int
            partitions of the state
        partitionFunc : callable
            gives a number for a key

        Returns
        -------
        StateSpec
        """
        self._partitions = int(numPartitions)
        self._partitioner = partitionFunc
        return self

    def timeout(self, idleDuration: float) -> StateSpec:
        """Drop a key after this many seconds without an update; returns this spec.

        Mirrors ``org.apache.spark.streaming.StateSpec.timeout``.

        Parameters
        ----------
        idleDuration : int or float
            seconds

        Returns
        -------
        StateSpec
        """
        self._timeout = float(idleDuration)
        return self
