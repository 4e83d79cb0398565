"""mapWithState's operator without Spark: against a plain model, and what it reads and writes."""

from __future__ import annotations

import pickle
import random
from array import array
from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple
from zlib import crc32

import pytest

from dstream_compat import State
from dstream_compat.wire.frames import RECORDS, Frame, Intervals, dumps
from dstream_compat.worker.operators import map_with_state
from dstream_compat.worker.operators.base import MAIN, SNAPSHOTS, Context
from dstream_compat.worker.operators.buckets import origin, place
from dstream_compat.worker.operators.hashing import key_hash
from dstream_compat.worker.operators.map_with_state import MapWithState
from dstream_compat.worker.pickling import SmallPickler
from tests.support.streaming.counting import Counting

ZERO = 1_800_000_000_000
Pair = tuple[Any, Any]
Function = Callable[[Any, Any, State], Any]


def frame(pairs: Sequence[Pair], part: int, tick: int) -> Frame:
    return Frame(RECORDS, 2, tick, part, 0, len(pairs), (0,), dumps(list(pairs)))


def by_part(pairs: Sequence[Pair], parts: int) -> dict[int, list[Pair]]:
    found: dict[int, list[Pair]] = {}
    for pair in pairs:
        found.setdefault(key_hash(pair[0]) % parts, []).append(pair)
    return found


def operator(function: Function, parts: int = 1, timeout: int | None = None, **options: Any) -> Any:
    return MapWithState(2, parts, 1000, 1000, function, False, timeout, key_hash, **options)


class Ran(NamedTuple):
    emitted: dict[int, list[Any]]
    states: dict[int, dict[Any, Any]]


def run(op: MapWithState, state: Counting, number: int, pairs: Sequence[Pair]) -> Ran:
    """Run one batch in one slot; returns what each partition emitted and stores."""
    tick = ZERO + 1000 * number
    frames = [
        frame(group[i : i + 100], part, tick)
        for part, group in by_part(pairs, op.partitions).items()
        for i in range(0, len(group), 100)
    ]
    clock = Intervals(tick - 1000, tick, ZERO, 1000)
    ran, at = Ran({}, {}), Context(tick, 0, clock, state, 1)
    for port, (part,), records in op.run(at, frames, None):
        if port == MAIN:
            ran.emitted[part] = list(records)
        elif port == SNAPSHOTS:
            ran.states[part] = dict(records)
    return ran


def fill(op: MapWithState, state: Counting, pairs: Sequence[Pair]) -> None:
    frames = [
        frame(group, part, ZERO + 1000) for part, group in by_part(pairs, op.partitions).items()
    ]
    op.load_initial(frames, state)
    state.forget()


def total(key: Any, value: Any, state: State) -> Any:
    if state.isTimingOut():
        return "out", key, state.get()
    state.update((state.getOption() or 0) + value)
    return key, state.get()


def play(key: Any, value: Any, state: State) -> Any:
    if state.isTimingOut():
        return "out", key, state.get()
    if value % 7 == 0 and state.exists():
        gone = state.get()
        state.remove()
        return "removed", key, gone
    if value % 5 == 0:
        return "read", key, state.getOption()
    return total(key, value, state)


def model(
    store: dict[Any, tuple[int, int]], pairs: Sequence[Pair], tick: int, timeout: int | None
) -> tuple[list[Any], set[Any]]:
    """Do in a dict what ``play`` does; returns what data emits, and what times out."""
    emitted: list[Any] = []
    for key, value in pairs:
        old = store[key][0] if key in store else None
        if value % 7 == 0 and old is not None:
            emitted.append(("removed", key, old))
            del store[key]
        elif value % 5 == 0:
            emitted.append(("read", key, old))
            if old is not None and timeout is not None:
                store[key] = (old, tick)
        else:
            store[key] = ((old or 0) + value, tick)
            emitted.append((key, store[key][0]))
    late = {k for k, (_, at) in store.items() if timeout is not None and at < tick - timeout}
    return emitted, {("out", key, store.pop(key)[0]) for key in late}


