"""The outputs of a micro-batch: interval by interval, output by output, errors contained."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Final

from pyspark import SparkContext

from ..exceptions import BatchFailedError
from ..graph.nodes import Graph, Node, OutputNode, SourceNode, children_of, inner_streams, of_kind
from ..intervals.scheduler import Work
from ..listeners.monitor import Monitor
from ..source.handover import Handed
from ..source.tables.table import TableSource
from ..spark.sessions import user_session
from ..wire import errors
from ..wire.frames import COUNT_OF
from .callback import BatchAborted, Callback, Stopping
from .commit import Ended, Settling, is_new
from .evaluate import Evaluator
from .failed_batches import PendingBatches
from .later_queries import Tier
from .output_pool import OutputPool
from .overwriting import overwriting
from .past_rdds import Remembered
from .rdds import MicroBatch
from .table_ranges import Announcer

_CONCURRENT: Final = "spark.streaming.concurrentJobs"
_LOG = logging.getLogger("dstream_compat")


class BatchRunner(Callback):
    """The ``foreachBatch`` function of a context's first query.

    Parameters
    ----------
    sc : SparkContext
        the user's context
    graph : Graph
        whose outputs to run
    stopping : Stopping
        when to break off
    on_error : callable
        is told of each failed output
    monitor : Monitor
        is told what runs
    """

    def __init__(
        self,
        sc: SparkContext,
        graph: Graph,
        stopping: Stopping,
        on_error: Callable[[BatchFailedError], None],
        monitor: Monitor,
    ) -> None:
        super().__init__(sc, stopping)
        self._graph = graph
        self._on_error = on_error
        self._monitor = monitor
        nodes = graph.reachable()
        self._children = children_of(nodes)
        sources = {node.id: node.source for node in of_kind(nodes, SourceNode)}
        self._tables = {i: one for i, one in sources.items() if isinstance(one, TableSource)}
        self._announcer: Announcer | None = None
        self._tiers: list[tuple[Tier, Sequence[Node]]] = []
        self._rerun: list[int] = []
        self.settling = Settling()
        self._on_progress: Callable[[], None] | None = None
        self._on_end: Callable[[], None] | None = None
        inside = inner_streams(nodes) if graph.remember is None else frozenset()
        self.remembered = Remembered(graph.remember, inside)
        self.pool = OutputPool(sc, int(sc.getConf().get(_CONCURRENT) or 1))

    def follow(self, tier: Tier, handed: Sequence[Node]) -> None:
        """Let a query go through all intervals behind those before it; it reads these streams."""
        self._tiers.append((tier, handed))
        self.settling.tiers.append(tier)

    def announce_by(self, announcer: Announcer) -> None:
        """Let tasks be told what they read of tables."""
        self._announcer = announcer

    def note_progress_by(self, note: Callable[[], None]) -> None:
        """Call this once, when Spark has committed a micro-batch with intervals."""
        self._on_progress = note

    def end_by(self, end: Callable[[], None]) -> None:
        """Call this when all outputs of a micro-batch have run."""
        self._on_end = end

    def prepare(self, work: Work) -> None:
        """See the base class."""
        if self._announcer is not None:
            self._announcer.announce(work.clock)

    def keep_pending(self, pending: PendingBatches) -> None:
        """Keep batches whose last output fails; run those of an earlier process again, first."""
        self.settling.pending = pending
        self._rerun = pending.times()

    def run(self, batch: MicroBatch) -> None:
        """Run the outputs of every interval."""
        assert batch.clock is not None
        if self._on_progress is not None and batch.clock.lo > batch.clock.zero:
            self._on_progress()
            self._on_progress = None
        with user_session(self._sc), overwriting(self._sc):
            self._run_pending_until(batch.clock.lo)
            for tick in batch.clock.ticks():
                if self.stopping.halting.is_set():
                    raise BatchAborted("the StreamingContext was stopped; later intervals wait")
                for tier, _ in self._tiers:
                    tier.begin(batch.clock.zero)
                if any(tier.committed() >= tick for tier, _ in self._tiers):
                    # An earlier process ran the outputs, but could not commit everywhere.
                    for tier, _ in self._tiers:
                        tier.catch_up(tick)
                    if tick in self._rerun:
                        self._run_pending_until(tick)
                    else:
                        self._monitor.done(tick)
                    continue
                self._run_interval(batch, tick)
                self.settling.settle(tick, tick + batch.clock.interval)
                for tier, _ in self._tiers:
                    tier.finish(tick)
                for tier, _ in self._tiers:
                    tier.await_commit(tick)
            self._rerun.clear()  # what is left was replayed
        if self._on_end is not None:
            self._on_end()
        if self._announcer is not None:
            self._announcer.limit(self._monitor.late(batch.clock.hi))

    def _run_interval(self, batch: MicroBatch, tick: int) -> None:
        assert batch.clock is not None
        time = datetime.fromtimestamp(tick / 1000)
        outputs = [o for o in self._graph.outputs if batch.clock.is_valid(tick, o.slide)]
        evaluator = Evaluator(self._sc, self._graph, batch, tick)
        self._pass_notes(batch, tick)
        self._monitor.begin(tick)
        self.settling.begin()
        try:
            error: BaseException | None = None
            for tier, handed in self._tiers:
                parts: Handed | None = None
                if not tier.has(tick):
                    due = {
                        number: node
                        for number, node in enumerate(handed)
                        if batch.clock.is_valid(tick, node.slide)
                    }
                    parts, error = self._evaluate(evaluator, due, error)
                    self.stopping.check()  # jobs may have been cancelled under its functions
                evaluator.add(tier.process(tick, parts))
            self.remembered.keep(tick, batch.clock.zero, evaluator)
            if error is not None:
                known = [evaluator.error(node) for _, nodes in self._tiers for node in nodes]
                if known and all(is_new(one, tick) for one in known if one):
                    self.settling.lose(tick)
                self._monitor.cancelled(tick, errors.capture(error).text)
                self._failed((outputs or self._graph.outputs)[0], time, error, None)
            else:
                self._run_outputs(batch, tick, outputs, evaluator)
        finally:
            evaluator.close()

    def _run_pending_until(self, last: int) -> None:
        """Run failed batches of an earlier process again; later ones are replayed anyway."""
        pending = self.settling.pending
        while pending is not None and self._rerun and self._rerun[0] <= last:
            self._run_pending(pending, self._rerun.pop(0))

    def _run_pending(self, pending: PendingBatches, tick: int) -> None:
        first, *more = (MicroBatch.of(self._sc, frames) for frames in pending.load(tick))
        evaluator = Evaluator(self._sc, self._graph, first, tick)
        for batch in more:
            evaluator.add(batch)
        assert first.clock is not None
        due = [o for o in self._graph.outputs if first.clock.is_valid(tick, o.slide)]
        _LOG.warning("the batch of %d ms failed before; running it again", tick)
        self._pass_notes(first, tick)
        self._monitor.again(tick)
        self.settling.begin()
        try:
            self._run_outputs(first, tick, due, evaluator)
            self.settling.keep_or_drop(tick)
        finally:
            evaluator.close()
            for batch in (first, *more):
                batch.release()

    def _pass_notes(self, batch: MicroBatch, tick: int) -> None:
        for node, source in self._tables.items():
            source.noted(tick, batch.notes(node, tick))

    def _evaluate(
        self, evaluator: Evaluator, nodes: Mapping[int, Node], failed: BaseException | None
    ) -> tuple[Handed, BaseException | None]:
        """Return what to hand over, and the first error of a function of the driver so far."""
        handed: Handed = {}
        for number, node in nodes.items():
            if failed is None:
                try:
                    evaluator.rdd(node)
                except errors.USER_ERRORS as error:
                    failed = error
            if failed is not None:
                handed[number] = errors.dump(errors.capture(failed))
                continue
            try:
                handed[number] = evaluator.partitions(node, len(self._children[node.id]) > 1)
            except errors.USER_ERRORS as error:
                handed[number] = errors.dump(evaluator.error(node) or errors.capture_root(error))
        return handed, failed

    def _run_outputs(
        self, batch: MicroBatch, tick: int, outputs: list[OutputNode], evaluator: Evaluator
    ) -> None:
        time = datetime.fromtimestamp(tick / 1000)
        try:
            # Every RDD function of the batch runs before any output, as on the real engine.
            absent = []
            for output in outputs:
                self.stopping.check()
                if evaluator.rdd(output.parents[0]) is None:
                    absent.append(output)
        except errors.USER_ERRORS as error:
            # a function of transform may have asked for what could not be computed
            for output in outputs:
                self.settling.note_error(evaluator.error(output.parents[0]), tick)
            self._monitor.cancelled(tick, errors.capture(error).text)
            self._failed(outputs[0], time, error, None)
            return
        self._monitor.prepared(tick, lambda node: batch.records(node | COUNT_OF, tick), absent)
        self._monitor.computed(tick, evaluator.batches)
        outputs = [output for output in outputs if output not in absent]
        ended: list[Ended] = []
        self.pool.run(
            [
                lambda output=output: ended.append(self._run_output(tick, output, evaluator))  # type: ignore[misc]
                for output in outputs
            ]
        )
        self.stopping.check()  # an output may have swallowed that its jobs were cancelled
        self.settling.note_outputs(ended, evaluator.batches)

    def _run_output(self, tick: int, output: OutputNode, evaluator: Evaluator) -> Ended:
        """Run one output."""
        self.stopping.check()
        time = datetime.fromtimestamp(tick / 1000)
        with self._monitor.running(tick, output) as run:
            try:
                output.action(time, evaluator.rdd(output.parents[0]))
            except errors.USER_ERRORS as error:
                upstream = evaluator.error(output.parents[0])
                self.settling.note_error(upstream, tick)
                run.fail(self._failed(output, time, error, upstream))
                return Ended.LOST if upstream else Ended.FAILED
        return Ended.DONE

    def _failed(
        self,
        output: OutputNode,
        time: datetime,
        error: BaseException,
        upstream: errors.CapturedError | None,
    ) -> str:
        if self.stopping.now.is_set():
            raise BatchAborted("the StreamingContext was stopped while an output ran") from error
        captured = upstream or errors.capture(error)
        failure = BatchFailedError(
            f"An exception was raised by Python in {output.label}, batch of {time}:\n"
            f"{captured.text}"
        )
        failure.__cause__ = captured.exception() if upstream else error
        _LOG.error("%s", failure)
        self._on_error(failure)
        return captured.text
