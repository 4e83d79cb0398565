"""What does not fit into memory: the inbox of a slot and merging, without Spark."""

from __future__ import annotations

import errno
import itertools
import operator
import os
import random
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pyspark.shuffle
import pytest

from dstream_compat.wire.errors import WorkerLacksError
from dstream_compat.wire.frames import INITIAL, RECORDS, Frame, decode_all, dumps
from dstream_compat.worker import memory
from dstream_compat.worker.inbox import Inbox, StoredFrame, in_order
from dstream_compat.worker.memory import Watch
from dstream_compat.worker.operators import merging
from dstream_compat.worker.operators.hashing import partition_pairs
from dstream_compat.worker.operators.merging import (
    GroupsOnDisk,
    OnDisk,
    combine_pairs,
    merged_frames,
)
from dstream_compat.worker.spill import Copies, Extent, Pool, Spill
from tests.support.streaming.processes import run_python


def frame(payload: bytes, node: int = 2, tick: int = 1000, seq: int = 0, **fields: Any) -> Frame:
    return Frame(RECORDS, node, tick, 0, seq, 1, (0,), payload)._replace(**fields)


def files_in(folder: Path) -> list[str]:
    return sorted(str(path) for path in folder.rglob("*") if path.is_file())


@pytest.fixture
def local(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that Spark gives its workers."""
    monkeypatch.setenv("SPARK_LOCAL_DIRS", str(tmp_path))
    return tmp_path


@pytest.fixture
def always_full(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every look at the memory find more in use than before, at first."""
    used = itertools.chain((int(100 * 1.1**i) for i in range(30)), itertools.repeat(2000))
    monkeypatch.setattr(memory, "used_memory", lambda: next(used))
    monkeypatch.setattr(pyspark.shuffle, "get_used_memory", lambda: next(used))


def test_inbox_gives_frames_back_from_its_file(local: Path) -> None:
    dice = random.Random(1)
    frames = [
        frame(dice.randbytes(dice.randrange(1, 3000)), 2 + i % 2, 1000 * (i % 3), i)
        for i in range(300)
    ]
    inbox = Inbox(10_000)
    for each in frames:
        inbox.add(each)
    assert inbox
    assert files_in(local) == [], "the file has no name"
    for node, tick in ((2, 0), (3, 1000), (2, 2000)):
        mine = [each for each in frames if (each.node, each.tick) == (node, tick)]
        got = inbox.take(node, tick)
        assert [(g.seq, g.src, bytes(g.payload)) for g in got] == [
            (m.seq, m.src, m.payload) for m in mine
        ]
        assert inbox.take(node, tick) == []
    inbox.close()


def test_frames_on_disk_can_be_changed_like_others(local: Path) -> None:
    inbox = Inbox(10)
    inbox.add(frame(dumps([1, 2]), kind=INITIAL, count=2))
    inbox.add(frame(dumps([3])))
    (first,) = inbox.of_kind(2, INITIAL)
    assert list(decode_all([first._replace(tick=5000), *inbox.take(2, 1000)])) == [1, 2, 1, 2, 3]
    changed = first._replace(payload=b"new")
    assert (changed.payload, first._replace(tick=7).tick) == (b"new", 7)
    assert Frame(*tuple(first._replace(payload=bytes(first.payload)))).payload == dumps([1, 2])
    inbox.close()


def test_a_damaged_inbox_is_an_error(local: Path) -> None:
    inbox = Inbox(10)
    inbox.add(frame(b"x" * 100))
    (stored,) = inbox.take(2, 1000)
    file = inbox._spill._file
    assert file is not None
    os.truncate(file, 50)
    with pytest.raises(WorkerLacksError, match="50 of 100 bytes"):
        stored.payload  # noqa: B018
    inbox.close()


@pytest.mark.parametrize("memory", [0, 1])
def test_frames_in_any_order(local: Path, memory: int) -> None:
    dice = random.Random(2)
    frames = [frame(dice.randbytes(5000), seq=seq) for seq in range(1000)]
    shuffled = dice.sample(frames, len(frames))
    found = list(in_order(shuffled, memory))
    assert [f.seq for f in found] == [f.seq for f in frames]
    assert list(in_order([], memory)) == []


def test_frames_in_order_are_read_one_by_one(local: Path) -> None:
    dice = random.Random(3)
    frames = [frame(dice.randbytes(50_000), seq=seq) for seq in range(400)]
    stored = 0
    for found, each in zip(in_order(iter(reversed(frames)), 4), frames, strict=True):
        assert bytes(found.payload) == each.payload
        stored += isinstance(found, StoredFrame)
    assert stored > 370, "at most a megabyte is held"


def test_small_inboxes_make_no_file(local: Path) -> None:
    inbox = Inbox(1000)
    inbox.add(frame(b"x" * 1000))
    assert inbox._spill._file is None
    inbox.close()


def test_copies_are_read_again_and_again(local: Path) -> None:
    payloads = [bytes([n]) * size for n, size in enumerate((10, 20, 0, 300, 5))]
    copies = Copies(Pool(40))
    copies.keep(iter(payloads))
    held = [payload for payload in copies._payloads if isinstance(payload, bytes)]
    assert sum(map(len, held)) <= 40 and len(held) == 4
    assert files_in(local) == [], "the file has no name"
    for _ in range(3):
        assert list(copies) == payloads
    copies.close()
    copies.close()


def test_few_copies_make_no_file() -> None:
    copies = Copies(Pool(40))
    copies.keep([b"x" * 40])
    assert copies._spill._file is None
    assert list(copies) == [b"x" * 40]
    copies.close()


def test_copies_of_copies_share_what_a_task_may_hold(local: Path) -> None:
    pool = Pool(100)
    outer, inner = Copies(pool), Copies(pool)
    outer.keep([b"x" * 60])
    inner.keep([b"y" * 60, b"z" * 40])
    assert [type(payload) for payload in inner._payloads] == [Extent, bytes]
    assert list(inner) == [b"y" * 60, b"z" * 40]
    inner.close()
    inner.close()
    assert pool.left == 40
    outer.close()
    assert pool.left == 100


def test_what_the_system_reads_in_pieces_is_whole(
    local: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pread = os.pread
    monkeypatch.setattr(os, "pread", lambda file, size, at: pread(file, min(size, 7), at))
    spill = Spill()
    places = [spill.write(data) for data in (b"a" * 30, b"", b"b" * 7)]
    assert [place.read() for place in places] == [b"a" * 30, b"", b"b" * 7]
    spill.close()


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.ENOENT, errno.EACCES, errno.ESTALE])
def test_what_a_disk_does_not_take_is_no_error_of_the_job(
    local: Path, monkeypatch: pytest.MonkeyPatch, error: int
) -> None:
    """As an error of user code, it would stay in the state."""

    def refuse(*_: Any, **__: Any) -> Any:
        raise OSError(error, os.strerror(error))

    spill = Spill()
    place = spill.write(b"x" * 10)
    monkeypatch.setattr(os, "write", refuse)
    monkeypatch.setattr(os, "pread", refuse)
    monkeypatch.setattr(tempfile, "mkstemp", refuse)
    for use in (lambda: spill.write(b"y"), place.read, lambda: Spill().write(b"z")):
        with pytest.raises(WorkerLacksError, match=os.strerror(error)):
            use()
    spill.close()