KEYS: list[Callable[[int], Hashable]] = [
    lambda i: i * 1024,
    lambda i: f"k{i}",
    lambda i: (i, str(i)),
    lambda i: i / 1024,
]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_equals_a_plain_dict(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONHASHSEED", "0")  # else Spark refuses to hash tuples
    dice = random.Random(seed)
    monkeypatch.setattr(map_with_state, "_BUCKET_BYTES", dice.choice([30, 100, 512]))
    monkeypatch.setattr(map_with_state, "_SNAPSHOT_BUCKET_BYTES", dice.choice([30, 100, 512]))
    timeout = dice.choice([None, None, 1000, 3000, 10_000])
    parts, keys, make = dice.choice([1, 2, 3]), dice.choice([5, 50, 2000]), dice.choice(KEYS)
    op, state = operator(play, parts, timeout, snapshots=True), Counting()
    start = [(make(i), i) for i in range(dice.choice([0, keys]))]
    fill(op, state, start)
    stores = [
        {k: (v, ZERO + 1000) for k, v in by_part(start, parts).get(p, [])} for p in range(parts)
    ]
    for number in range(1, dice.randrange(5, 40)):
        many = dice.choice([0, 0, 3, 300, 3000])
        pairs = [(make(dice.randrange(keys)), dice.randrange(1, 50)) for _ in range(many)]
        ran = run(op, state, number, pairs)
        for part, store in enumerate(stores):
            mine = by_part(pairs, parts).get(part, [])
            emitted, late = model(store, mine, ZERO + 1000 * number, timeout)
            assert ran.emitted[part][: len(emitted)] == emitted
            assert set(ran.emitted[part][len(emitted) :]) == late
            assert len(ran.emitted[part]) == len(emitted) + len(late)
            assert ran.states[part] == {key: value for key, (value, _) in store.items()}


@pytest.mark.slow
def test_cost_follows_the_keys_touched(monkeypatch: pytest.MonkeyPatch) -> None:
    # the same in every process, as the sizes of buckets depend on it
    monkeypatch.setattr(map_with_state, "key_hash", lambda key: crc32(key.encode()))
    written, calls = [], []
    for stored in (5_000, 200_000):
        op, state = operator(total), Counting()
        fill(op, state, [(f"key-{i}", 1) for i in range(stored)])
        pairs = [(f"key-{i * 17}", 1) for i in range(100)]
        run(op, state, 1, pairs)  # may still split some buckets
        state.forget()
        assert run(op, state, 2, pairs).emitted[0][-1] == ("key-1683", 3)
        written.append(sum(map(len, filter(None, state.wrote.values()))))
        calls.append(len(state.read) + len(state.wrote))
    assert written[1] < 2 * written[0]
    assert calls[1] < 2 * calls[0]
    assert calls[1] < 250, "one read and one write for each key at most"


def test_a_batch_without_data_writes_nothing() -> None:
    for timeout in (None, 3_600_000):
        op, state = operator(total, timeout=timeout), Counting()
        fill(op, state, [(f"key-{i}", 1) for i in range(5_000)])
        run(op, state, 1, [])  # may still split some buckets
        state.forget()
        assert run(op, state, 2, []).emitted == {0: []}
        assert state.wrote == {}
        assert len(state.read) <= 4


def test_reading_a_state_does_not_write_it() -> None:
    op, state = operator(lambda key, value, state: state.getOption()), Counting()
    fill(op, state, [("a", [1]), ("b", [2])])
    assert run(op, state, 1, [("a", 0), ("c", 0)]).emitted[0] == [[1], None]
    assert state.wrote == {}


def test_a_state_changed_in_place_is_kept() -> None:
    op, state = operator(lambda key, value, state: state.get().append(value)), Counting()
    fill(op, state, [("a", [1])])
    run(op, state, 1, [("a", 2)])
    assert dict(op._open(state, 0).items()) == {"a": [1, 2]}


def test_timeouts_look_only_at_what_may_be_due() -> None:
    op, state = operator(total, timeout=5000), Counting()
    fill(op, state, [(i, 1) for i in range(20_000)])
    hot = [(i, 1) for i in range(50)]
    for number in range(1, 7):
        state.forget()
        assert len(run(op, state, number, hot).emitted[0]) == 50
        assert len(state.read) < 150
    gone = run(op, state, 7, hot).emitted[0][50:]
    assert sorted(key for _, key, _ in gone) == list(range(50, 20_000))
    for number in range(8, 40):
        assert len(run(op, state, number, hot).emitted[0]) == 50
    assert len(state.values) < 100, "the buckets of keys that are gone are gone"
    assert run(op, state, 44, []).emitted[0] == [], "not later than the last touch plus timeout"
    assert sorted(key for _, key, _ in run(op, state, 45, []).emitted[0]) == list(range(50))


def test_initial_state_is_as_old_as_the_first_batch() -> None:
    op, state = operator(total, timeout=2000), Counting()
    fill(op, state, [("a", 1)])
    assert [run(op, state, n, []).emitted[0] for n in (1, 2, 3)] == [[], [], []]
    assert run(op, state, 4, []).emitted[0] == [("out", "a", 1)]


def test_every_key_has_one_bucket_however_many_there_are() -> None:
    for buckets in range(1, 70):
        for hashed in (0, 1, -1, 12345, 1 << 60, hash("x")):
            assert 0 <= place(hashed, buckets) < buckets
            assert place(hashed, buckets) == origin(place(hashed, 1 << 20), buckets)
    for step in (1, 1 << 10, 1 << 40):
        used = {place(i * step, 64) for i in range(640)}
        assert len(used) > 55, "hashes that share their low bits are spread"


def local_class() -> Any:
    class Visits(NamedTuple):
        count: int
        last: str

    return Visits


def test_keys_whose_hash_changes() -> None:
    """A NaN's does whenever it is unpickled: it stays where it is, and harms no other key."""
    op, state = operator(total), Counting()
    for number in range(1, 60):
        pairs: list[Pair] = [(float("nan"), 1), *((f"{number}-{i}", 1) for i in range(20))]
        emitted = run(op, state, number, pairs).emitted[0]
        assert [value for _, value in emitted] == [1] * 21
    again = [(f"{number}-{i}", 1) for number in range(1, 60) for i in range(20)]
    assert [value for _, value in run(op, state, 60, again).emitted[0]] == [2] * len(again)


def test_class_definitions_are_stored_once() -> None:
    visits = local_class()

    def count(key: str, value: int, state: State) -> Any:
        old = state.getOption()
        state.update(visits(value + (old.count if old else 0), key))
        return state.get()

    op, state = operator(count), Counting()
    pairs = [(f"key-{i}", 1) for i in range(1000)]
    run(op, state, 1, pairs)
    assert len(state.values) > 20
    assert sum(b"Visits" in value for value in state.values.values()) == 1
    got = run(op, state, 2, pairs).emitted[0]
    assert got == [visits(2, key) for key, _ in pairs]
    assert all(type(record) is visits for record in got)


def test_small_pickler() -> None:
    visits = local_class()
    pickler = SmallPickler({})
    values: list[Any] = [
        {},
        {"a": visits(1, "x"), "b": visits(2, "y")},
        {1: array("q", [1]), 2: int, 3: type(None), 4: Hashable},
        {"large": list(range(100_000))},
        {"after": (1, 2)},
        visits,
    ]
    assert [pickle.loads(pickler.dumps(value)) for value in values] == values
    assert len(pickler.definitions) == 1
    assert b"Visits" not in pickler.dumps(values[1])
    again = SmallPickler(dict(pickler.definitions))
    assert again.dumps(values[1]) == pickler.dumps(values[1])
    assert not again.has_grown
    assert pickle.loads(SmallPickler({}).dumps(lambda x: x + 1))(1) == 2
