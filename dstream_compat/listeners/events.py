"""The events that listeners get, and the info about receivers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from .infos import JavaBatchInfo, JavaOutputOperationInfo
from .java_values import UNKNOWN, Info


@dataclass(eq=False, repr=False)
class JavaReceiverInfo(Info):
    """A receiver as it is now: each of its values is what the getter of that name returns."""

    _stream: int
    _name: str
    _active: bool
    _location: str
    _executor: str
    _message: str = ""
    _error: str = ""
    _error_time: int = UNKNOWN

    _getters = (
        *("streamId", "name", "active", "location", "executorId"),
        *("lastErrorMessage", "lastError", "lastErrorTime"),
    )

    def streamId(self) -> int:
        """Return the number of its input stream."""
        return self._stream

    def name(self) -> str:
        """Return a text such as ``SocketReceiver-0``."""
        return self._name

    def active(self) -> bool:
        """Return whether it receives."""
        return self._active

    def location(self) -> str:
        """Return the host where it runs."""
        return self._location

    def executorId(self) -> str:
        """Return the executor where it runs: ours run in the driver."""
        return self._executor

    def lastErrorMessage(self) -> str:
        """Return why it stopped last."""
        return self._message

    def lastError(self) -> str:
        """Return the error that stopped it, or an empty text."""
        return self._error

    def lastErrorTime(self) -> int:
        """Return when that was by the streaming clock, or -1."""
        return self._error_time


class Moment(int):
    """A number that may be called as well: listeners read ``event.time`` and ``event.time()``."""

    def __call__(self) -> int:
        """Return it as a plain number."""
        return int(self)


class StreamingStarted(NamedTuple):
    """Mirrors ``JavaStreamingListenerStreamingStarted``."""

    millis: int

    @property
    def time(self) -> Moment:
        """When the context was started, in wall-clock milliseconds."""
        return Moment(self.millis)


class BatchEvent(NamedTuple):
    """Mirrors ``JavaStreamingListenerBatchSubmitted``, ``...BatchStarted``, ``...Completed``."""

    info: JavaBatchInfo

    def batchInfo(self) -> JavaBatchInfo:
        """Return the batch as it was then."""
        return self.info


class OutputOperationEvent(NamedTuple):
    """Mirrors ``JavaStreamingListenerOutputOperationStarted`` and ``...Completed``."""

    info: JavaOutputOperationInfo

    def outputOperationInfo(self) -> JavaOutputOperationInfo:
        """Return the output as it was then."""
        return self.info


class ReceiverEvent(NamedTuple):
    """Mirrors ``JavaStreamingListenerReceiverStarted``, ``...Error`` and ``...Stopped``."""

    info: JavaReceiverInfo

    def receiverInfo(self) -> JavaReceiverInfo:
        """Return the receiver as it was then."""
        return self.info