PAIRS = [(f"k{i % 700}", i) for i in range(20_000)]


def combined() -> list[Frame]:
    """Return frames as the map side of a groupByKey makes them."""
    chunks = [PAIRS[i : i + 500] for i in range(0, len(PAIRS), 500)]
    return [
        frame(dumps([(key, [value]) for key, value in chunk]), seq=seq)
        for seq, chunk in enumerate(chunks)
    ]


def groups(pairs: Any) -> dict[str, list[int]]:
    return {key: sorted(values) for key, values in pairs}


@pytest.mark.parametrize("external", [OnDisk, GroupsOnDisk])
@pytest.mark.parametrize("broken", ["make", "write to"])
def test_merging_without_a_disk_is_no_error_of_the_job(
    local: Path,
    always_full: None,
    monkeypatch: pytest.MonkeyPatch,
    broken: str,
    external: type[OnDisk],
) -> None:
    def no_folder(*_: Any, **__: Any) -> str:
        path = local / "a file"
        path.touch()
        return str(path)

    if broken == "make":
        monkeypatch.setenv("SPARK_LOCAL_DIRS", str(local / "gone"))
    else:
        monkeypatch.setattr(tempfile, "mkdtemp", no_folder)
        monkeypatch.setattr(shutil, "rmtree", os.remove)
    with (
        pytest.raises(WorkerLacksError, match=f"could not {broken} a file"),
        merged_frames(combined(), operator.add, 1, external) as merged,
    ):
        dict(merged)


