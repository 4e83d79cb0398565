"""What a checkpoint of this package has for a rewritten job."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from pyspark import SparkContext
from pyspark.sql import DataFrame

from ..checkpoint.checkpoint import Checkpoint, Saved
from ..checkpoint.run_copy import last_committed
from ..exceptions import CheckpointError
from ..graph.nodes import SourceNode, of_kind
from ..job.query import settings_for
from ..job.rescaling import current_run, refuse_running
from ..old_checkpoint.new_graph import NewState, in_order, states_of
from ..plan.compile import Plan, compile_graph
from ..source.base import Source
from ..source.files.source import FileSource
from ..source.files.taken_over import TakenOver
from ..source.kafka.source import DirectSource, ReceiverSource
from ..spark.sessions import query_session
from ..spark.settings import recovered_conf
from ..storage.files import Storage, join, storage_for
from ..storage.spool import Spool
from ..wire.frames import Intervals
from ..worker.operators.base import SlotOp
from ..worker.operators.map_with_state import MapWithState
from ..worker.operators.update_state import UpdateStateByKey
from ..worker.stored_states import stored_pairs
from .columns import Pair
from .content import Export, KeyedState, Position, file_position, kafka_position, windows_left

_KEYED: Final = UpdateStateByKey, MapWithState
Offsets = dict[str, dict[str, int]]


class _Commit(NamedTuple):
    """The micro-batch that a query has committed last.

    Parameters
    ----------
    folder : str
        Spark's checkpoint of the query
    number : int
        Spark's number of the micro-batch
    hi : int
        its last batch time
    memory : mapping
        what each source remembers, by its number
    offsets : sequence of str
        what Spark has logged of each source
    """

    folder: str
    number: int
    hi: int
    memory: dict[int, Any]
    offsets: Sequence[str]


def export_of_own(folder: str) -> Export:
    """Return the states and positions as of the last batch that was committed.

    Raises
    ------
    CheckpointError
        if they cannot be read, or the job still runs
    """
    run = current_run(folder)
    saved = run.load(to_run=False)
    sc = SparkContext.getOrCreate(recovered_conf(saved.conf))
    storage = storage_for(sc, folder)
    refuse_running(storage, run.folder, saved.graph.interval)
    plans = compile_graph(saved.graph, saved.partitions)
    queries = [_last_commit(storage, run, number) for number in range(len(plans))]
    at = queries[0].hi
    _check_times(folder, saved, queries)
    new_states = states_of(saved.graph)
    ops = {op.node: op for plan in plans for stage in plan.slot_stages for op in stage.ops}
    values: dict[int, list[Pair]] = {}
    for plan, query in zip(plans, queries, strict=True):
        values |= _states(sc, storage, plan, query, [ops[each.node.id] for each in new_states])
    sources = [node for node in in_order(saved.graph) if isinstance(node, SourceNode)]
    inputs = [node.id for node in of_kind(saved.graph.reachable(), SourceNode)]
    logged = _kafka_offsets(queries[0])
    states, left = [], [*_what_is_left(new_states)]
    for number, node in enumerate(sources, 1):
        memory = queries[0].memory.get(inputs.index(node.id))
        position = _position(number, node.source, logged, memory, at, saved.graph.interval)
        if position is not None:
            states.append(position)
        else:
            left.append(
                f"#{number} {node.source.label}: what it had received and no batch had computed. "
                "Stop the job gracefully before the export, then there is none"
            )
    return Export(
        folder,
        "dstream_compat",
        dict(saved.conf).get("spark.app.name", ""),
        saved.graph.interval,
        at,
        [
            KeyedState(number, each.kind, values[each.node.id])
            for number, each in enumerate(new_states, 1)
            if each.node.id in values
        ],
        states,
        left,
    )


def _last_commit(storage: Storage, run: Checkpoint, query: int) -> _Commit:
    name = "query" if query == 0 else f"query-{query}"
    folder = join(run.folder, name)
    number = last_committed(storage, folder)
    offsets: list[str] = []
    if number is not None:
        _, _, *offsets = storage.read(join(folder, "offsets", str(number))).decode().split("\n")
    spool = Spool(storage, join(run.folder, name.replace("query", "inputs")))
    for hi in spool.after(0):
        batch, intervals, _, memory = spool.load(hi)
        done = batch == number if batch is not None else _logs(offsets, hi)
        if number is not None and done:
            return _Commit(folder, number, Intervals(*intervals).hi, memory, offsets)
    raise CheckpointError(
        f"{run.folder} has no committed batch: there is no state to export. Let the job complete a "
        "batch first; if it was taking over an older checkpoint, export that one"
    )


def _logs(offsets: Sequence[str], hi: int) -> bool:
    """Return whether a micro-batch of a query with tables ends at a batch time."""
    return bool(offsets) and json.loads(offsets[0]).get("t") == hi


def _check_times(folder: str, saved: Saved, queries: Sequence[_Commit]) -> None:
    """Refuse states that are not all as of one batch."""
    at = queries[0].hi
    if any(query.hi != at for query in queries):
        raise CheckpointError(
            f"the queries of {folder} have committed different batches: "
            f"{[query.hi for query in queries]} (ms). Start the job again, and stop it gracefully"
        )
    if saved.imported is not None and at < saved.imported.until:
        raise CheckpointError(
            f"the job in {folder} fills its windows still, until the batch of "
            f"{saved.imported.until} ms, at which its state was saved by Spark's DStreams: let it "
            "run beyond that, or export the checkpoint that it took over"
        )


def _states(
    sc: SparkContext, storage: Storage, plan: Plan, query: _Commit, new_states: Sequence[SlotOp]
) -> dict[int, list[Pair]]:
    """Return the states of a query by node, read by Spark's reader of state stores."""
    mine = {op.node for stage in plan.slot_stages for op in stage.ops}
    ops = [op for op in new_states if op.node in mine and isinstance(op, _KEYED)]
    values: dict[str, bytes] = {}
    if ops:
        stages = sum(stage.stateful for stage in plan.slot_stages)
        with query_session(sc, settings_for(plan, storage.local(query.folder) is not None)) as own:
            # makes the coordinator of states, for which the reader asks
            own._jsparkSession.streams()
            reader = own.read.format("statestore").option("path", query.folder)
            reader = reader.option("batchId", query.number).option("stateVarName", "state")
            for operator in range(stages):
                values |= _values(reader.option("operatorId", operator).load())
    return {op.node: list(stored_pairs(op, values)) for op in ops}


