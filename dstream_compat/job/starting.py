"""From a finished graph to a job: what ``start()`` reads and saves."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace

from pyspark import SparkContext

from ..checkpoint import checkpoint
from ..checkpoint.folder import refuse_real_checkpoint
from ..checkpoint.graph_shape import check_origins, check_shape, origins_of, shape_of
from ..checkpoint.hash_probe import check_hash, probe_hash
from ..clock import Clock
from ..exceptions import CheckpointError
from ..graph.nodes import Graph, ShuffleNode, SourceNode, of_kind, with_sources
from ..lifecycle import Lifecycle
from ..listeners.bus import ListenerBus
from ..old_checkpoint.taking_over import take_over
from ..settings import IMPORT_FROM, MAX_INTERVALS, PARTITIONS, STOP_TIMEOUT
from ..spark.conf import conf_of
from ..spark.parallelism import state_partitions
from ..spark.settings import JobSettings, lasting_settings
from ..spark.workers import prepare_for_state
from ..storage.files import storage_for
from .job import Job

_LOG = logging.getLogger("dstream_compat")


def make_job(
    sc: SparkContext,
    graph: Graph,
    life: Lifecycle,
    clock: Clock,
    bus: ListenerBus,
    folder: str | None,
    recovered: checkpoint.Recovered | None,
    on_end: Callable[[], None],
) -> Job:
    """Return the job of a graph, with its checkpoint begun or continued.

    A new run takes over what ``spark.streaming.compat.importFrom`` names.

    Parameters
    ----------
    sc : SparkContext
        where to run
    graph : Graph
        what to run
    life : Lifecycle
        of the context
    clock : Clock
        gives batch times
    bus : ListenerBus
        carries events to the user's listeners
    folder : str, optional
        checkpoint folder of the context
    recovered : Recovered, optional
        the run to continue
    on_end : callable
        called when the job has ended

    Raises
    ------
    CheckpointError
        if the run cannot be continued, or not take over what it is to
    pickle.PicklingError
        if a function cannot be saved
    """
    if any(node.op.stateful for node in of_kind(graph.reachable(), ShuffleNode)):
        prepare_for_state(sc)
    conf = conf_of(sc)
    partitions = state_partitions(sc)
    run: checkpoint.Checkpoint | None = None
    if recovered is not None:
        run, saved = recovered
        check_hash(sc, saved)
        is_rebuilt = graph is not saved.graph
        graph = replace(graph, imported=saved.imported)
        if is_rebuilt and saved.imported is not None and not run.has_progress():
            # what was taken over is in the saved graph only
            old = IMPORT_FROM.read(conf_of(sc))
            if old is None:
                raise CheckpointError(
                    f"the job in {run.folder} has taken over another checkpoint and committed no "
                    "batch since: the graph is rebuilt only with "
                    f"{IMPORT_FROM}=FOLDER, so that state and positions are "
                    "taken over again; nothing was changed here"
                )
            graph = take_over(sc, graph, old)
        if saved.partitions != partitions and conf.contains(PARTITIONS.name):
            _LOG.warning(
                "%s is %d, but the state in %s is in %d partitions: they stay until the job starts "
                "in a new checkpoint folder",
                PARTITIONS,
                partitions,
                run.folder,
                saved.partitions,
            )
        partitions = saved.partitions
        check_shape(saved.shape, shape_of(graph, partitions), run.folder)
        check_origins(saved.origins, origins_of(graph, partitions), run.folder)
        if is_rebuilt:
            graph = _with_saved_sources(sc, graph)
    else:
        graph, run = _begin(sc, graph, folder, partitions)
    drain = STOP_TIMEOUT.read(conf)
    if drain is None:
        drain = 10 * graph.interval / 1000
    settings = JobSettings(partitions, MAX_INTERVALS.read(conf), drain)
    job = Job(sc, graph, life, clock, bus, settings, run, recovered is not None, on_end)
    if recovered is not None:
        try:
            recovered.run.check_progress(job.folders)
            if is_rebuilt:  # the current code fits: later recoveries continue with it
                origins = origins_of(graph, partitions)
                recovered.run.save(replace(saved, graph=graph, origins=origins))
        except BaseException:
            job.stop(False)
            raise
    return job


def _begin(
    sc: SparkContext, graph: Graph, folder: str | None, partitions: int
) -> tuple[Graph, checkpoint.Checkpoint | None]:
    """Begin a run, where a setting says so with what another job has saved.

    Returns
    -------
    The graph to run, and where it is saved
    """
    old = IMPORT_FROM.read(conf_of(sc))
    if old is not None and folder is None:
        raise CheckpointError(
            f"{IMPORT_FROM} names {old}, but this job has no checkpoint "
            "folder, so it would take over the same after every restart. Make its context with "
            "StreamingContext.getOrCreate(FOLDER, create), or drop the setting. Nothing was changed"
        )
    if folder is None:
        return graph, None
    if old is not None:
        saved = checkpoint.find(sc, folder)
        if saved is not None and saved.has_progress():
            raise CheckpointError(
                f"{IMPORT_FROM} names {old}, but {folder} holds a run of this "
                "package already, which only StreamingContext.getOrCreate continues: taking over "
                "would process again what that has processed. Use getOrCreate, name a new folder, "
                "or drop the setting to begin without state. Nothing was changed"
            )
        graph = take_over(sc, graph, old)
    refuse_real_checkpoint(sc, folder)  # it may have come since the folder was named
    graph = _with_saved_sources(sc, graph)
    return graph, _save(sc, graph, folder, partitions)


def _save(sc: SparkContext, graph: Graph, folder: str, partitions: int) -> checkpoint.Checkpoint:
    run = checkpoint.Checkpoint(storage_for(sc, folder), folder)
    probe = probe_hash(sc)
    shape, origins = shape_of(graph, partitions), origins_of(graph, partitions)
    settings = lasting_settings(conf_of(sc))
    imported = graph.imported
    run.save(checkpoint.Saved(graph, shape, origins, settings, partitions, probe, imported))
    return run


def _with_saved_sources(sc: SparkContext, graph: Graph) -> Graph:
    """Return a graph that can be saved: its sources have all records that they give."""
    nodes = of_kind(graph.reachable(), SourceNode)
    return with_sources(graph, {node.id: node.source.savable_source(sc) for node in nodes})
