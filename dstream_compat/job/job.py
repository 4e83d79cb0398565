"""A started context: its queries and how they begin and end together."""

from __future__ import annotations

import atexit
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Final

from pyspark import SparkContext

from ..batch.callback import BatchAborted, Stopping
from ..batch.commit_delay import Hold
from ..batch.execution_mode import Way
from ..batch.failed_batches import PendingBatches
from ..batch.later_queries import Rendezvous, Tier
from ..batch.runner import BatchRunner
from ..checkpoint.checkpoint import Checkpoint
from ..clock import Clock
from ..exceptions import BatchFailedError, QueryFailedError, StreamingStateError
from ..graph.nodes import Graph
from ..intervals.offset_scheduler import OffsetScheduler
from ..intervals.scheduler import Scheduler
from ..listeners.monitor import Monitor
from ..plan.compile import Plan, compile_graph
from ..source.base import Source, SourceEvents
from ..source.handover import Handover, HandoverClock, HandoverSource
from ..source.receivers.receiver import can_be_read_again
from ..spark.interrupts import interrupts_held_back
from ..spark.settings import JobSettings
from ..storage.files import join, storage_for
from ..storage.spool import Spool
from ..storage.temporary import temporary_folder
from .cleanup import close_what_is_there, discard_temporary, wait_drained
from .initial_state import InitialState
from .query_run import GRACE_SECONDS, QueryRun

