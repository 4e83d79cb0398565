"""Changes the number of state partitions of a job that does not run."""

from __future__ import annotations

import logging
import time
from typing import Final

from pyspark import SparkContext
from pyspark.sql import DataFrame
from pyspark.sql.types import BinaryType, IntegerType, StringType, StructField, StructType

from ..checkpoint import checkpoint
from ..checkpoint.folder import refuse_real_checkpoint
from ..checkpoint.hash_probe import check_hash
from ..checkpoint.run_copy import copy_run, entries_of, last_committed
from ..exceptions import CheckpointError
from ..plan.compile import Plan, compile_graph
from ..plan.slots import slots_for
from ..spark.sessions import query_session
from ..spark.settings import recovered_conf, use_own_python
from ..spark.shipping import ship_package
from ..spark.state_rewriting import require_rewriting, rewrite_state
from ..storage.files import Storage, discard, join, storage_for
from ..worker.rescaled_state import arriving, leaving
from .query import settings_for

_LOG = logging.getLogger("dstream_compat")
_MOVED: Final = StructType(
    [
        StructField("slot", IntegerType()),
        StructField("name", StringType()),
        StructField("value", BinaryType()),
    ]
)


def rescale(folder: str, partitions: int) -> str:
    """Change the number of state partitions of a stopped job; returns what was done.

    Parameters
    ----------
    folder : str
        the job's checkpoint folder
    partitions : int
        the new number

    Raises
    ------
    CheckpointError
        if that cannot be done; the job goes on as it was
    """
    run = current_run(folder)
    saved = run.load()
    if saved.partitions == partitions:
        raise CheckpointError(
            f"the state in {folder} is in {partitions} partitions already. Nothing was changed"
        )
    sc = SparkContext.getOrCreate(recovered_conf(saved.conf))
    require_rewriting(sc)
    use_own_python(sc)
    ship_package(sc)
    check_hash(sc, saved)
    storage = storage_for(sc, folder)
    before = refuse_running(storage, run.folder, saved.graph.interval)
    plans = compile_graph(saved.graph, partitions)
    names = ["query", *(f"query-{number}" for number in range(1, len(plans)))]
    if any(last_committed(storage, join(run.folder, name)) is None for name in names):
        raise CheckpointError(
            f"the job in {folder} has committed no batch yet: point it at an empty folder, with "
            f"spark.streaming.compat.partitions={partitions}. Nothing was changed"
        )
    new = checkpoint.Checkpoint(storage, folder)
    try:
        copy_run(storage, run.folder, new.folder, saved.partitions, partitions)
        for name, plan in zip(names, plans, strict=True):
            if plan.stateful:
                _move(sc, storage, plan, join(run.folder, name), join(new.folder, name))
        new.save_again(run, partitions)
        if _written(storage, run.folder) != before:
            raise CheckpointError(f"{folder} is written to by a running job: stop it first")
        new.make_current()
    except BaseException:
        discard(storage, new.folder)
        raise
    return (
        f"{folder}: the state is in {partitions} partitions, was in {saved.partitions}\n"
        f"{new.run} goes on where {run.run} ended, which stays: --undo goes back to it"
    )


def undo(folder: str) -> str:
    """Let a job go on with the run before it was rescaled; returns what was done.

    Raises
    ------
    CheckpointError
        if it was not rescaled, or the run is gone
    """
    run = current_run(folder)
    sc = SparkContext._active_spark_context
    storage = storage_for(sc, folder)
    saved = run.load()
    of = saved.rescaled_from
    if of is None:
        raise CheckpointError(f"{folder} was not rescaled: there is nothing to undo")
    old = checkpoint.Checkpoint(storage, folder, of)
    if not storage.exists(join(old.folder, "graph")):
        raise CheckpointError(f"{old.folder} is gone: {folder} cannot go back to it")
    refuse_running(storage, run.folder, saved.graph.interval)
    old.make_current()
    partitions = old.load(with_graph=False).partitions
    return (
        f"{folder}: the job goes on with {of}, in {partitions} partitions. The batches since it "
        "was rescaled run again, from what the sources still have"
    )


def current_run(folder: str) -> checkpoint.Checkpoint:
    SparkContext._ensure_initialized()
    sc = SparkContext._active_spark_context
    run = checkpoint.find(sc, folder)
    if run is None:
        refuse_real_checkpoint(sc, folder)
        raise CheckpointError(
            f"{folder} holds no checkpoint of a job of dstream_compat: name the folder that the "
            "job gave to StreamingContext.checkpoint or getOrCreate"
        )
    return run


def _written(storage: Storage, folder: str) -> tuple[int, int]:
    """Return when a run was written to last (milliseconds since the epoch), and its files."""
    times = [entry.modified for _, entry in entries_of(storage, folder)]
    return max(times), len(times)


def refuse_running(storage: Storage, folder: str, interval: int) -> tuple[int, int]:
    """Refuse a run that is written to; a job writes in each batch interval.

    If it was written to just now, this waits two intervals, and looks again.
    """
    written = _written(storage, folder)
    left = (written[0] + 2 * interval) / 1000 - time.time()
    if left > 0:
        _LOG.warning("%s was written to a moment ago: checking again in %.0f s", folder, left)
        time.sleep(left)
    if _written(storage, folder) != written:
        raise CheckpointError(
            f"{folder} is written to by a running job: stop it first. Nothing was changed"
        )
    return written


def _move(sc: SparkContext, storage: Storage, plan: Plan, source: str, target: str) -> None:
    """Write the state of a query in the slots of its new plan."""
    slots = slots_for(plan.layout.size)
    ops = [op for stage in plan.slot_stages for op in stage.ops if op.stateful]
    windows = frozenset(op.number for op in ops if op.by_partition)
    batch = last_committed(storage, source)
    assert batch is not None

    def change(frame: DataFrame) -> DataFrame:
        schema = frame.schema
        key = schema["partition_key"].dataType
        assert isinstance(key, StructType)
        moved = frame.mapInArrow(leaving(slots, windows), _MOVED)
        # by Spark's hash, which puts slot p into partition p
        moved = moved.repartition(plan.layout.size, "slot")
        return moved.mapInArrow(arriving(key.names[0]), schema)

    with query_session(sc, settings_for(plan, storage.local(source) is not None)) as session:
        rewrite_state(session, source, target, batch, change)
