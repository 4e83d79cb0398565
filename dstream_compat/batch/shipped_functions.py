"""Ships the functions of a query anew when variables of the driver that they see have changed.

DStreams pickle a user's function for each batch, at its batch time, so a global or a broadcast
variable that another function of the driver replaces is seen from the next batch on. A streaming
query pickles it once.
"""

from __future__ import annotations

import hashlib
import io
import logging
import pickle
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pyspark import Broadcast, SparkContext

from ..clock import Clock
from ..intervals.variables import VariableWatch, WatchedVariables
from ..plan.compile import Plan
from ..plan.seen_variables import WorkerPickler
from ..wire.task_properties import CarriedBroadcast, set_changed_stage, stage_property

_LOG: Final = logging.getLogger(__name__)
_PAUSES: Final = tuple(0.001 * 2**attempt for attempt in range(8))
"""Seconds before something that is being changed is pickled again."""
_LARGE: Final = 1 << 20
"""Bytes in every task that their owner should know of."""


class _Pickler(WorkerPickler):
    """Pickles like Spark's serializer, but for broadcast variables that workers do not have.

    Parameters
    ----------
    stream : BytesIO
        where to
    known : callable
        whether workers have a broadcast variable, by its number
    """

    def __init__(self, stream: io.BytesIO, is_known: Callable[[int], bool]) -> None:
        super().__init__(stream)
        self._known = is_known

    def reducer_override(self, obj: Any) -> Any:
        if isinstance(obj, Broadcast) and not self._known(_number(obj)):
            return CarriedBroadcast, (obj.value,)
        return super().reducer_override(obj)


def _number(variable: Broadcast[Any]) -> int:
    return int(variable._jbroadcast.id())


class _Seen(set[int]):
    def note(self, number: int) -> bool:
        """Add a number; it is known from now on."""
        self.add(number)
        return True


@dataclass(frozen=True, eq=False)
class _Snapshot:
    """The functions as they were at one moment.

    Parameters
    ----------
    digests : dict
        what tells each part apart
    changed : dict
        pickles of the parts that are not what the query began with
    error : Exception, optional
        why they cannot be shipped
    """

    digests: Mapping[str, bytes]
    changed: Mapping[str, bytes]
    error: Exception | None = None


