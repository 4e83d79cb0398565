"""A job on 4.3's DStreams goes on here: states, windows, files, and what does not fit."""

from __future__ import annotations

import pickle
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyspark.streaming as real
import pytest
from pyspark import SparkContext

import dstream_compat
from dstream_compat import StreamingContext
from dstream_compat.exceptions import BatchFailedError, CheckpointError
from dstream_compat.old_checkpoint import pickled_states
from dstream_compat.old_checkpoint.folder import read_checkpoint
from dstream_compat.old_checkpoint.pickled_states import state_pairs
from dstream_compat.testing import ManualClock
from tests.dstream_compat.old_checkpoint.conftest import FIXTURES
from tests.support.old_engine.running import expected
from tests.support.streaming.checkpoints import tree
from tests.support.streaming.differential import DEADLINE
from tests.support.streaming.rebuilt_lives import REBUILD
from tests.support.streaming.same_lives import (
    BEGIN,
    LINES,
    SEEN,
    Lives,
    add,
    pair,
    running,
    subtract,
)
from tests.support.streaming.settings import setting

IMPORT = "spark.streaming.compat.importFrom"
KILLED, STOPPED, LAST = 12, 13, 14


@pytest.fixture(scope="module")
def old(sc: SparkContext, tmp_path_factory: pytest.TempPathFactory) -> Lives:
    """A job on DStreams that has ended in its 12th second; its state is of the 11th."""
    lives = Lives(real, sc, tmp_path_factory.mktemp("old"), everything=False)
    lives.live(BEGIN, KILLED, noted=True)
    return lives


@pytest.fixture
def new(old: Lives, tmp_path: Path, sc: SparkContext) -> Iterator[Lives]:
    """The same job on ours, with a checkpoint folder of its own."""
    engine, folder = old.engine, old.checkpoint
    old.engine, old.checkpoint = dstream_compat, str(tmp_path / "new")
    with setting(sc, IMPORT, folder):
        yield old
    old.engine, old.checkpoint = engine, folder


def words(after: int, until: int) -> list[str]:
    # the job began in second 1: only files after that are its input
    lines = (LINES[second % len(LINES)] for second in range(max(after, BEGIN) + 1, until + 1))
    return [word for line in lines for word in line.split()]


def counted(after: int, until: int) -> dict[str, int]:
    return dict(Counter(words(after, until)))


@pytest.mark.slow
def test_it_goes_on_as_plain_python(
    new: Lives, caplog: pytest.LogCaptureFixture, sc: SparkContext
) -> None:
    source = sc._conf.get(IMPORT) or ""
    before = tree(Path(source))
    log = new.live(KILLED, STOPPED)
    assert tree(Path(source)) == before
    assert "state #1 updateStateByKey: 5 keys to updateStateByKey" in caplog.text
    assert "taking over" in caplog.text
    # with its own checkpoint, the setting is of no effect any more
    log += new.live(STOPPED, LAST)
    seen: dict[str, dict[float, Any]] = {}
    for name, at, records in log:
        assert seen.setdefault(name, {}).setdefault(at, records) == records
    ran = sorted(seen["last"])
    assert ran == [*range(int(ran[0]), LAST + 1)] and ran[0] <= KILLED
    assert sorted(seen["totals"]) == sorted(seen["inverse"]) == ran
    for at in map(int, ran):
        assert dict(seen["totals"][at]) == counted(0, at), at
        inverse = {word: count for word, count in seen["inverse"][at] if count}
        assert inverse == counted(at - 6, at), at
        assert seen["last"][at] == sorted(words(at - 1, at), key=repr)
    for at, records in seen["windows"].items():
        assert records == sorted(words(int(at) - 3, int(at)), key=repr), at


@pytest.mark.slow
def test_a_graph_that_is_rebuilt_before_a_batch_was_committed(new: Lives, sc: SparkContext) -> None:
    """State and positions are in the graph that was saved, so they are taken over again."""
    for second in range(KILLED + 1):
        new.put(second)
    SEEN.failing = {("totals", float(second)) for second in range(LAST)}
    try:
        ssc = StreamingContext.getOrCreate(new.checkpoint, new.setup)
        ManualClock(ssc).advance(KILLED - BEGIN)
        ssc.start()
        with pytest.raises(BatchFailedError, match="the database is down"):
            ssc.awaitTermination(DEADLINE)
        ssc.stop(False)
    finally:
        SEEN.failing = set()
    with setting(sc, REBUILD, "true"):
        source = sc._conf.get(IMPORT) or ""
        sc._conf._jconf.remove(IMPORT)
        ssc = StreamingContext.getOrCreate(new.checkpoint, new.setup)
        with pytest.raises(CheckpointError, match=f"rebuilt only with {IMPORT}=FOLDER"):
            ssc.start()
        sc._conf.set(IMPORT, source)
        log = new.live(KILLED, STOPPED)
        log += new.live(STOPPED, LAST)
    found = {at: dict(records) for name, at, records in log if name == "totals"}
    assert sorted(found)[-2:] == [STOPPED, LAST]
    assert found == {at: counted(0, int(at)) for at in found}


