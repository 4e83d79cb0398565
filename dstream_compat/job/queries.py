"""Makes the queries of a job: the first one runs the outputs, each later one has state behind it.

A graph with state behind an RDD function of the driver needs several queries; what one hands over,
the next one reads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
from ..batch.table_ranges import Announcer
from ..clock import Clock
from ..graph.nodes import Graph
from ..intervals.offset_scheduler import OffsetScheduler
from ..intervals.scheduler import Scheduler
from ..lifecycle import Lifecycle, Phase
from ..listeners.bus import ListenerBus
from ..listeners.monitor import Monitor
from ..listeners.streaming_tab import StreamingTab, wants_tab
from ..plan.compile import Plan, compile_graph
from ..source.base import Source, SourceEvents
from ..source.handover import Handover, HandoverClock, HandoverSource
from ..source.receivers.receiver import can_be_read_again
from ..spark.settings import JobSettings
from ..storage.spool import Spool
from ..worker.columns.records import SETTING, checked
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
    sources : sequence of Source
        what the first one reads
    monitor : Monitor
        tells listeners what happens
    """

    first: QueryRun
    runner: BatchRunner
    initial: InitialState
    later: Sequence[Later]
    sources: Sequence[Source]
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
        plan, *others = compile_graph(
            graph, self.settings.partitions, checked(sc.getConf().get(SETTING))
        )
        sources = list(plan.sources.values())
        for number, source in enumerate(sources):
            spool = self.folders.spool(f"received-{number}") if source.receiver else None
            source.attach(sc.getConf(), graph.interval, spool)
        tab = StreamingTab(sc, graph, plan.sources) if wants_tab(sc) else None
        monitor = Monitor(sc, graph, self.clock, plan.sources, bus, tab)
        later = [self._later(other, number) for number, other in enumerate(others, 1)]
        links = [(one.query, other.handed) for one, other in zip(later, others, strict=True)]

        def begin(zero: int) -> None:
            for link, _ in links:
                link.begin_at(zero)
            life.advance(Phase.RUNNING)

        initial = self._initial(plan)
        spool = self.folders.spool("inputs")
        scheduler = self._scheduler(
            plan, "query", self.clock, plan.sources, initial, spool, begin, monitor
        )
        announcer = Announcer(sc, plan.tables, scheduler)
        runner = BatchRunner(
            sc,
            life,
            scheduler,
            Execution(sc, plan),
            ShippedFunctions(sc, plan),
            graph,
            links,
            announcer,
            self._commit(sources, [link for link, _ in links]),
            monitor,
            notices,
        )
        first = QueryRun(sc, life, plan, runner, announcer, self.folders.query("query"))
        return Queries(first, runner, initial, later, sources, monitor)

    def _later(self, plan: Plan, number: int) -> Later:
        """Return a query behind an RDD function of the driver."""
        sc, name = self.sc, f"query-{number}"
        handover = Handover(self.folders.spool(f"handover-{number}"))
        clock = HandoverClock()
        sources: dict[int, Source] = {
            node.id: HandoverSource(handover, place, node.label)
            for place, node in enumerate(plan.handed)
        }
        initial = self._initial(plan)
        spool = self.folders.spool(f"inputs-{number}")
        scheduler = self._scheduler(
            plan, name, clock, sources, initial, spool, lambda _: None, SourceEvents()
        )
        execution, functions = Execution(sc, plan), ShippedFunctions(sc, plan)
        query = LaterQuery(sc, self.life, scheduler, execution, functions, handover, clock)
        announcer = Announcer(sc, plan.tables, scheduler)
        run = QueryRun(sc, self.life, plan, query, announcer, self.folders.query(name))
        return Later(run, query, initial)

    def _initial(self, plan: Plan) -> InitialState:
        # Without a warm-up the initial state is part of the first interval, which may be replayed.
        kept = self.folders.durable("initial") if plan.tables else None
        return InitialState(plan, self.sc, kept)

    def _scheduler(
        self,
        plan: Plan,
        folder_name: str,
        clock: Clock,
        sources: Mapping[int, Source],
        initial: InitialState,
        spool: Spool | None,
        on_begin: Callable[[int], None],
        events: SourceEvents,
    ) -> Scheduler:
        folder = self.folders.query(folder_name)
        make = partial(OffsetScheduler, folder) if plan.tables else Scheduler
        return make(
            self.sc,
            clock,
            self.graph.interval,
            sources,
            initial.frames,
            spool,
            self.settings.partitions,
            self.settings.most,
            on_begin,
            events,
            by_sources=bool(plan.handed),
            imported=self.graph.imported,
        )

    def _commit(self, sources: Sequence[Source], links: Sequence[LaterQuery]) -> IntervalCommit:
        spool = self.folders.spool("failed")
        if spool is None:
            return IntervalCommit(links, None, None)
        again = all(can_be_read_again(source, self.sc.getConf()) for source in sources)
        delay = CommitDelay(self.clock, self.life, again)
        return IntervalCommit(links, FailedBatches(spool, self.graph), delay)
