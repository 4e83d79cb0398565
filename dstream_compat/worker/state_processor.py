"""A slot stage with state, as a transformWithState processor: one grouping key per slot.

Spark also loads the processor in a process that has none of the executors' files, to learn what
state it declares. So this module travels by value, imports nothing of this package at module level,
and unpickles the stage only when there are rows.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

from pyspark.sql import Row
from pyspark.sql.streaming.stateful_processor import StatefulProcessor, StatefulProcessorHandle
from pyspark.sql.types import BinaryType, StringType, StructField, StructType

if TYPE_CHECKING:
    from .stages import SlotStage
    from .state_calls import StateCalls

Result = TypeVar("Result")
_NAME: Final = "state"
# Not as DDL, which the executor would have to parse in each task.
_KEY: Final = StructType([StructField("name", StringType())])
_VALUE: Final = StructType([StructField("value", BinaryType())])
_PLANNER: Final = "pyspark.sql.streaming.transform_with_state_driver_worker"


class MapStateAccess:
    """One slot's named binary values in a Spark map state."""

    def __init__(self, handle: StatefulProcessorHandle) -> None:
        handle.getMapState(_NAME, _KEY, _VALUE)
        self._client = handle._statefulProcessorApiClient
        self._calls: StateCalls | None = None

    def get(self, name: str) -> bytes | None:
        """Return a value, or None."""
        return self.get_many([name])[0]

    def put(self, name: str, value: bytes) -> None:
        """Set a value."""
        self.put_many({name: value})

    def remove(self, name: str) -> None:
        """Remove a value if it is there."""
        self.put_many({name: None})

    def get_many(self, names: Sequence[str]) -> list[bytes | None]:
        """Return several values, which costs much less than one by one."""
        return self._call_store(lambda calls: calls.get(names))

    def put_many(self, values: Mapping[str, bytes | None]) -> None:
        """Set several values; None removes one."""
        self._call_store(lambda calls: calls.put(values))

    def _call_store(self, call: Callable[[StateCalls], Result]) -> Result:
        from dstream_compat.worker.operators.base import StateStoreError
        from dstream_compat.worker.state_calls import StateCalls

        try:
            if self._calls is None:
                self._calls = StateCalls(self._client, _NAME)
            return call(self._calls)
        except Exception as error:
            raise StateStoreError(f"the state store failed: {error}") from error


class SlotProcessor(StatefulProcessor):
    """Runs a slot stage over the rows of one slot.

    Parameters
    ----------
    name : str
        of the stage, among the parts of its query
    stage : bytes
        the pickled stage
    reports : bytes
        pickled: what tells the driver of the stage's frames, if it is the last one
    """

    def __init__(self, name: str, stage: bytes, reports: bytes) -> None:
        self._name = name
        self._pickled = stage
        self._reports = reports
        self._state: MapStateAccess | None = None

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Let the process that learns of the state print its steps no further.

        They are for those who work on Spark; errors take another way.
        """
        self.__dict__.update(state)
        main = sys.modules["__main__"]
        if getattr(main.__spec__, "name", "") == _PLANNER:
            vars(main)["print"] = lambda *values: None

    def init(self, handle: StatefulProcessorHandle) -> None:
        """Declare the state."""
        self._state = MapStateAccess(handle)

    def handleInputRows(self, key: Any, rows: Iterator[Row], timerValues: Any) -> Iterator[Row]:
        """Run one micro-batch of the slot."""
        assert self._state is not None
        # The planner cannot import this package.
        from dstream_compat.wire.reports import Reports, leaving_frames
        from dstream_compat.wire.task_properties import changed_stage
        from dstream_compat.worker.setup import set_up_worker

        set_up_worker()
        stage: SlotStage = changed_stage(self._name) or pickle.loads(self._pickled)
        reports: Reports | None = pickle.loads(self._reports)
        tagged = ((key[0], row.frame) for row in rows)
        frames = stage.process(tagged, self._state)
        for slot, frame in leaving_frames(frames, stage.layout.slot(0), reports):
            yield Row(frame=frame, slot=slot)

    def close(self) -> None:
        """Do nothing: nothing is held between micro-batches."""