def graph_of(ssc: StreamingContext, folder: Path, *, reverse: bool = False) -> None:
    ManualClock(ssc).advance(BEGIN)
    lines = ssc.textFileStream(str(folder)).flatMap(str.split)
    pairs = lines.map(pair)
    made = [
        lambda: pairs.updateStateByKey(running),
        lambda: lines.window(3, 2),
        lambda: pairs.reduceByKeyAndWindow(add, subtract, 6, 1),
    ]
    for make in reversed(made) if reverse else made:
        make().foreachRDD(lambda rdd: None)


def refused(sc: SparkContext, tmp_path: Path, define: Any, interval: float = 1) -> str:
    def create() -> StreamingContext:
        ssc = StreamingContext(sc, interval)
        define(ssc)
        return ssc

    ssc = StreamingContext.getOrCreate(str(tmp_path / "new"), create)
    with pytest.raises(CheckpointError, match="cannot be taken over by this job") as caught:
        ssc.start()
    assert StreamingContext.getActive() is None
    assert not (tmp_path / "new" / "dstream-compat").exists()
    return str(caught.value)


@pytest.mark.slow
def test_what_does_not_fit_is_named(new: Lives, tmp_path: Path, sc: SparkContext) -> None:
    text = refused(sc, tmp_path, lambda ssc: graph_of(ssc, new.folder, reverse=True))
    assert "operators with state: updateStateByKey, window of 3000 ms, reduce" in text
    reduced = "reduceByKeyAndWindow of 6000 ms with an inverse function"
    assert f"{reduced}, window of 3000 ms, updateStateByKey in the code" in text

    text = refused(sc, tmp_path, lambda ssc: graph_of(ssc, tmp_path))
    assert f"FileInputDStream of {new.folder}: the code reads {tmp_path}" in text

    text = refused(sc, tmp_path, lambda ssc: graph_of(ssc, new.folder), interval=0.5)
    assert "the batch interval was 1000 ms and is 500 ms" in text

    def other_source(ssc: StreamingContext) -> None:
        ssc.queueStream([[("a", 1)]]).updateStateByKey(running).pprint()

    text = refused(sc, tmp_path, other_source)
    assert "in the checkpoint, updateStateByKey in the code" in text
    assert "sources: FileInputDStream" in text

    def window_of_state(ssc: StreamingContext) -> None:
        stream = ssc.textFileStream(str(new.folder)).map(pair).updateStateByKey(running)
        stream.window(3, 2).pprint()

    assert "values before the batch" in refused(sc, tmp_path, window_of_state)


def plain_context(sc: SparkContext, folder: str | None, source: Path) -> StreamingContext:
    ssc = StreamingContext(sc, 1)
    if folder is not None:
        ssc.checkpoint(folder)
    ssc.textFileStream(str(source)).map(pair).pprint()
    return ssc


@pytest.mark.slow
@pytest.mark.parametrize("has_no_folder", [True, False])
def test_a_context_that_was_not_made_by_get_or_create(
    has_no_folder: bool, tmp_path: Path, sc: SparkContext
) -> None:
    """The setting is not passed over in silence; here the operators do not fit."""
    folder = None if has_no_folder else str(tmp_path / "new")
    text = "this job has no checkpoint folder" if has_no_folder else "cannot be taken over by this"

    def create() -> StreamingContext:
        return plain_context(sc, folder, tmp_path)

    with setting(sc, IMPORT, str(FIXTURES / "lz4")):
        for ssc in (create(), StreamingContext.getActiveOrCreate(None, create)):
            with pytest.raises(CheckpointError, match=text):
                ssc.start()
    assert StreamingContext.getActive() is None
    assert not (tmp_path / "new" / "dstream-compat").exists()


@pytest.mark.slow
def test_a_plain_context_takes_over_once(new: Lives, tmp_path: Path, sc: SparkContext) -> None:
    """The folder of a run that has processed something is only for getOrCreate."""
    for second in range(STOPPED + 1):
        new.put(second)

    def started() -> StreamingContext:
        ssc = new.setup()
        ManualClock(ssc).advance(KILLED - BEGIN)
        ssc.start()
        return ssc

    SEEN.log = []
    ssc = started()
    try:
        SEEN.wait(KILLED)
        ManualClock(ssc).advance(1)
        SEEN.wait(STOPPED)  # Spark has committed what was before
    finally:
        ssc.stop(False)
    totals = {at: dict(records) for name, at, records in SEEN.log if name == "totals"}
    assert {at: totals[at] for at in (KILLED, STOPPED)} == {
        at: counted(0, at) for at in (KILLED, STOPPED)
    }
    with pytest.raises(CheckpointError, match="which only StreamingContext"):
        started()


