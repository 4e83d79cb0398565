"""Moves the state of a job that does not run: to more or fewer partitions, or by other hashes.

Decision 0098: Rescaling copies the run, and Spark rewrites the state.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

from pyspark import SparkContext, StorageLevel
from pyspark.sql import DataFrame
from pyspark.sql.functions import sum as sum_of
from pyspark.sql.types import BinaryType, IntegerType, LongType, StringType, StructField, StructType

from ..checkpoint import checkpoint
from ..checkpoint.folder import refuse_real_checkpoint
from ..checkpoint.hash_probe import check_hash, probe_hash
from ..checkpoint.run_copy import copy_run, entries_of, last_committed
from ..exceptions import CheckpointError
from ..graph.nodes import Graph
from ..graph.placement import placement_of
from ..plan.compile import Plan, compile_graph
from ..plan.slots import slots_for
from ..spark.sessions import query_session
from ..spark.settings import recovered_conf, use_own_python
from ..spark.shipping import ship_package
from ..spark.state_rewriting import require_rewriting, rewrite_state
from ..storage.files import Storage, discard, join, storage_for
from ..wire.byte_code import is_sent_by_value
from ..wire.errors import SPARK_ERRORS
from ..worker.operators.hashing import key_hash
from ..worker.operators.moved_keys import MovedKeyError
from ..worker.rescaled_state import (
    Move,
    PlacedBy,
    arrive_function,
    leave_function,
    without_functions,
)
from .query import settings_for

_LOG = logging.getLogger("dstream_compat")
_REFUSED: Final = re.compile(rf"{MovedKeyError.__name__}: (.*)")
_MOVED: Final = StructType(
    [
        StructField("slot", IntegerType()),
        StructField("name", StringType()),
        StructField("value", BinaryType()),
        StructField("keys", LongType()),
    ]
)


def rescale(folder: str, partitions: int | None = None, rehash: bool = False) -> str:
    """Move the state of a stopped job; returns what was done.

    Parameters
    ----------
    folder : str
        the job's checkpoint folder
    partitions : int, optional
        the new number of state partitions; None leaves it
    rehash : bool
        move keys to where today's hashes look for them

    Raises
    ------
    CheckpointError
        if that cannot be done; the job goes on as it was
    """
    run = current_run(folder)
    saved = run.load(to_run=False)
    before, after = saved.partitions, partitions or saved.partitions
    if after == before and not rehash:
        raise CheckpointError(
            f"the state in {folder} is in {after} partitions already. Nothing was changed"
        )
    sc = SparkContext.getOrCreate(recovered_conf(saved.conf))
    require_rewriting(sc)
    use_own_python(sc)
    ship_package(sc)
    if rehash:
        probe = probe_hash(sc)
    else:
        check_hash(sc, saved)
        probe = saved.hash_probe
    storage = storage_for(sc, folder)
    written = refuse_running(storage, run.folder, saved.graph.interval)
    plans = compile_graph(saved.graph, after)
    if rehash:
        refuse_handed_over(storage, run.folder, plans)
    names = ["query", *(f"query-{number}" for number in range(1, len(plans)))]
    if any(last_committed(storage, join(run.folder, name)) is None for name in names):
        setting = f", with spark.streaming.compat.partitions={after}" if after != before else ""
        raise CheckpointError(
            f"the job in {folder} has committed no batch yet, so that no state is to be moved: "
            f"point it at an empty folder{setting}. Nothing was changed"
        )
    new = checkpoint.Checkpoint(storage, folder)
    moved = 0
    try:
        copy_run(storage, run.folder, new.folder, before, after)
        for name, plan in zip(names, plans, strict=True):
            if plan.stateful:
                move = _move_of(saved.graph, plan, rehash, not run.has_own_byte_code())
                moved += _carry_out(sc, storage, move, plan, run, new, name)
        if rehash and after == before and probe == saved.hash_probe and not moved:
            discard(storage, new.folder)
            return f"{folder}: all keys are where this Python looks for them. Nothing was changed"
        new.save_again(run, after, probe)
        if _last_write_and_files(storage, run.folder) != written:
            raise CheckpointError(f"{folder} is written to by a running job: stop it first")
        new.make_current()
    except BaseException:
        discard(storage, new.folder)
        raise
    done = [f"the state is in {after} partitions, was in {before}"] if after != before else []
    done += [f"{moved} entries of the state were moved"] if rehash else []
    return (
        f"{folder}: {'; '.join(done)}\n"
        f"{new.run} goes on where {run.run} ended, which stays: --undo goes back to it"
    )


def undo(folder: str) -> str:
    """Let a job go on with the run before it was rescaled or rehashed; returns what was done.

    Raises
    ------
    CheckpointError
        if it was neither, or the run is gone
    """
    run = current_run(folder)
    sc = SparkContext._active_spark_context
    storage = storage_for(sc, folder)
    saved = run.load(to_run=False)
    of = saved.rescaled_from
    if of is None:
        raise CheckpointError(f"{folder} was not rescaled or rehashed: there is nothing to undo")
    old = checkpoint.Checkpoint(storage, folder, of)
    if not storage.exists(join(old.folder, "graph")):
        raise CheckpointError(f"{old.folder} is gone: {folder} cannot go back to it")
    refuse_running(storage, run.folder, saved.graph.interval)
    old.make_current()
    partitions = old.load(with_graph=False).partitions
    return (
        f"{folder}: the job goes on with {of}, in {partitions} partitions. The batches since the "
        "state was moved run again, from what the sources still have"
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


def _last_write_and_files(storage: Storage, folder: str) -> tuple[int, int]:
    """Return when a run was written to last (milliseconds since the epoch), and its files."""
    times = [entry.modified for _, entry in entries_of(storage, folder)]
    return max(times), len(times)


def refuse_running(storage: Storage, folder: str, interval: int) -> tuple[int, int]:
    """Refuse a run that is written to; a job writes in each batch interval.

    If it was written to just now, this waits two intervals, and looks again.
    """
    written = _last_write_and_files(storage, folder)
    left = (written[0] + 2 * interval) / 1000 - time.time()
    if left > 0:
        _LOG.warning("%s was written to a moment ago: checking again in %.0f s", folder, left)
        time.sleep(left)
    if _last_write_and_files(storage, folder) != written:
        raise CheckpointError(
            f"{folder} is written to by a running job: stop it first. Nothing was changed"
        )
    return written


def refuse_handed_over(storage: Storage, folder: str, plans: Sequence[Plan]) -> None:
    """Refuse a run with records by key of a batch that did not end.

    The first query has handed them over in the partitions of the old hashes.
    """
    for number, plan in enumerate(plans):
        handed = join(folder, f"handover-{number}")
        is_by_key = any(placement_of(node) is not None for node in plan.handed)
        if is_by_key and storage.exists(handed) and storage.list(handed):
            raise CheckpointError(
                f"{handed} has records of a batch that did not end, where the hashes of before put "
                "them. Start the job once more as it was, stop it by SIGTERM, which lets the batch "
                "end, and run this again. Nothing was changed"
            )


def _move_of(graph: Graph, plan: Plan, rehash: bool, other_python: bool) -> Move:
    """Return where the state of a query goes."""
    nodes = {node.id: node for node in graph.reachable()}
    ops = [op for stage in plan.slot_stages for op in stage.ops if op.stateful]
    windows: dict[int, PlacedBy | None] = {}
    for op in ops:
        if op.by_partition:
            (parent,) = nodes[op.node].parents
            windows[op.number] = placement_of(parent) if rehash else None
    keyed = {op.number: without_functions(op) for op in ops if rehash and not op.by_partition}
    if other_python:
        for function in (
            *(placed_by[1] for placed_by in windows.values() if placed_by is not None),
            *(getattr(op, "partition_of", key_hash) for op in keyed.values()),
        ):
            _refuse_byte_code(function)
    return Move(slots_for(plan.layout.size), windows, keyed, other_python)


def _refuse_byte_code(partition_function: Callable[[Any], int]) -> None:
    if is_sent_by_value(partition_function):
        name = getattr(partition_function, "__name__", repr(partition_function))
        raise CheckpointError(
            f"the partition function {name} is in the checkpoint with the byte code of the Python "
            "that wrote it, which this Python cannot run: run this with the old Python, or move "
            "the state by hand: see docs/production/upgrading.md. Nothing was changed"
        )


def _carry_out(
    sc: SparkContext,
    storage: Storage,
    move: Move,
    plan: Plan,
    run: checkpoint.Checkpoint,
    new: checkpoint.Checkpoint,
    query: str,
) -> int:
    """Write the state of a query in the slots of its new plan; returns how many entries move."""
    source, target = join(run.folder, query), join(new.folder, query)
    batch = last_committed(storage, source)
    assert batch is not None
    held: list[DataFrame] = []
    moved = 0

    def change(frame: DataFrame) -> DataFrame:
        schema = frame.schema
        key = schema["partition_key"].dataType
        assert isinstance(key, StructType)
        rows = frame.mapInArrow(leave_function(move), _MOVED)
        if move.keyed or any(move.windows.values()):
            held.append(rows.persist(StorageLevel.DISK_ONLY))
            nonlocal moved
            moved += rows.agg(sum_of("keys")).collect()[0][0] or 0
        # by Spark's hash, which puts slot p into partition p
        rows = rows.repartition(plan.layout.size, "slot").sortWithinPartitions("name")
        return rows.mapInArrow(arrive_function(key.names[0], move.keyed), schema)

    with query_session(sc, settings_for(plan, storage.local(source) is not None)) as session:
        try:
            rewrite_state(session, source, target, batch, change)
        except SPARK_ERRORS as error:
            refused = _REFUSED.search(str(error))
            if refused is None:
                raise
            raise CheckpointError(f"{source}: {refused[1]}. Nothing was changed") from error
        finally:
            for rows in held:
                rows.unpersist()
    return moved
