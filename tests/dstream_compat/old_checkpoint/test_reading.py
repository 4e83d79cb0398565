"""What checkpoints of PySpark 3.5.9 say, whatever codec they were written with."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from dstream_compat.old_checkpoint import content
from dstream_compat.old_checkpoint.folder import read_checkpoint
from dstream_compat.old_checkpoint.pickled_states import records
from dstream_compat.old_checkpoint.received_log import logged_blocks
from dstream_compat.old_checkpoint.taking_over import lost_input
from tests.dstream_compat.old_checkpoint.conftest import FIXTURES
from tests.support.old_engine.running import expected


@pytest.mark.parametrize("codec", ["lz4", "lzf", "snappy", "zstd"])
def test_all_of_a_checkpoint(codec: str) -> None:
    old = read_checkpoint(None, str(FIXTURES / codec))
    said = old.content
    assert (old.file, old.unread) == ("checkpoint-5000", [])
    assert (said.app, said.master, said.interval) == ("an old job", "local[2]", 1000)
    assert (said.zero, said.last, list(said.pending)) == (0, 5000, [5000])
    assert said.scala.startswith("2.11 or 2.12")
    assert said.conf["spark.io.compression.codec"] == codec
    assert said.last_saved_batch() == 4000

    assert [state.kind for state in said.states] == [content.UPDATE] * 3 + [content.REDUCE]
    assert (said.states[3].length, said.states[3].slide) == (5000, 1000)
    (source,) = said.sources
    folder = f"/tmp/old-job/{codec}/in"
    assert (source.kind, source.folder) == (content.FILES, folder)
    assert source.files == {t * 1000: [f"file:{folder}/part-{t}"] for t in range(1, 6)}

    for state, name in zip(said.states, ("sums", "pairs", "tallies", "window"), strict=True):
        pairs = [pair for data in old.pickles(state, 4000) for pair in records(data)]
        if name == "tallies":
            pairs = [(word, [tally.words, tally.batches]) for word, tally in pairs]
        elif name == "pairs":
            pairs = [(word, list(counts)) for word, counts in pairs]
        assert sorted(map(list, pairs)) == expected(name, 4), name


def test_a_pickle_is_loaded_only_when_asked_for(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(data: bytes) -> None:
        pytest.fail("a pickle was loaded")

    monkeypatch.setattr(pickle, "loads", refuse)
    found = read_checkpoint(None, str(old))
    assert all(list(found.pickles(state, 4000)) for state in found.content.states)


def saved(pending: list[int], *folders: dict[int, str]) -> int:
    states = [
        content.OldState(number, content.UPDATE, each) for number, each in enumerate(folders, 1)
    ]
    return content.Content("", "", "", 10, 100, 180, pending, {}, [], states).last_saved_batch()


def test_the_batch_as_of_which_all_states_are_saved() -> None:
    assert saved([], {150: "a"}, {150: "b"}) == 150
    assert saved([], {140: "a", 150: "b"}, {140: "c"}) == 140
    assert saved([150, 160], {140: "a", 150: "b"}, {140: "c", 150: "d"}) == 140
    assert saved([150, 160], {150: "b"}, {150: "d"}) == 150
    assert saved([], {}, {}) == 100
    with pytest.raises(ValueError, match="no batch has all states saved"):
        saved([], {150: "a"}, {140: "b"})
    with pytest.raises(ValueError, match="no batch has all states saved"):
        saved([], {150: "a"}, {})


def test_without_state_it_is_the_last_that_completed() -> None:
    assert saved([]) == 180
    assert saved([180]) == 170
    assert saved([120, 170, 180]) == 160
    assert saved(list(range(110, 190, 10))) == 100


def test_batches_wait_behind_the_one_that_the_checkpoint_is_of(tmp_path: Path) -> None:
    """Spark wrote it when the second batch had completed, and three more were made already."""
    old = read_checkpoint(None, str(FIXTURES / "lagging"))
    assert list(old.content.pending) == [3000, 4000, 5000]
    assert (old.file, old.content.last, old.content.last_saved_batch()) == (
        "checkpoint-5000",
        5000,
        2000,
    )
    (source,) = old.content.sources
    assert sorted(source.files) == [1000, 2000, 3000, 4000, 5000]
    files = {tick: [f"file:{tmp_path}/part-{tick}"] for tick in source.files}
    (lost,) = lost_input(old, source._replace(files=files), 2000, 2000)
    assert f"gone (3; the first is file:{tmp_path}/part-3000)" in lost


def test_a_batch_without_a_state_that_waits_runs_again() -> None:
    ranges = {tick: [("t", 0, tick, tick + 10)] for tick in (30, 40, 50, 60)}
    source = content.OldSource(1, content.KAFKA, "", ranges=ranges, position={("t", 0): 70})
    was = content.Content("", "", "", 10, 0, 60, [40, 50, 60], {}, [source], [])
    assert was.last_saved_batch() == 30
    assert source.offsets_after(30) == {("t", 0): 40}


def test_where_a_direct_stream_stood() -> None:
    ranges = {20: [("t", 0, 5, 7)], 30: [("t", 0, 7, 9), ("t", 1, 0, 4)]}
    position = {("t", 0): 9, ("t", 1): 4, ("t", 2): 8}  # the last one is in no batch
    source = content.OldSource(1, content.KAFKA, "", ranges=ranges, position=position)
    assert source.offsets_after(10) == {("t", 0): 5, ("t", 1): 0, ("t", 2): 8}
    assert source.offsets_after(20) == {("t", 0): 7, ("t", 1): 0, ("t", 2): 8}
    assert source.offsets_after(30) == source.offsets_after(40) == position
    assert source.after(20, 10) and source.after(10, 10) and not source.after(0, 10)


def test_what_a_receiver_has_logged() -> None:
    old = read_checkpoint(None, str(FIXTURES / "socket"))
    assert [(one.kind, one.stream) for one in old.content.sources] == [(content.RECEIVER, 0)]
    assert (old.content.last, old.content.last_saved_batch()) == (5000, 4000)
    lines = {tick: f"a b{tick // 1000 % 3} c{tick // 1000} a" for tick in range(1000, 6000, 1000)}
    found = logged_blocks(old, 0, 5000)
    assert found == {0: {tick: [[line]] for tick, line in lines.items() if tick in found[0]}}
    assert logged_blocks(old, 4000, 5000) == {0: {5000: [[lines[5000]]]}}
