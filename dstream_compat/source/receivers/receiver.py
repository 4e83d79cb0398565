"""What sockets, MQTT and Kinesis have in common: a thread of the driver receives records.

Decision 0028: One class for all receivers, and a log of files.
"""

from __future__ import annotations

import logging
import threading
import time
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Final

from pyspark import SparkConf, SparkContext

from ...settings import BLOCK_INTERVAL, RESTART_DELAY, WRITE_AHEAD_LOG
from ...storage.spool import Spool
from ...worker.reading.entries import Chunk
from ..base import Demand, Input, Items, Source, Timeline
from ..rates import RateController, estimator_for, receiver_limit
from .received_log import ReceivedLog

_LOG = logging.getLogger("dstream_compat")
_JOIN_SECONDS: Final = 1.0
_FLUSH_SECONDS: Final = 10.0
_SPLIT_BYTES: Final = 1 << 18
_REMIND_SECONDS: Final = 30.0


class ReceivedSource(Source):
    """A source that a thread of the driver receives."""

    replayable: ClassVar[bool] = False

    @abstractmethod
    def open(self, conf: SparkConf, interval: int, spool: Spool | None, demand: Demand) -> Receiver:
        """See ``Source``."""


class Receiver(Input):
    """Receives and files each record under the interval in which it arrived.

    Mirrors ``org.apache.spark.streaming.receiver.Receiver`` and its supervisor.

    Parameters
    ----------
    source : ReceiverSource
        what to receive
    conf : SparkConf
        the job's settings
    interval : int
        batch interval in milliseconds
    spool : Spool, optional
        where to log what was received; None without a checkpoint folder
    log_pause : float, optional
        seconds between two files of the log at least; by default the block interval of Spark
    logged : mapping, optional
        what another engine had logged for batches that run again, by batch time
    """

    def __init__(
        self,
        source: ReceivedSource,
        conf: SparkConf,
        interval: int,
        spool: Spool | None,
        log_pause: float | None = None,
        logged: Mapping[int, list[Any]] | None = None,
    ) -> None:
        self._limit = receiver_limit(conf)
        estimator = estimator_for(conf, interval)
        rate = None if estimator is None else RateController(self._limit, estimator)
        super().__init__(source.label, source.receiver, rate)
        self._delay = RESTART_DELAY.read(conf)
        self._logging = WRITE_AHEAD_LOG.read(conf) and not source.replayable
        self._log: ReceivedLog | None = None
        # Without the setting, too, what an earlier process logged is not forgotten.
        if spool is not None and not source.replayable and (self._logging or spool.after(-1)):
            pause = BLOCK_INTERVAL.read(conf) if log_pause is None else log_pause
            self._log = ReceivedLog(spool, pause, self._enter, self._report_log_error)
        self._logged = frozenset(logged or ())
        self._lock = threading.Lock()
        self._received = {tick: list(items) for tick, items in (logged or {}).items()}
        self._recovered: list[tuple[int, list[Any]]] = []
        self._files: dict[int, list[int]] = {}
        self._taken = 0
        self._sealed = 0
        self._latest = max(self._logged, default=0)
        self._stopped = threading.Event()
        self._timeline: Timeline | None = None
        self._thread: threading.Thread | None = None
        self._active = False
        self._reminded = 0.0

    # What each kind of receiver has of its own.

    @abstractmethod
    def _receive(self) -> tuple[str, str]:
        """Receive until the connection ends, is stopped or cannot be made.

        Returns Spark's words for why it ended, and the error if there is one.
        """

    @abstractmethod
    def _hang_up(self) -> None:
        """Let a connection end, and whoever reads from it; called when ``_stopped`` is set."""

    @abstractmethod
    def _pack(self, items: list[Any]) -> list[Items]:
        """Return the logical partitions of what was filed under one interval, if anything was."""

    def _count(self, item: Any) -> int:
        """Return how many records one filed item is."""
        return 1

    # What the scheduler asks.

    def start(self, timeline: Timeline) -> None:
        self._timeline = timeline
        if self._log is not None:
            self._recovered = self._log.recover(self._taken)
            self._log.start(self.label)
        self._thread = threading.Thread(target=self._run, name=self.label, daemon=True)
        self._thread.start()

    def plan(self, sc: SparkContext, ticks: Sequence[int]) -> dict[int, list[Items]]:
        """Take what was received; an idle interval has no partition."""
        with self._lock:
            self._sealed = ticks[-1]
            for tick in self._logged:
                if tick < ticks[0]:  # an earlier process took it
                    self._received.pop(tick, None)
            taken = {tick: self._received.pop(tick, []) for tick in ticks}
            for number, items in reversed(self._recovered):
                taken[ticks[0]][:0] = items
                self._files.setdefault(ticks[0], []).append(number)
            self._recovered = []
            done = [number for tick in ticks for number in self._files.get(tick, ())]
            self._taken = max([self._taken, *done])
            self._note(taken)
        return {tick: self._pack(items) for tick, items in taken.items()}

    def _note(self, taken: dict[int, list[Any]]) -> None:
        """Remember what intervals took; the lock is held."""

    def memory(self) -> Any:
        """Return the last file of the log that was taken."""
        return None if self._log is None else self._taken

    def restore(self, memory: Any) -> None:
        self._taken = memory or 0

    def forget_until(self, tick: int) -> None:
        with self._lock:
            ticks = [time for time in self._files if time <= tick]
            done = [number for time in ticks for number in self._files.pop(time)]
        if self._log is not None:
            for number in done:
                self._log.drop(number)

    def count_waiting(self, tick: int) -> int:
        with self._lock:
            return sum(map(self._count, self._received.get(tick, ())))

    def count_received(self) -> int:
        """Return how many records wait for their interval."""
        with self._lock:
            items = [item for filed in self._received.values() for item in filed]
            items += [item for _, filed in self._recovered for item in filed]
            return sum(map(self._count, items))

    def stop_receiving(self) -> None:
        if self._stopped.is_set():
            return
        self._stopped.set()
        self._report_stop("Stopped by driver")
        self._hang_up()
        if self._thread is not None:
            self._thread.join(_JOIN_SECONDS)  # what it has read is filed before anybody drains
        if self._log is not None:
            self._log.close(_FLUSH_SECONDS)

    # What receivers call.

    def _file(self, item: Any, size: int, done: Callable[[], None] | None = None) -> None:
        """File what has arrived, or let it be logged first; ``done`` says that it is safe."""
        if self._log is not None and self._logging:
            self._log.add(item, size, done)
            return
        self._enter([item], None)
        if done is not None:
            done()

    def _enter(self, items: list[Any], number: int | None) -> None:
        assert self._timeline is not None
        clock, interval = self._timeline.clock, self._timeline.interval
        with self._lock:
            # What arrives at the very time of a batch belongs to the next one.
            last = max(clock.now() // interval * interval, self._sealed, self._latest - interval)
            self._latest = tick = last + interval
            self._received.setdefault(tick, []).extend(items)
            if number is not None:
                self._files.setdefault(tick, []).append(number)

    def _admit(self, count: int) -> None:
        """Wait until so many records may be taken; what was read when it is stopped may."""
        self._limit.acquire(count, self._stopped)

    def _at_once(self) -> int | None:
        """Return how many records may be taken in one go; None for any number."""
        rate = self._limit.current()
        return None if rate is None else max(int(rate / 20), 1)

    def _warn(self, error: BaseException, advice: str) -> str:
        """Return an error as text; log it now and then."""
        now = time.monotonic()
        due = not self._reminded or now - self._reminded > _REMIND_SECONDS
        if due and not self._stopped.is_set():
            self._reminded = now
            _LOG.warning(
                "%s: %s; trying again every %g s%s", self.label, error, self._delay, advice
            )
        return f"{type(error).__name__}: {error}"

    def _again(self, message: str) -> str:
        return f"Restarting receiver with delay {self._delay * 1000:.0f}ms: {message}"

    def _cannot_start(self) -> str:
        assert self._timeline is not None
        return f"Error starting receiver {self._timeline.events.stream_id(self)}"

    def _run(self) -> None:
        while self._report_start():
            try:
                message, error = self._receive()
            except Exception as problem:
                _LOG.exception(
                    "%s: an unexpected error ended the receiver, which starts again", self.label
                )
                message = self._again("Error receiving data")
                error = f"{type(problem).__name__}: {problem}"
            self._report_stop(message, error)
            self._stopped.wait(self._delay)

    def _report_start(self) -> bool:
        """Tell listeners that the receiver starts; return False if it was stopped."""
        assert self._timeline is not None
        with self._lock:
            if self._stopped.is_set():
                return False
            self._active = True
            self._timeline.events.receiver_started(self)
        return True

    def _report_stop(self, message: str, error: str = "") -> None:
        """Tell listeners that the receiver stops, if it had started."""
        with self._lock:
            if self._active and self._timeline is not None:
                self._active = False
                self._timeline.events.receiver_stopped(self, message, error)

    def _report_log_error(self, error: BaseException) -> None:
        assert self._timeline is not None
        text = f"{type(error).__name__}: {error}"
        self._timeline.events.receiver_error(self, "Error in block pushing thread", text)


def partitions_of(chunks: Sequence[Chunk], most: int) -> list[Items]:
    """Cut the chunks of an interval into logical partitions of some size.

    Parameters
    ----------
    chunks : sequence of Chunk
        in order
    most : int
        how many partitions at most
    """
    if not chunks:
        return []
    size = sum(len(chunk.payload) for chunk in chunks)
    number = min(most, size // _SPLIT_BYTES + 1, len(chunks))
    share = -(-len(chunks) // number)
    return [tuple(chunks[i : i + share]) for i in range(0, len(chunks), share)]
