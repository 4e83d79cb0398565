"""``dstream-compat checkpoint rescale`` and ``rehash``: state moves, and batches are the same."""

from __future__ import annotations

import ast
import json
import os
import re
import signal
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pyspark import SparkContext

from dstream_compat import StateSpec, StreamingContext
from dstream_compat.__main__ import main
from dstream_compat.checkpoint.checkpoint import Checkpoint
from dstream_compat.exceptions import CheckpointError
from dstream_compat.job import rescaling
from dstream_compat.testing import ManualClock
from tests.support.components.kafka import Broker
from tests.support.streaming.checkpoints import tree
from tests.support.streaming.jobs import kafka_totals
from tests.support.streaming.kafka_fixtures import *  # noqa: F403
from tests.support.streaming.processes import run_job, run_python
from tests.support.streaming.recovery_log import Log, read_log
from tests.support.streaming.stepwise import DEADLINE

pytestmark = pytest.mark.slow
finished: list[Any] = []
TEXTS = {1: "a b a f g h\n", 2: "b c\n", 4: "a a a\nd\n", 5: "c\n", 6: "e a f\n", 8: "b i\n"}
KILLED_LAST = """
import os, signal, sys
from dstream_compat.checkpoint.checkpoint import Checkpoint
Checkpoint.make_current = lambda self: os.kill(os.getpid(), signal.SIGKILL)
from dstream_compat.__main__ import main
main(["checkpoint", *sys.argv[2:], sys.argv[1]])
"""


def finish(at: Any, _: Any) -> None:
    finished.append(at)


def current(checkpoint: Path) -> str:
    found: str = json.loads((checkpoint / "dstream-compat" / "current").read_text())["run"]
    return found


def slots(checkpoint: Path) -> int:
    """Return in how many partitions the state is."""
    folder = checkpoint / "dstream-compat" / current(checkpoint)
    (state,) = folder.glob("query*/state/0")
    return sum(part.name.isdigit() for part in state.iterdir())


class Job:
    """The job of the recovery tests, in a folder of its own."""

    def __init__(self, root: Path, where: str) -> None:
        self.root = root
        self.where = where
        self.checkpoint = root / "checkpoint"
        (root / "in").mkdir(parents=True)
        for second, text in TEXTS.items():
            path = root / "in" / f"part-{second}"
            path.write_text(text)
            os.utime(path, (second, second))

    def live(self, until: int, death: float = 0) -> None:
        """Run until a second; die in the outputs of one."""
        places = [str(self.root / name) for name in ("checkpoint", "in", "log")]
        ended = run_job("recovery", *places, str(until), str(death), self.where)
        assert ended.code == (-signal.SIGKILL if death else 0), ended.err[-3000:]

    def rescale(self, *args: str) -> None:
        assert "partitions" in self.command("rescale", *args)

    def command(self, name: str, *args: str) -> str:
        """Run a command on the checkpoint; returns what it prints."""
        command = ["-m", "dstream_compat", "checkpoint", name, str(self.checkpoint), *args]
        ended = run_python(*command)
        assert ended.code == 0, ended.err[-3000:]
        return ended.out

    def current(self) -> str:
        return current(self.checkpoint)

    def slots(self) -> int:
        return slots(self.checkpoint)

    @property
    def log(self) -> Log:
        return read_log(self.root / "log")


@pytest.mark.full
@pytest.mark.parametrize("where", ["plain", "behind"])
def test_up_and_down_and_back(tmp_path: Path, where: str) -> None:
    calm = Job(tmp_path / "calm", where)
    calm.live(8)
    expected = {batch: seen[0] for batch, seen in calm.log.items()}
    job = Job(tmp_path / "rescaled", where)
    job.live(2)
    job.live(5, death=4)
    job.rescale("--partitions", "5")
    first = job.current()
    assert job.slots() == 5
    job.live(6)
    killed = run_python("-c", KILLED_LAST, str(job.checkpoint), "rescale", "--partitions", "3")
    assert killed.code == -signal.SIGKILL and job.current() == first
    job.rescale("--partitions", "1")
    assert job.slots() == 1 and job.current() != first
    job.live(7)
    job.rescale("--undo")
    assert job.slots() == 5 and job.current() == first
    job.live(8)
    log = job.log
    assert {batch: seen[0] for batch, seen in log.items()} == expected
    assert all(content == seen[0] for seen in log.values() for content in seen)
    assert len(log["counts", 7.0]) == 2, "it ran again after going back"