def _values(rows: DataFrame) -> dict[str, bytes]:
    """Return values of the state by name; names are unlike each other, but for those of windows."""
    collected = rows.selectExpr("user_map_key.name", "user_map_value.value").collect()
    return {name: bytes(value) for name, value in collected}


def _kafka_offsets(query: _Commit) -> list[Offsets]:
    """Return the offsets of Kafka's sources, in their order."""
    texts = [json.loads(text) for text in query.offsets if text.startswith("{")]
    return [
        offsets for offsets in texts if all(isinstance(each, dict) for each in offsets.values())
    ]


def _position(
    number: int,
    source: Source,
    logged: list[Offsets],
    memory: Any,
    at: int,
    interval: int,
) -> Position | None:
    if isinstance(source, DirectSource | ReceiverSource):
        topics = {*source.table.topics} if isinstance(source, ReceiverSource) else source.topics
        logged_offsets = next((ends for ends in logged if {*ends} == topics), None)
        if logged_offsets is None:
            raise CheckpointError(
                f"Spark has logged no offsets of {source.label} with the last batch: let the job "
                "complete a batch that reads it"
            )
        if isinstance(source, DirectSource):
            logged.remove(logged_offsets)  # streams of a consumer group share theirs
        offsets = {
            (topic, int(partition)): offset
            for topic, parts in logged_offsets.items()
            for partition, offset in parts.items()
        }
        return kafka_position(number, source.label, offsets)
    if not isinstance(source, FileSource):
        return None
    taken = TakenOver(*memory.get("taken", ({}, 0)))
    newer = max(memory["since"], at + interval - source.remember)
    read = [*memory["seen"], *(path for path, tick in taken.ticks.items() if tick <= at)]
    unread = [path for path, tick in taken.ticks.items() if tick > at]
    return file_position(number, source.label, newer, read, unread)


def _what_is_left(states: Sequence[NewState]) -> Iterator[str]:
    numbered = [*enumerate(states, 1)]
    yield from windows_left((number, state.kind, state.length) for number, state in numbered)
    for number, state in numbered:
        op = state.node.op
        if isinstance(op, MapWithState) and op.timeout is not None:
            yield (
                f"#{number} {state.label}: the times at which its keys were updated; a timeout "
                "counts from the first batch of the rewritten job"
            )
