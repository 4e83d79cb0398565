"""A started context: its scheduler, its query and how both end."""

from __future__ import annotations

import atexit
import logging
import tempfile
import threading
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from py4j.protocol import Py4JError
from pyspark import SparkContext

from ..clock import Clock
from ..compile import Plan, compile_graph
from ..exceptions import BatchFailedError, DStreamCompatError, StreamingStateError
from ..graph import Graph
from ..source.base import Source
from ..source.rpc import SchedulerServer
from ..source.scheduler import Scheduler
from ..source.spool import Spool
from ..storage import join, storage_for
from . import query
from .batches import BatchAborted, BatchRunner
from .checkpoint import Checkpoint
from .initial import initial_frames

_LOG = logging.getLogger("dstream_compat")
_GRACE_SECONDS: Final = 2.0
_DRAIN_SECONDS: Final = 3600.0
"""How long a graceful stop lets running batches go on, as on the real engine."""
_ATTEMPTS: Final = 3


@dataclass(frozen=True)
class Settings:
    """What a job is started with.

    Parameters
    ----------
    partitions : int
        shuffle partitions of the query
    most : int
        intervals that one micro-batch takes at most
    drain_seconds : float
        how long a graceful stop waits
    """

    partitions: int
    most: int
    drain_seconds: float


