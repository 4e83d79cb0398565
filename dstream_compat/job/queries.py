"""Makes the queries of a job: the first one runs the outputs, each later one has state behind it.

A graph with state behind an RDD function of the driver needs several queries; what one hands over,
the next one reads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from pyspark import SparkContext

from ..batch.commit import IntervalCommit
from ..batch.commit_delay import CommitDelay
from ..batch.execution import Execution
from ..batch.failed_batches import FailedBatches
from ..batch.later_queries import LaterQuery
from ..batch.notices import Notices
from ..batch.runner import BatchRunner
from ..batch.shipped_functions import ShippedFunctions
from ..batch.table_ranges import RangeAnnouncer
from ..clock import Clock
from ..graph.demand import OutputDemand
from ..graph.nodes import Graph, RDDNode, SourceNode, of_kind
from ..intervals.offset_scheduler import OffsetScheduler
from ..intervals.scheduler import Scheduler
from ..intervals.variables import WatchedVariables
from ..lifecycle import Lifecycle, Phase
from ..listeners.bus import ListenerBus
from ..listeners.monitor import Monitor
from ..listeners.streaming_tab import StreamingTab, wants_tab
from ..plan.compile import Plan, compile_graph
from ..plan.late_intervals import late_intervals
from ..settings import NATIVE, WRITE_AHEAD_LOG
from ..source.base import Input, Source, SourceEvents
from ..source.handover import Handover, HandoverClock, HandoverInput
from ..source.tables.table import TableInput
from ..spark.conf import conf_of
from ..spark.settings import JobSettings
from ..storage.spool import Spool
from .initial_state import InitialState
from .query_run import QueryRun
from .run_folders import RunFolders


class Later(NamedTuple):
    """A query behind another one.

    Parameters
    ----------
    run : QueryRun
        the query
    query : LaterQuery
        its ``foreachBatch`` function
    initial : InitialState
        of its operators
    """

    run: QueryRun
    query: LaterQuery
    initial: InitialState


class Queries(NamedTuple):
    """All queries of a job.

    Parameters
    ----------
    first : QueryRun
        the query that runs the outputs
    runner : BatchRunner
        its ``foreachBatch`` function
    initial : InitialState
        of its operators
    later : sequence of Later
        the queries behind it
    monitor : Monitor
        tells listeners what happens
    """

    first: QueryRun
    runner: BatchRunner
    initial: InitialState
    later: Sequence[Later]
    monitor: Monitor

    @property
    def runs(self) -> list[QueryRun]:
        """The queries, in order."""
        return [self.first, *(later.run for later in self.later)]


@dataclass(frozen=True)
class QueryFactory:
    """Makes the queries of one job.

    Parameters
    ----------
    sc : SparkContext
        the user's context
    graph : Graph
        what to run
    life : Lifecycle
        of the context
    clock : Clock
        gives batch times
    settings : JobSettings
        see there
    folders : RunFolders
        where the run keeps its files
    """

    sc: SparkContext
    graph: Graph
    life: Lifecycle
    clock: Clock
    settings: JobSettings
    folders: RunFolders

    def make(self, bus: ListenerBus, notices: Notices) -> Queries:
        """Return the queries.

        Parameters
        ----------
        bus : ListenerBus
            carries events to the user's listeners
        notices : Notices
            who is told how the outputs go
        """
        sc, graph, life = self.sc, self.graph, self.life
        plan, *others = compile_graph(graph, self.settings.partitions, NATIVE.read(conf_of(sc)))
        inputs = self._inputs()
        tab = StreamingTab(sc, graph, plan.sources) if wants_tab(sc) else None
        monitor = Monitor(sc, graph, self.clock, inputs, bus, tab)
        later = [self._later(other, number) for number, other in enumerate(others, 1)]
        links = [(run.query, other.handed) for run, other in zip(later, others, strict=True)]
        on_rdds = any(of_kind(graph.reachable(), RDDNode))
        functions = ShippedFunctions(sc, plan, on_rdds and late_intervals(graph).at_run)

        def begin(zero: int) -> None:
            for link, _ in links:
                link.begin_at(zero)
            functions.watch(self.clock, graph.interval)
            life.advance(Phase.RUNNING)

        initial = self._initial(plan)
        spool = self.folders.spool("inputs")
        scheduler = self._scheduler(
            plan, "query", self.clock, inputs, initial, spool, begin, monitor, functions
        )
        announcer = _announcer(sc, plan, scheduler)
        runner = BatchRunner(
            sc,
            life,
            scheduler,
            Execution(sc, plan, scheduler.needs_jvm() or initial.needs_jvm()),
            functions,
            graph,
            links,
            announcer,
            self._commit(plan.sources.values(), [link for link, _ in links]),
            monitor,
            notices,
        )
        first = QueryRun(sc, life, plan, runner, announcer, self.folders.query("query"))
        return Queries(first, runner, initial, later, monitor)

    def _inputs(self) -> dict[int, Input]:
        """Return the inputs of all sources, by node."""
        conf, inputs = conf_of(self.sc), dict[int, Input]()
        for number, node in enumerate(of_kind(self.graph.reachable(), SourceNode)):
            spool = self.folders.spool(f"received-{number}") if node.source.receiver else None
            demand = OutputDemand(self.graph, node)
            inputs[node.id] = node.source.open(conf, self.graph.interval, spool, demand)
        return inputs

    def _later(self, plan: Plan, number: int) -> Later:
        """Return a query behind an RDD function of the driver."""
        sc, name = self.sc, f"query-{number}"
        handover = Handover(self.folders.spool(f"handover-{number}"))
        clock = HandoverClock()
        inputs: dict[int, Input] = {
            node.id: HandoverInput(handover, place, node.label)
            for place, node in enumerate(plan.handed)
        }
        initial = self._initial(plan)
        spool = self.folders.spool(f"inputs-{number}")
        scheduler = self._scheduler(
            plan, name, clock, inputs, initial, spool, lambda _: None, SourceEvents()
        )
        execution = Execution(sc, plan, initial.needs_jvm())
        functions = ShippedFunctions(sc, plan)
        query = LaterQuery(sc, self.life, scheduler, execution, functions, handover, clock)
        announcer = _announcer(sc, plan, scheduler)
        run = QueryRun(sc, self.life, plan, query, announcer, self.folders.query(name))
        return Later(run, query, initial)

    def _initial(self, plan: Plan) -> InitialState:
        # Without a warm-up the initial state is part of the first interval, which may be replayed.
        path = self.folders.durable("initial") if plan.tables else None
        return InitialState(plan, self.sc, path, self.folders.has_progress)

    def _scheduler(
        self,
        plan: Plan,
        folder_name: str,
        clock: Clock,
        inputs: Mapping[int, Input],
        initial: InitialState,
        spool: Spool | None,
        on_begin: Callable[[int], None],
        events: SourceEvents,
        variables: WatchedVariables | None = None,
    ) -> Scheduler:
        folder = self.folders.query(folder_name)
        make = partial(OffsetScheduler, folder) if plan.tables else Scheduler
        return make(
            self.sc,
            clock,
            self.graph.interval,
            inputs,
            initial.entries,
            spool,
            self.settings.partitions,
            self.settings.most,
            on_begin,
            events,
            by_sources=bool(plan.handed),
            imported=self.graph.imported,
            variables=variables,
        )

    def _commit(self, sources: Iterable[Source], links: Sequence[LaterQuery]) -> IntervalCommit:
        spool = self.folders.spool("failed")
        if spool is None:
            return IntervalCommit(links, None, None)
        # what a receiver has logged is read again, too
        again = WRITE_AHEAD_LOG.read(conf_of(self.sc)) or all(
            source.replayable for source in sources
        )
        delay = CommitDelay(self.clock, self.life, again)
        return IntervalCommit(links, FailedBatches(spool, self.graph), delay)


def _announcer(sc: SparkContext, plan: Plan, scheduler: Scheduler) -> RangeAnnouncer:
    inputs = {i: source for i, source in scheduler.inputs.items() if isinstance(source, TableInput)}
    tables = [run.table.open([inputs[node] for node in run.nodes]) for run in plan.tables]
    return RangeAnnouncer(sc, tables, scheduler)
