"""Stages without Spark: slots, windows and errors, at times of today."""

from __future__ import annotations

import operator
import pickle
import random
from functools import partial
from typing import Any

from dstream_compat import State
from dstream_compat.wire.frames import (
    ERROR,
    INITIAL,
    INTERVALS,
    RECORDS,
    Intervals,
    decode,
    decode_all,
    dumps,
    pack,
    pack_intervals,
    unpack,
)
from dstream_compat.worker.chain import Layout, Narrow, ToOutput, ToShuffle
from dstream_compat.worker.dict_state import DictState
from dstream_compat.worker.operators.hashing import key_hash, partition_pairs
from dstream_compat.worker.operators.map_with_state import MapWithState
from dstream_compat.worker.operators.reduce_window import ReduceByKeyAndWindow
from dstream_compat.worker.operators.update_state import UpdateStateByKey
from dstream_compat.worker.operators.window import Window
from dstream_compat.worker.stages import SlotStage, SourceStage

NOW = 1_800_000_000_000
LAYOUT = Layout((5, 9))


def records(node: int, tick: int, part: int, values: list[Any]) -> tuple[int, bytes]:
    return 0, pack(RECORDS, node, tick, (part,), dumps(values), count=len(values))


def clock_at(tick: int, zero: int = NOW) -> Intervals:
    return Intervals(tick - 1000, tick, zero, 1000)


def run_slots(
    stage: SlotStage, rows: list[tuple[int, bytes]], memories: list[DictState], clock: Intervals
) -> list[tuple[int, bytes]]:
    out: list[tuple[int, bytes]] = []
    for number, slot in enumerate(LAYOUT.slots):
        mine = [row for row in rows if row[0] == slot] + [(slot, pack_intervals(clock, number))]
        out += stage.process(mine, memories[number])
    return out


def test_window_of_a_window_at_todays_times() -> None:
    first, second = Window(2, 1, 1000, 1000, 2000), Window(3, 1, 1000, 1000, 2000)
    source = SourceStage(LAYOUT, {1: [ToShuffle(2, first, True)]}, last=False)
    stages = [
        SlotStage(LAYOUT, [first], {(2, 0): [ToShuffle(3, second, True)]}),
        SlotStage(LAYOUT, [second], {(3, 0): [ToOutput(3)]}),
    ]
    memories = [[DictState(), DictState()], [DictState(), DictState()]]
    seen = []
    for number in range(1, 5):
        tick = NOW + number * 1000
        clock = clock_at(tick)
        rows = [
            (0, pack_intervals(clock, 0)),
            records(1, tick, 0, [number]),
            records(1, tick, 1, [-number]),
        ]
        flow = list(source.process(rows))
        for stage, memory in zip(stages, memories, strict=True):
            flow = run_slots(stage, flow, memory, clock)
        frames = [unpack(data) for _, data in flow]
        seen.append(sorted(x for f in frames if f.kind == RECORDS for x in decode(f)))
    assert seen == [
        [-1, 1],
        [-2, -1, -1, 1, 1, 2],
        [-3, -2, -2, -1, 1, 2, 2, 3],
        [-4, -3, -3, -2, 2, 3, 3, 4],
    ]
    assert all(len(memory) <= 2 for pair in memories for memory in pair), "state is bounded"


def test_state_of_a_window_with_inverse_is_bounded() -> None:
    op = ReduceByKeyAndWindow(2, 2, 1000, 2000, operator.add, operator.sub, None, 10_000)
    stage = SlotStage(LAYOUT, [op], {(2, 0): [ToOutput(2)]})
    source = SourceStage(LAYOUT, {1: [ToShuffle(2, op)]}, last=False)
    memories = [DictState(), DictState()]
    for number in range(1, 61):
        tick = NOW + number * 1000
        rows = [(0, pack_intervals(clock_at(tick), 0)), records(1, tick, 0, [("a", 1), ("b", 1)])]
        out = run_slots(stage, list(source.process(rows)), memories, clock_at(tick))
    found = [f for _, data in out if (f := unpack(data)).kind == RECORDS and f.node == 2]
    assert sorted(decode_all(found)) == [("a", 10), ("b", 10)]
    assert all(len(memory) <= 14 for memory in memories)