class Job:
    """Runs the graph of one context.

    Parameters
    ----------
    sc : SparkContext
        the user's context
    graph : Graph
        what to run
    clock : Clock
        gives batch times
    settings : Settings
        see there
    checkpoint : Checkpoint, optional
        None keeps the query's own checkpoint in a temporary folder
    recovering : bool
        True continues the checkpoint
    """

    def __init__(
        self,
        sc: SparkContext,
        graph: Graph,
        clock: Clock,
        settings: Settings,
        checkpoint: Checkpoint | None,
        recovering: bool,
    ) -> None:
        self._sc = sc
        self._settings = settings
        self._checkpoint = checkpoint
        self._recovering = recovering
        self._temporary = _temporary_folder(sc)
        self._changed = threading.Condition()
        self._stop_lock = threading.RLock()  # a signal handler may stop again
        self._stopping = False
        self._ended = False
        self._error: BaseException | None = None
        self._begun = threading.Event()
        self.plan: Plan = compile_graph(graph, settings.partitions)
        self.runner = BatchRunner(sc, graph, self._report)
        self.scheduler = Scheduler(
            sc,
            clock,
            graph.interval,
            self.plan.sources,
            lambda: initial_frames(self.plan.initial),
            self._spool(),
            settings.partitions,
            settings.most,
            self._on_begin,
        )
        self._server = SchedulerServer(self.scheduler)
        self._query: Any = None

    @property
    def sources(self) -> Sequence[Source]:
        """The sources of the graph."""
        return list(self.plan.sources.values())

    def start(self) -> None:
        """Start the query and wait until its first interval begins.

        Raises
        ------
        StreamingStateError
            if the query cannot start; the message says why
        """
        # Whatever ends the process, Spark is told before its planner loses us.
        atexit.register(self.stop, False)
        self._start_query()
        threading.Thread(target=self._monitor, name="dstream-compat-monitor", daemon=True).start()
        while not self._begun.wait(0.05):
            if self.wait(0.0):
                error = self._error
                raise error if error is not None else StreamingStateError("the query ended")
            if self._recovering and self.runner.failure is not None:
                break
        if self._checkpoint is not None and not self._recovering:
            self._checkpoint.make_current()

    def wait(self, seconds: float | None) -> bool:
        """Wait until the job has ended or an error is reported; returns whether it has ended."""
        with self._changed:
            self._changed.wait_for(lambda: self._ended or self._error is not None, seconds)
            return self._ended

    @property
    def error(self) -> BaseException | None:
        """The latest error, of an output or of the query itself."""
        return self._error

    @property
    def ended(self) -> bool:
        """Whether the job was stopped or its query ended."""
        return self._ended

    def in_callback(self) -> bool:
        """Return whether the calling thread is the one that runs outputs."""
        return self.runner.thread == threading.get_ident()

    def stop(self, gracefully: bool) -> None:
        """End the job; returns when it has ended.

        Parameters
        ----------
        gracefully : bool
            process everything received first
        """
        if gracefully and not self._ended:
            drained = self.scheduler.drain()
            with self._changed:
                self._changed.wait_for(
                    lambda: drained.wait(0.02) or self._ended, self._settings.drain_seconds
                )
        with self._stop_lock:
            self._stopping = True
            if not gracefully:
                self.runner.stopping.set()
            self.scheduler.halt()
            for source in self.sources:
                source.stop_receiving()
            if self._query is not None and not self._ended:
                self._stop_query(_DRAIN_SECONDS if gracefully else _GRACE_SECONDS)
            self._end(None)

    def _stop_query(self, grace: float) -> None:
        # Spark must not be interrupted in the middle of a job: let the micro-batch end first.
        try:
            if not self.runner.idle.wait(grace):
                self.runner.stopping.set()
                self._sc.cancelJobGroup(self._query.runId().toString())
                self.runner.idle.wait(_GRACE_SECONDS)
            self._query.stop()
        except Py4JError as error:
            _LOG.debug("the query ended while it was stopped: %s", error)

    def _end(self, error: BaseException | None) -> None:
        with self._changed:
            if self._ended:
                return
            self._ended = True
            self._error = error or self._error
            self._changed.notify_all()
        atexit.unregister(self.stop)
        self._server.close()
        for source in self.sources:
            source.stop_receiving()
        if self._sc._jsc is not None:
            storage_for(self._sc, self._temporary).delete(self._temporary)

    def _spool(self) -> Spool | None:
        if self._checkpoint is None:
            return None
        folder = self._checkpoint.inputs
        return Spool(storage_for(self._sc, folder), folder)

    def _on_begin(self, zero: int) -> None:
        self._begun.set()

    def _report(self, error: BatchFailedError) -> None:
        with self._changed:
            self._error = error
            self._changed.notify_all()

    def _start_query(self) -> None:
        folder = self._checkpoint.query if self._checkpoint else self._temporary
        storage = storage_for(self._sc, folder)
        self._query = query.start_query(
            self._sc,
            self.plan,
            self._server.address,
            folder,
            query.settings_for(self.plan, storage.local(folder) is not None),
            self.plan.labels[0].split(" -> ")[0],
            self.runner,
        )

    def _monitor(self) -> None:
        failures: dict[int, int] = {}
        while True:
            error = self._await_query()
            if self._stopping or self._sc._jsc is None:
                self._end(None)
                return
            batch = self._last_batch()
            failures[batch] = failures.get(batch, 0) + 1
            if error is None or isinstance(self.runner.failure, BatchAborted):
                self._end(None)
                return
            if not self._begun.is_set() or failures[batch] >= _ATTEMPTS:
                self._end(error)
                return
            # Spark gave up on a micro-batch (a cancelled job, a lost worker): run it again.
            _LOG.error("%s; running the batch again", str(error).partition("\n")[0])
            self.runner.failure = None
            self._start_query()

    def _last_batch(self) -> int:
        progress = self._query.lastProgress()
        return -1 if progress is None else int(progress.batchId())

    def _await_query(self) -> BaseException | None:
        try:
            self._query.awaitTermination()
        except Exception as error:
            if self._sc._jsc is None or self._stopping:
                return None
            return QueryFailedError(_reason(error))
        return None


class QueryFailedError(DStreamCompatError, RuntimeError):
    """Spark could not run the query; the message is Spark's."""


def _temporary_folder(sc: SparkContext) -> str:
    """Return where a query without a checkpoint folder keeps its own; executors write there."""
    jsc: Any = sc._jsc
    shared = jsc.sc().getCheckpointDir()
    if shared.isDefined():
        return join(shared.get(), f"dstream-compat-{uuid.uuid4().hex}")
    default = jsc.hadoopConfiguration().get("fs.defaultFS", "file:///")
    if default.startswith("file:"):
        return "file://" + tempfile.mkdtemp(prefix="dstream-compat-")
    return join(default, "tmp", f"dstream-compat-{uuid.uuid4().hex}")


def _reason(error: BaseException) -> str:
    text = getattr(error, "desc", None) or str(error)
    return f"the streaming query failed: {text}"
