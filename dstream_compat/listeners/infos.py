"""The infos about batches, inputs and outputs that listeners get: Spark's classes, in Python."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from .java_values import UNKNOWN, Info, JavaMap, Time
from .states import StateOperatorInfo


class JavaStreamInputInfo(Info):
    """What one input stream had in a batch.

    Parameters
    ----------
    stream : int
        number of the input stream, in order of definition
    records : int
        how many records
    metadata : mapping
        what else is known, such as the files
    """

    _getters = ("inputStreamId", "numRecords", "metadata", "metadataDescription")

    def __init__(self, stream: int, records: int, metadata: Mapping[str, Any]) -> None:
        self._stream = stream
        self._records = records
        self._metadata = JavaMap(metadata)

    def inputStreamId(self) -> int:
        """Return the number of the input stream."""
        return self._stream

    def numRecords(self) -> int:
        """Return how many records it had."""
        return self._records

    def metadata(self) -> JavaMap:
        """Return what else is known: ``files`` and ``Description`` of file streams."""
        return self._metadata

    def metadataDescription(self) -> str | None:
        """Return the ``Description`` of the metadata, if there is one."""
        description: str | None = self._metadata.get("Description")
        return description


@dataclass(eq=False, repr=False)
class JavaOutputOperationInfo(Info):
    """One output of a batch, ``_time`` in milliseconds: the getters say what each value is."""

    _time: int
    _number: int
    _name: str
    _description: str
    _start: int = UNKNOWN
    _end: int = UNKNOWN
    _failure: str | None = None

    _getters = ("batchTime", "id", "name", "description", "startTime", "endTime", "failureReason")

    def batchTime(self) -> Time:
        """Return the time of the batch."""
        return Time(self._time)

    def id(self) -> int:
        """Return the position among the outputs of the batch."""
        return self._number

    def name(self) -> str:
        """Return a text such as ``foreachRDD at job.py:12``."""
        return self._name

    def description(self) -> str:
        """Return the user's stack of calls at the definition, one per line."""
        return self._description

    def startTime(self) -> int:
        """Return when it began by the streaming clock, or -1."""
        return self._start

    def endTime(self) -> int:
        """Return when it ended by the streaming clock, or -1."""
        return self._end

    def failureReason(self) -> str | None:
        """Return the error with its traceback, or None."""
        return self._failure


class JavaBatchInfo(Info):
    """A batch as far as it has come; times are wall-clock milliseconds, unknown ones -1.

    Parameters
    ----------
    time : int
        batch time in milliseconds
    inputs : iterable of JavaStreamInputInfo
        what the input streams had
    submission, start, end : int
        when it was due, when its processing began and ended
    outputs : iterable of JavaOutputOperationInfo
        its outputs
    states : iterable of StateOperatorInfo
        its operators with state by key
    execution : str
        how it was computed
    """

    _getters = (
        *("batchTime", "streamIdToInputInfo", "submissionTime", "processingStartTime"),
        *("processingEndTime", "schedulingDelay", "processingDelay", "totalDelay", "numRecords"),
        "outputOperationInfos",
    )

    def __init__(
        self,
        time: int,
        inputs: Iterable[JavaStreamInputInfo],
        submission: int,
        start: int,
        end: int,
        outputs: Iterable[JavaOutputOperationInfo],
        states: Iterable[StateOperatorInfo] = (),
        execution: str = "",
    ) -> None:
        self._time = Time(time)
        self._execution = execution
        self._states = JavaMap({info.id(): info for info in states})
        self._inputs = JavaMap({info.inputStreamId(): info for info in inputs})
        self._submission = submission
        self._start = start
        self._end = end
        self._outputs = JavaMap({info.id(): info for info in outputs})

    def batchTime(self) -> Time:
        """Return the time of the batch."""
        return self._time

    def streamIdToInputInfo(self) -> JavaMap:
        """Return what the input streams had, by number of the stream."""
        return self._inputs

    def submissionTime(self) -> int:
        """Return when the batch was due."""
        return self._submission

    def processingStartTime(self) -> int:
        """Return when its processing began."""
        return self._start

    def processingEndTime(self) -> int:
        """Return when its last output ended."""
        return self._end

    def schedulingDelay(self) -> int:
        """Return the milliseconds from when it was due until its processing began."""
        return UNKNOWN if self._start == UNKNOWN else self._start - self._submission

    def processingDelay(self) -> int:
        """Return the milliseconds that its processing took."""
        is_known = UNKNOWN not in (self._start, self._end)
        return self._end - self._start if is_known else UNKNOWN

    def totalDelay(self) -> int:
        """Return the milliseconds from when it was due until its last output ended."""
        is_known = UNKNOWN not in (self._start, self._end)
        return self._end - self._submission if is_known else UNKNOWN

    def numRecords(self) -> int:
        """Return how many records all input streams had."""
        return sum(info.numRecords() for info in self._inputs.values())

    def outputOperationInfos(self) -> JavaMap:
        """Return its outputs, by position."""
        return self._outputs

    def stateOperatorInfos(self) -> JavaMap:
        """Return its operators with state by key, by position; empty until they have run.

        Not in DStreams.
        """
        return self._states

    def execution(self) -> str:
        """Return how it was computed and why, such as ``oneTask: it reads 80 bytes``.

        Empty until it is. Not in DStreams.
        """
        return self._execution
