"""Turns what a running context does into the events that its listeners get.

Decision 0011: A thread submits late batches when they are due.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from ..batch.events import BatchEvents
from ..batch.rdds import MicroBatch
from ..graph.job_names import named_jobs, site_of
from ..graph.nodes import OutputNode, RDDNode, of_kind
from ..source.base import InputInfo, Planned
from .batches import Batch, BatchOutput, sources_of, wall_clock
from .events import BatchEvent, OutputOperationEvent, StreamingStarted
from .java_values import UNKNOWN
from .rates import RateFeed
from .receivers import ReceiverMonitor
from .states import states_of


@dataclass(eq=False)
class Monitor(ReceiverMonitor, BatchEvents):
    """Follows the batches of a job.

    Mirrors what ``org.apache.spark.streaming.scheduler.JobScheduler`` and ``ReceiverTracker`` post.
    The parameters are those of ``ReceiverMonitor``.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        self._above = {output.id: sources_of(output) for output in self.graph.outputs}
        # Functions of the driver run when a batch is generated: if one fails, there is no batch.
        self._generates = any(of_kind(self.graph.reachable(), RDDNode))
        # How late a batch is has to be known if it moves how fast receivers are.
        self._rates = RateFeed(self.inputs)
        self._changed = threading.Condition()
        self._batches: dict[int, Batch] = {}
        self._zero: int | None = None
        self._noticed = 0
        self._watcher: threading.Thread | None = None
        self._ending = False

    # What the scheduler and the receivers tell.

    def note_begin(self, zero: int, last: int) -> None:
        with self._changed:
            if self._zero is not None:
                return
            self._zero = zero
            self._noticed = last
            self._tell("onStreamingStarted", StreamingStarted(wall_clock()))
            self.watch()

    def note_plan(
        self, ticks: Sequence[int], zero: int, inputs: Mapping[tuple[int, int], Planned]
    ) -> None:
        with self._changed:
            self.note_begin(zero, ticks[0] - self.graph.interval)
            batches = [batch for batch in map(self._batch, ticks) if batch is not None]
            for batch in batches:
                batch.planned = True
                batch.inputs = self._inputs(batch, inputs)
            self._noticed = max(self._noticed, ticks[-1])
            self._rates.note_plan(batches)
            if batches:
                self._begin(batches[0])
                if not self._generates:
                    self._submit_until(ticks[-1])
                    self._start(batches[0])

    def note_stopping(self) -> None:
        with self._changed:
            self._ending = True
            self._changed.notify_all()

    # What the runner of outputs tells.

    def begin(self, tick: int) -> None:
        with self._changed:
            batch = self._batches.get(tick)
            if batch is not None:
                self._begin(batch)

    def again(self, tick: int) -> None:
        with self._changed:
            batch = self._batch(tick)
            if batch is not None:
                batch.planned = True
                self._begin(batch)
                self._submit_until(tick)
                self._start(batch)

    def note_prepared(
        self, tick: int, read: Callable[[int], int], left_out: Collection[OutputNode] = ()
    ) -> None:
        with self._changed:
            batch = self._batches.get(tick)
            if batch is not None:
                left = (run.output for run in batch.runs if run.output not in left_out)
                batch.runs = [BatchOutput(output, number) for number, output in enumerate(left)]
                if not batch.runs:  # as with DStreams, there is no such batch then
                    del self._batches[tick]
                    return
                batch.read = {node: read(node) for node in batch.inputs}
                self._submit_until(tick)
                self._start(batch)

    def note_computed(self, tick: int, batches: Sequence[MicroBatch]) -> None:
        batch = self._batches.get(tick)
        if batch is not None and self._has_listeners:
            batch.execution = str(batches[0].mode)
            batch.states = states_of(self.graph, batches, tick)

    def note_cancelled(self, tick: int, text: str) -> None:
        with self._changed:
            batch = self._batches.get(tick)
            if batch is None:
                return
            if not batch.submitted:  # as with DStreams, there is no such batch then
                del self._batches[tick]
                return
            self._start(batch)
            for run in batch.runs:
                self._run_started(run, tick)
                run.fail(text)
                self._run_ended(run, batch)

    def note_done(self, tick: int) -> None:
        with self._changed:
            batch = self._batches.pop(tick, None)
            if batch is not None and batch.submitted:
                batch.end = wall_clock()
                self._rates.note_done(batch)
                self._post_batch("onBatchCompleted", batch)

    @contextmanager
    def follow_output(self, tick: int, output: OutputNode) -> Iterator[BatchOutput]:
        with self._changed:
            batch = self._batches.get(tick)
            runs = [] if batch is None else batch.runs
            run = next((run for run in runs if run.output is output), BatchOutput(output, 0))
            if batch is not None:
                self._run_started(run, tick)
        name = site_of(self.graph, output).name(output.label)
        with named_jobs(self.sc, name, run.number, tick, self.graph.interval):
            yield run
        with self._changed:
            if batch is not None:
                self._run_ended(run, batch)

    def late(self, tick: int) -> int:
        return max((self.clock.now() - tick) // self.graph.interval, 1)

    def close(self) -> None:
        """Deliver what was posted and end."""
        self.note_stopping()
        self.bus.close()
        if self.tab is not None:
            self.tab.close()

    # Inside; all of it holds the lock.

    def _batch(self, tick: int) -> Batch | None:
        """Return a batch that is due; None if no output is due then."""
        assert self._zero is not None
        if tick not in self._batches:
            since = tick - self._zero
            outputs = [o for o in self.graph.outputs if since > 0 and since % o.slide == 0]
            if not outputs:
                return None
            runs = [BatchOutput(output, number) for number, output in enumerate(outputs)]
            self._batches[tick] = Batch(tick, runs, wall_clock())
        return self._batches[tick]

    def _inputs(
        self, batch: Batch, inputs: Mapping[tuple[int, int], Planned]
    ) -> dict[int, InputInfo]:
        infos = {}
        for node in sorted({node for run in batch.runs for node in self._above[run.output.id]}):
            parts = inputs.get((node, batch.tick), [])
            info = self.inputs[node].input_info(
                batch.tick, parts if isinstance(parts, list) else []
            )
            if info is not None:
                infos[node] = info
        return infos

    def _waiting_inputs(self, batch: Batch) -> dict[int, InputInfo]:
        """Return what is known of the inputs of a batch that is late and therefore not planned."""
        return {
            node: info._replace(records=self.inputs[node].count_waiting(batch.tick))
            for node, info in self._inputs(batch, {}).items()
        }

    @staticmethod
    def _begin(batch: Batch) -> None:
        if batch.begin == UNKNOWN:
            batch.begin = wall_clock()

    def _submit_until(self, tick: int) -> None:
        for batch in [self._batches[due] for due in sorted(self._batches) if due <= tick]:
            if not batch.submitted:
                batch.submitted = True
                if not batch.planned:
                    batch.inputs = self._waiting_inputs(batch)
                self._post_batch("onBatchSubmitted", batch)

    def _start(self, batch: Batch) -> None:
        if not batch.started:
            batch.started = True
            self._post_batch("onBatchStarted", batch)

    def _run_started(self, run: BatchOutput, tick: int) -> None:
        run.begin(self.clock.now())
        self._post_run("onOutputOperationStarted", run, tick)

    def _run_ended(self, run: BatchOutput, batch: Batch) -> None:
        run.end = self.clock.now()
        self._post_run("onOutputOperationCompleted", run, batch.tick)
        if all(each.end != UNKNOWN for each in batch.runs):
            self.note_done(batch.tick)

    def _post_run(self, callback: str, run: BatchOutput, tick: int) -> None:
        if self._has_listeners:
            self._tell(callback, OutputOperationEvent(run.info(self.graph, tick)))

    def _post_batch(self, callback: str, batch: Batch) -> None:
        if self._has_listeners:
            self._tell(callback, BatchEvent(batch.info(self.graph)))

    @property
    def _has_listeners(self) -> bool:
        return self.bus.has_listeners or self.tab is not None

    def watch(self) -> None:
        """Look for batches that become due while others run, if anybody wants to know."""
        with self._changed:
            is_watched = self._has_listeners or self._rates.is_needed
            if is_watched and self._zero is not None and not self._ending and self._watcher is None:
                self._watcher = threading.Thread(
                    target=self._notice, name="dstream-compat-due", daemon=True
                )
                self._watcher.start()

    def _notice(self) -> None:
        interval = self.graph.interval
        with self._changed:
            while not self._ending:
                due = self.clock.now() // interval * interval
                for tick in range(self._noticed + interval, due + 1, interval):
                    self._batch(tick)
                self._noticed = max(self._noticed, due)
                # What is due while nothing runs is planned at once, and known better then.
                planned = {batch.planned for batch in self._batches.values()}
                if planned == {True, False}:
                    self._submit_until(due)
                self.clock.wait(self._changed, self._noticed + interval)