@pytest.mark.slow
def test_merging_in_memory_and_on_disk_is_the_same(local: Path, always_full: None) -> None:
    expected: dict[str, list[int]] = {}
    for key, value in PAIRS:
        expected.setdefault(key, []).append(value)
    with merged_frames(combined(), operator.add, 1, GroupsOnDisk) as merged:
        assert files_in(local), "it is on disk"
        assert groups(merged) == expected
    assert files_in(local) == []
    totals = [frame(dumps(chunk)) for chunk in (PAIRS[:9000], PAIRS[9000:])]
    with merged_frames(totals, operator.add, 1, OnDisk) as merged:
        assert dict(merged) == {key: sum(values) for key, values in expected.items()}
    assert files_in(local) == []


@pytest.mark.slow
def test_merging_leaves_no_files_when_nobody_reads_to_the_end(
    local: Path, always_full: None
) -> None:
    with merged_frames(combined(), operator.add, 1, GroupsOnDisk) as merged:
        assert files_in(local)
        next(iter(merged))
    assert files_in(local) == []
    with pytest.raises(KeyError), merged_frames(combined(), operator.add, 1, GroupsOnDisk):
        raise KeyError("of the consumer")
    assert files_in(local) == []


def test_merging_small_frames_writes_nothing(local: Path) -> None:
    with merged_frames(combined(), operator.add, 1 << 20, GroupsOnDisk) as merged:
        assert len(dict(merged)) == 700
        assert files_in(local) == []


def copies(held: Iterator[Iterable[tuple[Any, Any]]]) -> list[dict[Any, Any]]:
    """Return what the map side held each time, which it takes back afterwards."""
    return [dict(each) for each in held]


@pytest.mark.slow
def test_map_side_sends_large_values_on(always_full: None) -> None:
    held = copies(combine_pairs(PAIRS, lambda v: [v], lambda vs, v: [*vs, v], 1))
    assert len(held) > 10
    together = Counter(value for part in held for values in part.values() for value in values)
    assert together == Counter(value for _, value in PAIRS)


def test_map_side_combines_everything_that_fits() -> None:
    held = copies(combine_pairs(PAIRS, lambda v: 1, lambda n, v: n + 1, 1 << 20))
    assert len(held) == 1
    assert sum(held[0].values()) == len(PAIRS)
    assert copies(combine_pairs([], lambda v: 1, operator.add, 1)) == [{}]


@pytest.mark.slow
def test_map_side_is_limited_in_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(merging, "_HELD_KEYS", 1000)
    held = copies(combine_pairs(((i, i) for i in range(50_000)), abs, max, 1 << 20))
    assert max(map(len, held)) <= 1000 + merging._LAST_LOOK
    assert {key for part in held for key in part} == set(range(50_000))


def test_large_records_are_shuffled_in_small_chunks() -> None:
    pulled = 0

    def records() -> Iterator[tuple[int, bytes]]:
        nonlocal pulled
        for i in range(400):
            pulled += 1
            yield i, bytes(200_000)

    most = 0
    for number, (_, _, payload) in enumerate(partition_pairs(records(), 1)):
        most = max(most, len(payload)) if number > 5 else 0
    assert pulled == 400
    assert most < 4 << 20
    sizes = [count for _, count, _ in partition_pairs(((i, i) for i in range(100_000)), 1)]
    assert sum(sizes) == 100_000
    assert max(sizes) == 10_000


@pytest.mark.slow
def test_limit_follows_what_cannot_be_released(monkeypatch: pytest.MonkeyPatch) -> None:
    used = 100
    monkeypatch.setattr(memory, "used_memory", lambda: used)
    watch = Watch(512)
    assert not watch.is_exceeded()
    used = 512
    assert watch.is_exceeded()
    watch.begin_anew()
    assert not watch.is_exceeded()
    used = 538
    assert watch.is_exceeded()
    assert Watch(512).limit == 538 * 1.05


@pytest.mark.slow
def test_used_memory_is_that_of_this_process() -> None:
    code = """if True:
        import pyspark.shuffle
        from dstream_compat.worker import memory
        before = memory.used_memory()
        spark = pyspark.shuffle.get_used_memory()
        block = bytearray(b"x" * (64 << 20))
        print(before, spark, memory.used_memory())
    """
    before, spark, after = map(float, run_python("-c", code).out.split())
    assert before == pytest.approx(spark, rel=0.2)
    assert 50 < after - before < 80
