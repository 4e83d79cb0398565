"""State that is moved to other slots, and by other hashes: batches go on as if nothing had been."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from dstream_compat.state import State
from dstream_compat.wire.byte_code import has_byte_code
from dstream_compat.wire.frames import RECORDS, Frame, Intervals, dump_records, dumps
from dstream_compat.worker.dict_state import DictState
from dstream_compat.worker.operators.base import Context, SlotOp, UpstreamError
from dstream_compat.worker.operators.hashing import key_hash
from dstream_compat.worker.operators.kept_batches import KeptBatches
from dstream_compat.worker.operators.map_with_state import MapWithState
from dstream_compat.worker.operators.moved_keys import MovedKeyError
from dstream_compat.worker.operators.reduce_window import ReduceByKeyAndWindow
from dstream_compat.worker.operators.update_state import UpdateStateByKey
from dstream_compat.worker.operators.window import Window
from dstream_compat.worker.rescaled_state import Move, arrive, leave, without_functions

PARTITIONS = 5
BATCHES = 12


class Word:
    """A key whose hash can be changed, as those of strings are by PYTHONHASHSEED."""

    salt = 0

    def __init__(self, text: str) -> None:
        self.text = text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Word) and other.text == self.text

    def __hash__(self) -> int:
        return hash((Word.salt, sum(self.text.encode()) * 7919))

    def __repr__(self) -> str:
        return self.text


def total(new: list[int], old: int | None) -> int | None:
    return (sum(new) + (old or 0)) or None


def track(key: Word, value: int | None, state: State) -> tuple[str, int, bool]:
    if state.isTimingOut():
        return key.text, state.get(), True
    state.update((state.getOption() or 0) + (value or 0))
    return key.text, state.get(), False


def add(a: int, b: int) -> int:
    return a + b


def subtract(a: int, b: int) -> int:
    return a - b


OPERATORS = {
    "updateStateByKey": UpdateStateByKey(1, PARTITIONS, 1, 1, total, number=3),
    "mapWithState": MapWithState(1, PARTITIONS, 1, 1, track, False, None, key_hash, number=3),
    "timeout": MapWithState(1, PARTITIONS, 1, 1, track, False, 3, key_hash, number=3),
    "snapshots": MapWithState(1, PARTITIONS, 1, 1, track, False, 4, key_hash, True, number=3),
    "inverse": ReduceByKeyAndWindow(1, PARTITIONS, 1, 1, add, subtract, None, 5, number=3),
    "reduced": ReduceByKeyAndWindow(1, PARTITIONS, 1, 1, add, None, None, 4, number=3),
    "window": Window(1, 1, 1, 1, 4, True, number=3),
}


def records(tick: int) -> list[tuple[Word, int]]:
    return [(Word(f"w{n % (7 + tick * 3)}"), n) for n in range(tick % 4 * 20)]


class Job:
    """One operator with its state in some slots."""

    def __init__(self, op: SlotOp, slots: int) -> None:
        self.op = op
        self.states = [DictState() for _ in range(slots)]

    def batch(self, tick: int, pairs: Sequence[tuple[Word, int]]) -> list[Any]:
        """Return what comes of a batch: its records, and for windows their partitions."""
        frames: list[list[Frame]] = [[] for _ in self.states]
        if self.op.by_partition:
            for part in range(PARTITIONS):
                mine = [pair for pair in pairs if key_hash(pair[0]) % PARTITIONS == part]
                data = dump_records(mine)
                frame = Frame(RECORDS, 1, tick, 0, 0, len(mine), (part,), data)
                frames[part % len(frames)].append(frame)
        else:
            for part, count, data in self.op.write(pairs):
                frame = Frame(RECORDS, 1, tick, part, 0, count, (0,), data)
                frames[part % len(frames)].append(frame)
        found = []
        for slot, state in enumerate(self.states):
            at = Context(tick, slot, Intervals(tick - 1, tick, 0, 1), state, len(self.states))
            for port, src, made in self.op.run(at, frames[slot], None):
                for record in made:
                    if self.op.by_partition:
                        assert src == (key_hash(record[0]) % PARTITIONS,)
                    found.append((port, *map(str, record)))
        return sorted(found)

    def move(self, slots: int, rehash: bool, other_python: bool = False) -> int:
        """Move the state; returns how many entries have changed their places."""
        number = self.op.number
        windows = {}
        if self.op.by_partition:
            windows[number] = (PARTITIONS, key_hash) if rehash else None
        keyed = {number: without_functions(self.op)} if rehash and not windows else {}
        move = Move(range(slots), windows, keyed, other_python)
        old = ([(slot, *item) for item in s.items()] for slot, s in enumerate(self.states))
        left = [row for rows in old for row in leave(rows, move)]
        self.states = [DictState() for _ in range(slots)]
        for slot, state in enumerate(self.states):
            mine = sorted((row for row in left if row.slot == slot), key=lambda row: row.name)
            for row in arrive(mine, move.keyed):
                assert row.slot == slot and row.name not in state
                state[row.name] = row.value
        return sum(row.keys for row in left)


@pytest.fixture(autouse=True)
def hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONHASHSEED", "0")  # else Spark refuses to hash what is no plain key
    monkeypatch.setattr(Word, "salt", 0)


@pytest.fixture(params=OPERATORS)
def op(request: pytest.FixtureRequest) -> SlotOp:
    found: SlotOp = OPERATORS[request.param]
    return found


@pytest.mark.parametrize("at", [1, 4, 7])
@pytest.mark.parametrize("slots", [1, 2, 7])
def test_batches_go_on_after_other_hashes(op: SlotOp, at: int, slots: int) -> None:
    calm, job = Job(op, 2), Job(op, 2)
    for tick in range(1, BATCHES + 1):
        expected = calm.batch(tick, records(tick))
        assert job.batch(tick, records(tick)) == expected
        if tick == at:
            break
    expected = [calm.batch(tick, records(tick)) for tick in range(at + 1, BATCHES + 1)]
    Word.salt = 1
    assert job.move(slots, rehash=True) > 0
    assert [job.batch(tick, records(tick)) for tick in range(at + 1, BATCHES + 1)] == expected


@pytest.mark.parametrize("name", sorted(OPERATORS.keys() - {"window"}))
def test_state_is_lost_without_it(name: str) -> None:
    """What the test above tests is there to be tested; ``Job`` checks the partitions of windows."""
    op: Any = OPERATORS[name]
    calm, job = Job(op, 2), Job(op, 2)
    for tick in (1, 2, 3):
        assert calm.batch(tick, records(tick)) == job.batch(tick, records(tick))
    expected = calm.batch(4, records(3))
    Word.salt = 1
    job.move(2, rehash=False)
    assert job.batch(4, records(3)) != expected


def test_nothing_moves_with_the_same_hashes(op: SlotOp) -> None:
    job = Job(op, 2)
    for tick in (1, 2, 3, 4, 5):
        job.batch(tick, records(tick))
    assert job.move(2, rehash=True) == 0


@pytest.mark.slow
def test_states_in_many_buckets() -> None:
    op = OPERATORS["timeout"]
    calm, job = Job(op, 2), Job(op, 2)
    many = [(Word(f"key {n}"), n) for n in range(3000)]
    assert calm.batch(1, many) == job.batch(1, many)
    assert calm.batch(2, many[:10]) == job.batch(2, many[:10])
    later = [calm.batch(tick, []) for tick in (3, 4, 5, 6)]
    Word.salt = 1
    assert job.move(3, rehash=True) > 2000
    assert [job.batch(tick, []) for tick in (3, 4, 5, 6)] == later
    assert sum(map(len, later)) == 3000, "all have timed out"


@pytest.mark.parametrize("name", ["updateStateByKey", "mapWithState", "inverse", "reduced"])
def test_what_has_failed_stays_so(name: str) -> None:
    """Which keys a failed partition would have had is not known: all partitions fail then."""

    def fail(*_: Any) -> Any:
        raise ValueError("of the user")

    good: Any = OPERATORS[name]
    functions = {"updateStateByKey": "update", "mapWithState": "function"}
    bad = replace(good, **{functions.get(name, "func"): fail})
    job = Job(good, 1)
    job.batch(1, records(1))
    job.op = bad
    pair = [(Word("one"), 1), (Word("one"), 2)]
    payload = b""
    try:
        job.batch(2, pair)
    except UpstreamError as error:
        payload = error.payload
    except ValueError:  # raised while the pairs were combined, before the shuffle
        at = Context(2, 0, Intervals(1, 2, 0, 1), job.states[0], 1)
        with pytest.raises(UpstreamError) as failed:
            list(bad.run(at, [], captured()))
        payload = failed.value.payload
    assert payload
    job.op = good
    Word.salt = 1
    job.move(1, rehash=True)
    with pytest.raises(UpstreamError):
        job.batch(3, records(3))


def captured() -> bytes:
    from dstream_compat.wire import errors

    return errors.dump(errors.capture(ValueError("of the user")))


def test_a_key_with_two_states_is_refused() -> None:
    job = Job(OPERATORS["updateStateByKey"], 1)
    job.batch(1, [(Word("a"), 1)])
    first = dict(job.states[0])
    Word.salt = 5
    job.states[0].clear()
    job.batch(1, [(Word("a"), 2)])
    assert first.keys().isdisjoint(job.states[0])
    job.states[0].update(first)
    with pytest.raises(MovedKeyError, match=r"the key a has two states.*by hand"):
        job.move(1, rehash=True)


def test_objects_with_code_of_another_python_are_refused() -> None:
    job = Job(OPERATORS["updateStateByKey"], 1)
    job.batch(1, [(Word("a"), 1)])
    job.states[0]["3/0/0"] = dump_records({"key": lambda: None})
    with pytest.raises(MovedKeyError, match="byte code of the Python that wrote them"):
        job.move(1, rehash=True, other_python=True)


@pytest.mark.parametrize("rehash", [True, False])
def test_windows_with_code_of_another_python(rehash: bool) -> None:
    job = Job(OPERATORS["window"], 1)
    frame = Frame(RECORDS, 1, 1, 0, 0, 1, (0,), dump_records([(1, lambda: None)]))
    KeptBatches(job.states[0], 3).put(1, [frame], None)
    if rehash:  # keys are loaded
        with pytest.raises(MovedKeyError, match="byte code of the Python that wrote them"):
            job.move(2, rehash, other_python=True)
    else:
        assert job.move(2, rehash, other_python=True) == 0
        assert job.states[0].keys() == {"3/1"}


@pytest.mark.parametrize("name", sorted(OPERATORS.keys() - {"window"}))
def test_operators_move_without_their_functions(name: str) -> None:
    """The byte code of another Python cannot be pickled again."""
    good: Any = OPERATORS[name]
    names = {"update", "function", "func", "inverse"} & vars(good).keys()
    op = without_functions(replace(good, **dict.fromkeys(names, lambda *_: None)))
    assert not has_byte_code(dumps(op))
    assert getattr(op, "partition_of", key_hash) is key_hash and op.number == good.number


def test_errors_and_empty_partitions_of_windows_stay() -> None:
    state = DictState()
    empty = [Frame(RECORDS, 1, 1, 0, 0, 0, (part,), b"") for part in range(3)]
    KeptBatches(state, 3).put(1, empty, None)
    KeptBatches(state, 3).put(2, [], captured())
    move = Move([0], {3: (3, key_hash)})
    rows = [(0, name, value) for name, value in state.items()]
    moved = DictState()
    for row in arrive(sorted(leave(rows, move), key=lambda row: row.name), {}):
        moved[row.name] = row.value
    batches = dict(KeptBatches(moved, 3).get([1, 2]))
    assert [src for src, _ in batches[1].partitions()] == [(0,), (1,), (2,)]
    assert batches[1].error is None and batches[2].error is not None