@pytest.mark.slow
def test_an_input_that_is_gone_is_named(new: Lives, tmp_path: Path, sc: SparkContext) -> None:
    path = new.folder / f"part-{KILLED - 2}"  # the line of second 11 is empty
    if not path.exists():
        path = max(new.folder.glob("part-*"), key=lambda p: int(p.name.partition("-")[2]))
    kept = path.rename(tmp_path / "kept")
    try:
        text = refused(sc, tmp_path, lambda ssc: graph_of(ssc, new.folder))
    finally:
        kept.rename(path)
    assert f"files that have to be read again are gone (1; the first is file:{path})" in text


@pytest.mark.slow
def test_only_a_state(old: Lives, sc: SparkContext, tmp_path: Path) -> None:
    ssc = StreamingContext(sc, 1)
    pairs = ssc.queueStream([[]]).map(pair)
    node = pairs.updateStateByKey(running, initialRDD=f"checkpoint:{old.checkpoint}#1")._node
    assert dict(ssc._graph.initial[node.id].rdd.collect()) == counted(0, 11)
    for text in ("checkpoint:", f"checkpoint:{old.checkpoint}", "elsewhere#1", "checkpoint:#1"):
        with pytest.raises(ValueError, match="of the form checkpoint:FOLDER#NUMBER"):
            pairs.updateStateByKey(running, initialRDD=text)
    with pytest.raises(CheckpointError, match="has no saved state #2: it has"):
        pairs.updateStateByKey(running, initialRDD=f"checkpoint:{old.checkpoint}#2")
    with pytest.raises(CheckpointError, match="holds no checkpoint"):
        pairs.updateStateByKey(running, initialRDD=f"checkpoint:{tmp_path}#1")


@pytest.mark.slow
def test_no_task_carries_much_of_a_state(sc: SparkContext, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where executors have other disks: Spark does not send a task of more than 128 MB."""
    monkeypatch.setattr(sc, "master", "spark://elsewhere:7077")
    found = read_checkpoint(sc, str(FIXTURES / "lz4"))
    monkeypatch.setattr(found, "pickles", lambda *_: [pickle.dumps([(n, n)]) for n in range(40)])
    (state, *_) = found.content.states
    few, _ = state_pairs(sc, found, state, 4000)
    assert few.rdd.getNumPartitions() == sc.defaultParallelism
    monkeypatch.setattr(pickled_states, "_BYTES_OF_A_TASK", 2 * len(pickle.dumps([(1, 1)])))
    many, count = state_pairs(sc, found, state, 4000)
    assert many.rdd.getNumPartitions() == 20 and count == 40
    assert sorted(many.rdd.collect()) == sorted(few.rdd.collect()) == [(n, n) for n in range(40)]


@pytest.mark.slow
@pytest.mark.parametrize("place", ["here", "elsewhere", "a, b"])
def test_workers_read_a_state(
    sc: SparkContext,
    elsewhere: Callable[[Path], str],
    tmp_path: Path,
    place: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    copy = shutil.copytree(FIXTURES / "lz4", tmp_path / place)
    found = read_checkpoint(sc, str(copy) if place == "here" else elsewhere(copy))
    state = found.content.states[0]
    if place != "a, b":  # Hadoop takes a comma for the end of a path: the driver reads it then
        monkeypatch.setattr(found, "pickles", None)
    pairs, keys = state_pairs(sc, found, state, 4000)
    assert sorted(map(list, pairs.rdd.collect())) == expected("sums", 4)
    assert keys == len(expected("sums", 4))
    folder = state.folders[4000].rpartition("/")[2]
    for part in copy.glob(f"*/{folder}/part-*"):
        part.write_bytes(part.read_bytes()[:50])
        (part.parent / f".{part.name}.crc").unlink(missing_ok=True)
    with pytest.raises(CheckpointError, match=r"part-0000. cannot be read, a part of the state of"):
        state_pairs(sc, found, state, 4000)


@pytest.mark.slow
def test_a_state_on_another_file_system(
    sc: SparkContext, elsewhere: Callable[[Path], str], tmp_path: Path
) -> None:
    folder = shutil.copytree(FIXTURES / "lz4", tmp_path / "copied")
    ssc = StreamingContext(sc, 1)
    pairs = ssc.queueStream([[]]).map(pair)
    text = f"checkpoint:{elsewhere(folder)}#1"
    node = pairs.updateStateByKey(running, initialRDD=text)._node
    assert sorted(map(list, ssc._graph.initial[node.id].rdd.collect())) == expected("sums", 4)


@pytest.mark.slow
def test_the_classes_of_a_state_are_gone(sc: SparkContext) -> None:
    pairs = StreamingContext(sc, 1).queueStream([[]]).map(pair)
    with pytest.raises(CheckpointError, match=r"(?s)#3 updateStateByKey.*No module named 'tally'"):
        pairs.updateStateByKey(running, initialRDD=f"checkpoint:{FIXTURES / 'lz4'}#3")