@pytest.mark.full
@pytest.mark.parametrize("where", ["plain", "behind"])
def test_other_hashes(tmp_path: Path, where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONHASHSEED", "1")
    calm = Job(tmp_path / "calm", where)
    calm.live(8)
    expected = {batch: seen[0] for batch, seen in calm.log.items()}
    job = Job(tmp_path / "rehashed", where)
    job.live(2)
    job.live(5, death=4)
    monkeypatch.setenv("PYTHONHASHSEED", "2")
    places = [str(job.root / name) for name in ("checkpoint", "in", "log")]
    refused = run_job("recovery", *places, "6", "0", where)
    assert refused.code == 1 and "checkpoint rehash FOLDER`. Nothing was" in refused.err
    first = job.current()
    if where == "behind":
        ended = run_python("-m", "dstream_compat", "checkpoint", "rehash", str(job.checkpoint))
        assert ended.code == 1 and "handover-1 has records of a batch that did not" in ended.err
        monkeypatch.setenv("PYTHONHASHSEED", "1")
        job.live(4)
        monkeypatch.setenv("PYTHONHASHSEED", "2")
    killed = run_python("-c", KILLED_LAST, str(job.checkpoint), "rehash")
    assert killed.code == -signal.SIGKILL and job.current() == first
    said = job.command("rehash")
    assert re.search(r"checkpoint: [1-9]\d* entries of the state were moved\n", said), said
    second = job.current()
    assert second != first and f"{second} goes on where {first} ended" in said
    assert "all keys are where this Python looks" in job.command("rehash")
    assert job.current() == second
    job.live(6)
    said = job.command("rescale", "--rehash", "--partitions", "5")
    assert "the state is in 5 partitions, was in 2; 0 entries of the state were moved" in said
    job.live(8)
    assert {batch: seen[0] for batch, seen in job.log.items()} == expected
    assert all(content == seen[0] for seen in job.log.values() for content in seen)


@pytest.mark.full
def test_a_job_over_kafka(
    kafka_sc: SparkContext, broker: Broker, topic: str, tmp_path: Path
) -> None:
    folder, totals = tmp_path / "checkpoint", tmp_path / "totals"
    arguments = [broker.address, topic, str(folder), str(totals)]
    broker.send(topic, [(b"a", b"1", 0), (b"b", b"2", 1)])
    kafka_totals.run(kafka_sc, *arguments, [1, 2])
    for partitions, value in ((5, b"10"), (1, b"100")):
        assert main(["checkpoint", "rescale", str(folder), "--partitions", str(partitions)]) == 0
        assert slots(folder) == partitions
        broker.send(topic, [(b"a", value, 0), (b"c", value, 1)])
        kafka_totals.run(kafka_sc, *arguments, [2])
    found = max(map(ast.literal_eval, totals.read_text().splitlines()))
    assert found == (7000, [("a", 111), ("b", 2), ("c", 110)], [3, 3])


def run_two_batches(sc: SparkContext, folder: Path, states: Callable[[Any], Any]) -> None:
    """Run a job, and stop it.

    Parameters
    ----------
    sc : SparkContext
        is not stopped
    folder : Path
        of its checkpoint
    states : callable
        makes the stream that is output, of a stream of pairs
    """
    finished.clear()
    ssc = StreamingContext(sc, 1)
    ssc.checkpoint(str(folder))
    states(ssc.queueStream([[("a", 1)], [("b", 1)]])).foreachRDD(finish)
    ssc.start()
    ManualClock(ssc).advance(2)
    until = time.monotonic() + DEADLINE
    while len(finished) < 2 and time.monotonic() < until:
        ssc.awaitTerminationOrTimeout(0.05)
    ssc.stop(stopSparkContext=False)


def totals(pairs: Any) -> Any:
    return pairs.updateStateByKey(lambda new, old: sum(new) + (old or 0))


def tracked(pairs: Any) -> Any:
    spec = StateSpec.function(lambda key, value, state: key).partitioner(2, lambda key: 1)
    return pairs.mapWithState(spec)


def windows(pairs: Any) -> Any:
    return pairs.partitionBy(2, lambda key: 1).window(2)


@pytest.mark.parametrize(("states", "works"), [(totals, True), (tracked, False), (windows, False)])
def test_functions_of_another_python_are_not_called(
    sc: SparkContext,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    states: Callable[[Any], Any],
    works: bool,
) -> None:
    folder = tmp_path / "checkpoint"
    run_two_batches(sc, folder, states)
    monkeypatch.setattr(Checkpoint, "has_own_byte_code", lambda _: False)
    before = tree(folder / "dstream-compat")
    assert main(["checkpoint", "rehash", str(folder)]) == (0 if works else 1)
    captured = capsys.readouterr()
    if works:
        assert "all keys are where this Python looks for them" in captured.out
    else:
        assert "the partition function <lambda> is in the checkpoint with the byte code" in (
            captured.err
        )
    assert tree(folder / "dstream-compat") == before


def test_what_is_refused_changes_nothing(
    sc: SparkContext,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = tmp_path / "checkpoint"
    run_two_batches(sc, folder, totals)
    before = tree(folder / "dstream-compat")

    def goes_on(_: float) -> None:
        query = next((folder / "dstream-compat").glob("run-*/query"))
        (query / "commits" / "999").write_text("v1\n{}")

    # the module's own name: other threads of this process sleep, too
    with monkeypatch.context() as patch:
        patch.setattr(rescaling, "time", SimpleNamespace(time=time.time, sleep=goes_on))
        with pytest.raises(CheckpointError, match="written to by a running job"):
            rescaling.rescale(str(folder), 7)
    next((folder / "dstream-compat").glob("run-*/query/commits/999")).unlink()
    same = str(sc.defaultParallelism)
    assert main(["checkpoint", "rescale", str(folder), "--partitions", same]) == 1
    assert "already" in capsys.readouterr().err
    assert main(["checkpoint", "rehash", str(folder)]) == 0
    assert "all keys are where this Python looks for them" in capsys.readouterr().out
    assert main(["checkpoint", "rescale", str(folder), "--undo"]) == 1
    assert "was not rescaled or rehashed" in capsys.readouterr().err
    monkeypatch.setattr("dstream_compat.spark.state_rewriting._REWRITER", "no.such.Class")
    assert main(["checkpoint", "rescale", str(folder), "--partitions", "7"]) == 1
    assert "Spark 4.2 and later can" in capsys.readouterr().err
    assert main(["checkpoint", "rescale", str(tmp_path), "--partitions", "7"]) == 1
    assert "holds no checkpoint" in capsys.readouterr().err
    assert tree(folder / "dstream-compat") == before


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["rescale"], "rescale needs --partitions N, --rehash, or --undo"),
        (["rescale", "--partitions", "0"], "0 partitions are too few"),
        (["rescale", "--partitions", "x"], "'x' is no number of partitions"),
        (["rescale", "--partitions", "2", "--undo"], "give it alone"),
        (["rescale", "--rehash", "--undo"], "give it alone"),
        (["rehash", "--partitions", "2"], "unrecognized arguments: --partitions 2"),
    ],
)
def test_wrong_usage(args: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["checkpoint", args[0], "folder", *args[1:]])
    assert said in capsys.readouterr().err