_DRAIN_SECONDS: Final = 3600.0
"""How long a graceful stop lets running batches go on, as on the real engine."""


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
    settings : JobSettings
        see there
    checkpoint : Checkpoint, optional
        None keeps the queries' own checkpoints in a temporary folder
    recovering : bool
        True continues the checkpoint
    on_end : callable
        called when the job has ended, before those who wait for that are told
    """

    def __init__(
        self,
        sc: SparkContext,
        graph: Graph,
        clock: Clock,
        settings: JobSettings,
        checkpoint: Checkpoint | None,
        recovering: bool,
        on_end: Callable[[], None],
    ) -> None:
        self._sc = sc
        self._settings = settings
        self._graph = graph
        self._checkpoint = checkpoint
        self._recovering = recovering
        self._on_end = on_end
        self._temporary = temporary_folder(sc)
        self._changed = threading.Condition()
        self._stop_lock = threading.RLock()  # a signal handler may stop again
        self._stopping = False
        self._ending: int | None = None
        self._ended = False
        self._error: BaseException | None = None
        self._failure: BaseException | None = None
        self._begun = threading.Event()
        self._started = False
        self.stopping = Stopping()
        first, *later = compile_graph(graph, settings.partitions)
        self.sources: Sequence[Source] = list(first.sources.values())
        for number, source in enumerate(self.sources):
            spool = self._spool(f"received-{number}") if source.receiver else None
            source.attach(sc.getConf(), graph.interval, spool)
        self.monitor = Monitor(sc, graph, clock, first.sources)
        self.runner = BatchRunner(sc, graph, self.stopping, self._report, self.monitor)
        failed = self._spool("failed")
        if failed is not None:
            self.runner.keep_pending(PendingBatches(failed, graph))
            again = all(can_be_read_again(source, sc.getConf()) for source in self.sources)
            self.runner.settling.hold = Hold(
                clock, self.stopping, lambda: self.scheduler.draining, again
            )
        self._initial: list[InitialState] = []
        spool = self._spool("inputs")
        self.scheduler = self._scheduler(
            first, clock, first.sources, spool, self._on_begin, self.monitor
        )
        self._tiers: list[Tier] = []
        self._waiting: list[Rendezvous] = []
        self._runs = [QueryRun(sc, first, self.scheduler, self.runner, self._folder("query"))]
        self.runner.announce_by(self._runs[0].announcer)
        for number, plan in enumerate(later, 1):
            self._runs.append(self._follow(plan, number))

    def _scheduler(
        self,
        plan: Plan,
        clock: Clock,
        sources: dict[int, Source],
        spool: Spool | None,
        on_begin: Callable[[int], None],
        events: SourceEvents | None = None,
    ) -> Scheduler:
        # Without a warm-up the initial state is part of the first interval, which may be replayed.
        kept = self._folder("initial") if plan.tables and self._checkpoint else None
        initial = InitialState(plan, self._sc, kept)
        self._initial.append(initial)
        make = OffsetScheduler if plan.tables else Scheduler
        return make(
            self._sc,
            clock,
            self._graph.interval,
            sources,
            initial.frames,
            spool,
            self._settings.partitions,
            self._settings.most,
            on_begin,
            events,
            by_sources=bool(plan.handed),
        )

    def _follow(self, plan: Plan, number: int) -> QueryRun:
        """Return the run of a query behind an RDD function of the driver."""
        handover = Handover(self._spool(f"handover-{number}"))
        clock = HandoverClock()
        sources: dict[int, Source] = {
            node.id: HandoverSource(handover, place, node.label)
            for place, node in enumerate(plan.handed)
        }
        spool = self._spool(f"inputs-{number}")
        scheduler = self._scheduler(plan, clock, sources, spool, lambda zero: None)
        rendezvous = Rendezvous(self._sc, self.stopping)
        tier = Tier(rendezvous, handover, clock, scheduler)
        self.runner.follow(tier, plan.handed)
        self._tiers.append(tier)
        self._waiting.append(rendezvous)
        return QueryRun(self._sc, plan, scheduler, rendezvous, self._folder(f"query-{number}"))

    @property
    def folders(self) -> Sequence[str]:
        """Spark's checkpoint folders of the queries."""
        return [run.folder for run in self._runs]

    @property
    def way(self) -> Way:
        """How the first query has computed its last micro-batch."""
        return self._runs[0].execution.way

    def start(self) -> None:
        """Start the queries and wait until the first interval begins.

        Raises
        ------
        StreamingStateError
            if a query cannot start; the message says why
        """
        # Whatever ends the process, Spark is told before its planner loses us.
        atexit.register(self.stop, False)
        if self._checkpoint is not None:
            self.runner.note_progress_by(self._checkpoint.note_progress)
            self.runner.end_by(self._checkpoint.variables(self._graph).save)
        if not self._recovering:
            for initial in self._initial:
                initial.keep()
        for run, rendezvous in zip(self._runs[1:], self._waiting, strict=True):
            self._start_query(run)
            if not self._recovering and not self._wait_start(rendezvous.warm.is_set):
                return
        self._start_query(self._runs[0])
        # In a recovered job, the batch that was running when the earlier process ended runs again.
        replays = self._recovering
        if not self._wait_start(lambda: replays and self.runner.begun.is_set()):
            return
        self._started = True
        if self._checkpoint is not None and not self._recovering:
            self._checkpoint.make_current()

    def _start_query(self, run: QueryRun) -> None:
        with interrupts_held_back():
            run.start()
        threading.Thread(
            target=self._monitor, args=(run,), name="dstream-compat-monitor", daemon=True
        ).start()

    def _wait_start(self, reached: Callable[[], bool]) -> bool:
        """Wait until the first interval has begun or a point is reached; False if stopped."""
        while not self._begun.wait(0.05) and not reached():
            if self._ended:
                if self._stopping:
                    return False
                error = self._error
                raise error if error is not None else StreamingStateError("the query ended")
        return True

    def wait(self, seconds: float | None) -> bool:
        """Wait until the job has ended or an error is reported; returns whether it has ended."""
        with self._changed:
            self._changed.wait_for(lambda: self._ended or self._error is not None, seconds)
            return self._ended

    @property
    def error(self) -> BaseException | None:
        """The latest error, of an output or of a query itself."""
        return self._error

    def _is_over(self) -> bool:
        return self._ended or self._stopping or isinstance(self.runner.failure, BatchAborted)

    def in_callback(self) -> bool:
        """Return whether the calling thread is one that runs outputs."""
        return threading.get_ident() in {self.runner.thread, *self.runner.pool.threads}

    def halt(self) -> None:
        """Begin no further interval."""
        self.stopping.halting.set()
        self.scheduler.halt()

    def stop(self, gracefully: bool) -> None:
        """End the job; returns when it has ended.

        Parameters
        ----------
        gracefully : bool
            process everything received first
        """
        if gracefully:
            seconds = self._settings.drain_seconds
            wait_drained(self.scheduler.drain(), seconds, self._is_over)
        else:
            self.stopping.halting.set()
            for source in self.sources:
                source.stop_receiving()
        with self._stop_lock:
            self._stopping = True
            if gracefully:  # what runs may end, and needs the other queries for that
                self._runs[0].stop(_DRAIN_SECONDS)
            self._expect_stop()
            for run in self._runs:
                run.stop(_DRAIN_SECONDS if gracefully else GRACE_SECONDS)
            self._end(None)

    def _end(self, error: BaseException | None) -> None:
        with self._changed:
            if self._ending is not None:
                # a signal handler may find its own thread in the middle of this
                if self._ending != threading.get_ident():
                    self._changed.wait_for(lambda: self._ended)
                return
            self._ending = threading.get_ident()
        atexit.unregister(self.stop)
        with ExitStack() as last:  # whatever fails, the rest is done and those who wait are told
            last.callback(self._tell_end, error)
            last.callback(self._on_end)
            last.callback(discard_temporary, self._sc, self._temporary)
            last.callback(close_what_is_there, self._sc, self.runner.remembered.close)
            last.callback(self.monitor.close)
            for source in self.sources:
                last.callback(source.stop_receiving)
            for run in self._runs:
                last.callback(close_what_is_there, self._sc, run.close)

    def _tell_end(self, error: BaseException | None) -> None:
        with self._changed:
            self._ended = True
            self._error = error or self._failure or self._error
            self._changed.notify_all()

    def _folder(self, name: str) -> str:
        """Return where Spark keeps the checkpoint of a query."""
        return join(self._temporary if self._checkpoint is None else self._checkpoint.folder, name)

    def _spool(self, name: str) -> Spool | None:
        if self._checkpoint is None:
            return None
        folder = join(self._checkpoint.folder, name)
        return Spool(storage_for(self._sc, folder), folder)

    def _on_begin(self, zero: int) -> None:
        for tier in self._tiers:
            tier.begin(zero)
        self._begun.set()

    def _report(self, error: BatchFailedError) -> None:
        with self._changed:
            self._error = error
            self._changed.notify_all()

    def _may_go_on(self) -> bool:
        """Return whether a failed query can be started again: all sources are, or none is yet."""
        return self._begun.is_set() or (self._started and not self.scheduler.beginning)

    def _monitor(self, run: QueryRun) -> None:
        try:
            error = run.watch(self._may_go_on)
        except Exception as failure:
            error = QueryFailedError.of(failure, run.folder)
        self._failure = self._failure or error
        others = [other for other in self._runs if other is not run]
        if others and not self._stopping:
            self._stop_others(others)
        self._end(error)

    def _expect_stop(self) -> None:
        for run in self._runs:
            run.expect_stop()
        for tier in self._tiers:
            tier.release()

    def _stop_others(self, others: Sequence[QueryRun]) -> None:
        """One query alone is of no use: what it hands over is not processed, or never comes."""
        self.halt()
        with self._stop_lock:
            self._stopping = True
            self._expect_stop()
            for run in others:
                run.stop(GRACE_SECONDS)