def test_records_come_in_the_order_of_their_partitions() -> None:
    """Also if the rows of a shuffle come in another one, and those of a partition in pieces."""

    def last(key: str, value: int, state: State) -> None:
        state.update([*(state.getOption() or []), value])

    op = MapWithState(2, 1, 1000, 1000, last, False, None, key_hash)
    stage = SlotStage(LAYOUT, [op], {(2, 0): [ToOutput(2)]})
    rows = [
        (5, pack(RECORDS, 2, NOW + 1000, (src,), dumps([("k", 10 * src + seq)]), seq=seq, count=1))
        for src in range(12)
        for seq in range(10)
    ]
    for seed in range(20):
        random.Random(seed).shuffle(rows)
        memory = DictState()
        list(stage.process([*rows, (5, pack_intervals(clock_at(NOW + 1000), 0))], memory))
        [bucket] = [pickle.loads(v) for k, v in memory.items() if k.endswith("/0")]
        assert bucket == {"k": list(range(120))}


def test_a_function_that_reads_nothing_does_not_lose_the_rest() -> None:
    stage = SourceStage(
        LAYOUT, {1: [Narrow(lambda _, it: ["x"], [ToOutput(4)]), ToOutput(1)]}, last=True
    )
    out = [unpack(data) for _, data in stage.process([records(1, NOW, 0, [1, 2, 3])])]
    assert {frame.node: list(decode(frame)) for frame in out} == {4: ["x"], 1: [1, 2, 3]}


def test_errors_reach_every_slot_and_nothing_else() -> None:
    op = ReduceByKeyAndWindow(2, 2, 1000, 1000, operator.add, None, None, 2000)

    def fail(_: int, it: Any) -> Any:
        raise KeyError("k")

    consumers = [Narrow(fail, [ToShuffle(2, op), ToOutput(7)]), ToOutput(1)]
    out = list(SourceStage(LAYOUT, {1: consumers}, last=False).process([records(1, NOW, 0, [1])]))
    errors = [(slot, unpack(data).node) for slot, data in out if unpack(data).kind == ERROR]
    assert sorted(errors) == [(5, 2), (5, 7), (9, 2)]
    assert [unpack(data).node for _, data in out if unpack(data).kind == RECORDS] == [1]


def test_initial_pairs_are_cut_by_partition() -> None:
    """Of two states of a key the first one counts, however the frames come."""
    op = UpdateStateByKey(2, 3, 1000, 1000, lambda new, old: old)
    source = SourceStage(
        LAYOUT, {}, last=False, initial={2: partial(partition_pairs, partitions=3)}
    )
    stage = SlotStage(LAYOUT, [op], {(2, 0): [ToOutput(2)]})
    parts = [[(key, 100 * part + key) for key in range(part, 9)] for part in range(3)]
    frames = [
        (0, pack(INITIAL, 2, 0, (part,), dumps(pairs), count=len(pairs)))
        for part, pairs in enumerate(parts)
    ]
    for order in ([0, 1, 2], [2, 0, 1]):
        flow = [row for part in order for row in source.process([frames[part]])]
        memories = [DictState(), DictState()]
        out = run_slots(stage, flow, memories, clock_at(NOW + 1000))
        found = [f for _, data in out if (f := unpack(data)).kind == RECORDS and f.node == 2]
        assert sorted(decode_all(found)) == [(key, key) for key in range(9)]
        assert all(key % 3 == f.src[0] for f in found for key, _ in decode(f))


def test_every_slot_gets_one_clock() -> None:
    op = Window(2, 1, 1000, 1000, 1000)
    source = SourceStage(LAYOUT, {1: [ToShuffle(2, op, True)]}, last=False)
    rows = list(source.process([(0, pack_intervals(clock_at(NOW + 1000), 0))]))
    assert [(slot, unpack(data).kind, unpack(data).part) for slot, data in rows] == [
        (5, INTERVALS, 0),
        (9, INTERVALS, 1),
    ]
