"""Runs the outputs of a micro-batch, interval by interval; an error ends only its own output."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from ..exceptions import BatchFailedError
from ..graph.nodes import Graph, Node, OutputNode, children_of, inner_streams
from ..intervals.scheduler import Work
from ..lifecycle import BatchAborted, Phase
from ..settings import CONCURRENT_JOBS
from ..source.handover import Handed
from ..source.tables.table import TableInput
from ..spark.conf import conf_of
from ..spark.sessions import user_session
from ..wire import errors
from ..wire.frames import COUNT_OF, Intervals
from .callback import Callback
from .commit import Ended, IntervalCommit, is_new
from .evaluate import Evaluator
from .events import BatchEvents
from .failed_batches import FailedBatches
from .later_queries import LaterQuery
from .notices import Notices
from .output_pool import OutputPool
from .overwriting import allow_overwriting
from .past_rdds import PastRDDs
from .rdds import MicroBatch
from .table_ranges import RangeAnnouncer

_LOG = logging.getLogger("dstream_compat")


@dataclass(eq=False, repr=False)
class BatchRunner(Callback):
    """The ``foreachBatch`` function of a context's first query.

    Parameters
    ----------
    sc, life, scheduler, execution, functions : SparkContext, Lifecycle, ...
        see ``Callback``
    graph : Graph
        whose outputs to run
    later : sequence of (LaterQuery, sequence of Node)
        the queries that go through all intervals behind this one, and the streams that they read
    announcer : RangeAnnouncer
        tells tasks what they read of tables
    commit : IntervalCommit
        decides what becomes of each interval
    events : BatchEvents
        is told what runs
    notices : Notices
        who is told how the outputs go
    """

    graph: Graph
    later: Sequence[tuple[LaterQuery, Sequence[Node]]]
    announcer: RangeAnnouncer
    commit: IntervalCommit
    events: BatchEvents
    notices: Notices

    def __post_init__(self) -> None:
        super().__post_init__()
        nodes = self.graph.reachable()
        self._children = children_of(nodes)
        inputs = self.scheduler.inputs
        self._tables = {i: source for i, source in inputs.items() if isinstance(source, TableInput)}
        self._rerun = [] if self.commit.failed is None else self.commit.failed.times()
        self._noted_progress = False
        inside = inner_streams(nodes) if self.graph.remember is None else frozenset()
        self.pool = OutputPool(self.sc, CONCURRENT_JOBS.read(conf_of(self.sc)))
        self.past = PastRDDs(
            self.scheduler,
            lambda: threading.get_ident() in {self.thread, *self.pool.threads},
            self.graph.remember,
            inside,
        )

    def begin(self) -> None:
        super().begin()
        self.notices.on_batch()

    def prepare(self, work: Work) -> None:
        self.announcer.announce(work.intervals)

    def run(self, batch: MicroBatch) -> None:
        """Run the outputs of every interval."""
        assert batch.intervals is not None
        if not self._noted_progress and batch.intervals.lo > self._begins_after(batch.intervals):
            self.notices.on_progress()
            self._noted_progress = True
        with user_session(self.sc), allow_overwriting(self.sc):
            self._run_failed_until(batch.intervals.lo)
            for tick in batch.intervals.ticks():
                if self.life.phase >= Phase.HALTING:
                    raise BatchAborted("the StreamingContext was stopped; later intervals wait")
                for query, _ in self.later:
                    query.begin_at(batch.intervals.zero)
                if any(query.last_commit() >= tick for query, _ in self.later):
                    # An earlier process ran the outputs, but could not commit everywhere.
                    for query, _ in self.later:
                        query.catch_up(tick)
                    if tick in self._rerun:
                        self._run_failed_until(tick)
                    else:
                        self.events.note_done(tick)
                    continue
                self._run_interval(batch, tick)
                self.commit.settle(tick, tick + batch.intervals.interval)
                for query, _ in self.later:
                    query.finish(tick)
                for query, _ in self.later:
                    query.await_commit(tick)
            self._rerun.clear()  # what is left was replayed
        self.notices.on_outputs()
        self.announcer.limit(self.events.late(batch.intervals.hi))

    def _begins_after(self, intervals: Intervals) -> int:
        imported = self.graph.imported
        return intervals.zero if imported is None else imported.since

    def _outputs_at(self, intervals: Intervals, tick: int) -> list[OutputNode]:
        """Return the outputs that a batch has, unless they have run on another engine."""
        imported = self.graph.imported
        if imported is not None and tick <= imported.until:
            return []
        return [output for output in self.graph.outputs if intervals.is_valid(tick, output.slide)]

    def _run_interval(self, batch: MicroBatch, tick: int) -> None:
        assert batch.intervals is not None
        time = datetime.fromtimestamp(tick / 1000)
        outputs = self._outputs_at(batch.intervals, tick)
        evaluator = Evaluator(self.sc, self.graph, batch, tick)
        self._pass_notes(batch, tick)
        self.events.begin(tick)
        self.commit.begin()
        try:
            error: BaseException | None = None
            for query, handed in self.later:
                parts: Handed | None = None
                if not query.handover.has(tick):
                    due = {
                        number: node
                        for number, node in enumerate(handed)
                        if batch.intervals.is_valid(tick, node.slide)
                    }
                    parts, error = self._evaluate(evaluator, due, error)
                    self.life.check()  # jobs may have been cancelled under its functions
                evaluator.add(query.process(tick, parts))
            self.past.keep(tick, evaluator)
            if error is not None:
                failures = [evaluator.error(node) for _, nodes in self.later for node in nodes]
                if failures and all(is_new(failure, tick) for failure in failures if failure):
                    self.commit.lose(tick)
                self.events.note_cancelled(tick, errors.capture(error).text)
                self._note_failure((outputs or self.graph.outputs)[0], time, error, None)
            else:
                self._run_outputs(batch, tick, outputs, evaluator)
        finally:
            evaluator.close()

    def _run_failed_until(self, last: int) -> None:
        """Run failed batches of an earlier process again; later ones are replayed anyway."""
        failed = self.commit.failed
        while failed is not None and self._rerun and self._rerun[0] <= last:
            self._run_failed(failed, self._rerun.pop(0))

    def _run_failed(self, failed: FailedBatches, tick: int) -> None:
        first, *more = (MicroBatch.of(self.sc, frames) for frames in failed.load(tick))
        evaluator = Evaluator(self.sc, self.graph, first, tick)
        for batch in more:
            evaluator.add(batch)
        assert first.intervals is not None
        due = [o for o in self.graph.outputs if first.intervals.is_valid(tick, o.slide)]
        _LOG.warning("the batch of %d ms failed before; running it again", tick)
        self._pass_notes(first, tick)
        self.events.again(tick)
        self.commit.begin()
        try:
            self._run_outputs(first, tick, due, evaluator)
            self.commit.keep_or_drop(tick)
        finally:
            evaluator.close()
            for batch in (first, *more):
                batch.release()

    def _pass_notes(self, batch: MicroBatch, tick: int) -> None:
        for node, table in self._tables.items():
            table.note(tick, batch.notes(node, tick))

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
            # Every RDD function of the batch runs before any output, as with DStreams.
            absent = []
            for output in outputs:
                self.life.check()
                if evaluator.rdd(output.parents[0]) is None:
                    absent.append(output)
        except errors.USER_ERRORS as error:
            # a function of transform may have asked for what could not be computed
            for output in outputs:
                self.commit.note_error(evaluator.error(output.parents[0]), tick)
            self.events.note_cancelled(tick, errors.capture(error).text)
            self._note_failure(outputs[0], time, error, None)
            return
        self.events.note_prepared(tick, lambda node: batch.records(node | COUNT_OF, tick), absent)
        self.events.note_computed(tick, evaluator.batches)
        outputs = [output for output in outputs if output not in absent]
        ended: list[Ended] = []
        self.pool.run(
            [
                lambda output=output: ended.append(self._run_output(tick, output, evaluator))  # type: ignore[misc]
                for output in outputs
            ]
        )
        self.life.check()  # an output may have swallowed that its jobs were cancelled
        self.commit.note_outputs(ended, evaluator.batches)

    def _run_output(self, tick: int, output: OutputNode, evaluator: Evaluator) -> Ended:
        """Run one output."""
        self.life.check()
        time = datetime.fromtimestamp(tick / 1000)
        with self.events.follow_output(tick, output) as run:
            try:
                output.action(time, evaluator.rdd(output.parents[0]))
            except errors.USER_ERRORS as error:
                upstream = evaluator.error(output.parents[0])
                self.commit.note_error(upstream, tick)
                run.fail(self._note_failure(output, time, error, upstream))
                return Ended.LOST if upstream else Ended.FAILED
        return Ended.DONE

    def _note_failure(
        self,
        output: OutputNode,
        time: datetime,
        error: BaseException,
        upstream: errors.CapturedError | None,
    ) -> str:
        captured = upstream or errors.capture(error)
        if self.is_dropped(captured.text):
            raise BatchAborted("the StreamingContext was stopped while an output ran") from error
        failure = BatchFailedError(
            f"An exception was raised by Python in {output.label}, batch of {time}:\n"
            f"{captured.text}"
        )
        failure.__cause__ = captured.exception() if upstream else error
        _LOG.error("%s", failure)
        self.life.report(failure)
        return captured.text