class ShippedFunctions(WatchedVariables):
    """Compares the functions that a query has shipped with what it would ship now.

    Parameters
    ----------
    sc : SparkContext
        the user's context
    plan : Plan
        of the query
    at_run : bool
        each batch is a micro-batch, and sees what its functions see when it runs; else it sees
        what they saw at its batch time

    Attributes
    ----------
    noted : int
        the last batch time (milliseconds) for which it is known what the functions see
    """

    def __init__(self, sc: SparkContext, plan: Plan, at_run: bool = False) -> None:
        self._sc = sc
        self._parts: Mapping[str, Any] = plan.parts_to_ship()
        self._at_run = at_run
        self._accumulates = False
        self._broadcasts: dict[str, set[int]] = {}
        self._begun: dict[str, bytes] = {}
        self._sent: dict[str, bytes] = {}
        self._large: set[str] = set()
        self._lock = threading.Lock()
        self.noted = 0
        self._snapshots: list[tuple[int, _Snapshot]] = []  # each for the batches after a time
        self._watch: VariableWatch | None = None
        self._closed = False

    def begin(self) -> None:
        """Note what Spark's query is about to ship: the functions as they are.

        Raises
        ------
        pickle.PicklingError
            if one of them cannot be shipped
        """
        java: Any = self._sc._jsc
        conf = java.sc().conf()
        for name in self._parts:
            # The event log hides local properties that are settings, too, and look like secrets:
            # functions that are shipped anew have the job's data.
            conf.set(stage_property(name), "")
        with self._lock:
            self._broadcasts = {}
            for name in self._parts:
                seen = _Seen()
                try:
                    data = self._pickle(name, seen.note)
                except Exception as error:
                    raise pickle.PicklingError(
                        f"Could not serialize object: {type(error).__name__}: {error}"
                    ) from error
                self._begun[name] = digest_of(data)
                self._broadcasts[name] = seen
            self._sent = dict(self._begun)  # its thread is a new one, which has none of the changes
            # Workers of this query may lack broadcast variables that those of the last one had.
            self._snapshots.clear()
            self.noted = 0

    def watch(self, clock: Clock, interval: int) -> None:
        """Note at each batch time what the functions see; that is what the batch will see."""
        self._watch = VariableWatch(self, clock, interval)
        if not self._closed:
            self._watch.start()  # and ends at once if it is closed now

    def close(self) -> None:
        """Watch no more, also if the query begins only now."""
        self._closed = True  # without the lock: a signal handler may call this
        if self._watch is not None:
            self._watch.end()

    def note(self, due: int) -> None:
        with self._lock:
            if due <= self.noted or self._at_run or not self._begun:
                return
            snapshot = self._snapshot()
            last = self._snapshots[-1][1] if self._snapshots else None
            if last is None or last.error or snapshot.error or last.digests != snapshot.digests:
                self._snapshots.append((self.noted, snapshot))
            self.noted = due

    def same_until(self, last: int, due: int, interval: int) -> int:
        self.note(due)
        with self._lock:
            # an accumulator would have counted all of them when the first output reads it
            if self._at_run or self._accumulates:
                return last + interval
            return min([due, *(after for after, _ in self._snapshots if after > last)])

    def ship(self, hi: int) -> None:
        """Tell the tasks of jobs that this thread starts from now on what has changed.

        Parameters
        ----------
        hi : int
            end of the micro-batch that the jobs belong to (milliseconds); what was noted for its
            intervals is shipped, else what the functions see now; also if it was being changed at
            that time
        """
        with self._lock:
            while len(self._snapshots) > 1 and self._snapshots[1][0] < hi:
                del self._snapshots[0]
            noted = self._snapshots[0][1] if self._snapshots and hi <= self.noted else None
            if noted is None or _is_in_motion(noted.error):
                noted = self._snapshot()
        if noted.error is not None:
            raise noted.error
        for name, digest in noted.digests.items():
            if digest != self._sent[name]:
                size = set_changed_stage(self._sc, name, noted.changed.get(name))
                self._sent[name] = digest
                if size > _LARGE and name not in self._large:
                    self._large.add(name)
                    _LOG.warning(
                        "functions of stage %s use values that have changed since the query began: "
                        "each task of the stage now carries them, compressed to %d bytes, until "
                        "the job is started again",
                        name,
                        size,
                    )

    def _snapshot(self) -> _Snapshot:
        digests, changed = {}, {}
        try:
            for name, begun in self._begun.items():
                data = self._pickle(name, self._broadcasts[name].__contains__)
                digests[name] = digest_of(data)
                if digests[name] != begun:
                    changed[name] = data
        except Exception as error:
            return _Snapshot({}, {}, error)
        return _Snapshot(digests, changed)

    def _pickle(self, name: str, is_known: Callable[[int], bool]) -> bytes:
        return steadily(lambda: self._dumps(self._parts[name], is_known))

    def _dumps(self, part: Any, is_known: Callable[[int], bool]) -> bytes:
        stream = io.BytesIO()
        pickler = _Pickler(stream, is_known)
        try:
            pickler.dump(part)  # type: ignore[no-untyped-call]
        finally:
            # Pickled variables are noted for the next function that this thread makes.
            self._sc._pickled_broadcast_vars.clear()
            self._accumulates |= pickler.accumulates
        return stream.getvalue()


def steadily(dump: Callable[[], bytes]) -> bytes:
    """Pickle something that other threads may change meanwhile."""
    for pause in _PAUSES:
        try:
            return dump()
        except RuntimeError as error:
            if not _is_in_motion(error):
                raise
        threading.Event().wait(pause)
    return dump()


def _is_in_motion(error: Exception | None) -> bool:
    """Return whether a container was changed while it was pickled."""
    return isinstance(error, RuntimeError) and "during iteration" in str(error)


def digest_of(data: bytes) -> bytes:
    """Return what tells two pickles apart."""
    return hashlib.blake2b(data, digest_size=16).digest()
