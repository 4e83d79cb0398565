"""What checkpoints of this package have for rewritten jobs."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet
from pyspark import SparkContext

from dstream_compat.__main__ import main
from tests.support.components.kafka import Broker
from tests.support.streaming.checkpoints import tree
from tests.support.streaming.jobs import kafka_totals
from tests.support.streaming.kafka_fixtures import *  # noqa: F403
from tests.support.streaming.processes import run_job, run_python
from tests.support.streaming.recovery_log import read_log

pytestmark = pytest.mark.slow
TEXTS = {1: "a b a f g h\n", 2: "b c\n", 4: "a a a\nd\n", 5: "c\n"}
EXPORT = "-m", "dstream_compat", "checkpoint", "export"


@pytest.fixture
def live(tmp_path: Path) -> Callable[..., None]:
    """Runs a job until a second; it may die in the outputs of one."""
    (tmp_path / "in").mkdir()
    for second, text in TEXTS.items():
        path = tmp_path / "in" / f"part-{second}"
        path.write_text(text)
        os.utime(path, (second, second))

    def run(where: str, until: int, death: float = 0) -> None:
        places = [str(tmp_path / name) for name in ("checkpoint", "in", "log")]
        ended = run_job("recovery", *places, str(until), str(death), where)
        assert ended.code == (-signal.SIGKILL if death else 0), ended.err[-3000:]

    return run


def states(folder: Path) -> dict[str, list[Any]]:
    return {
        each.name: sorted(
            [row["key"], row["value"]] for row in parquet.read_table(each).to_pylist()
        )
        for each in folder.iterdir()
        if each.is_dir()
    }


def test_a_job_that_was_killed(live: Callable[..., None], tmp_path: Path) -> None:
    live("plain", 2)
    live("plain", 5, death=4)
    before = tree(tmp_path / "checkpoint")
    command = [*EXPORT, str(tmp_path / "checkpoint"), "--out", str(tmp_path / "out")]
    done = run_python(*command)
    assert done.code == 0, done.err[-3000:]
    assert tree(tmp_path / "checkpoint") == before
    assert "as of the batch of 2000 ms of dstream_compat" in done.out
    assert "in): 2 files read, 0 known and not read" in done.out
    assert "#6 mapWithState: the times at which its keys were updated" in done.out
    log = read_log(tmp_path / "log")
    totals = sorted(map(list, log["counts", 2.0][0]))
    names = ["1-updateStateByKey", "6-mapWithState", "7-mapWithState"]
    assert states(tmp_path / "out") == dict.fromkeys(names, totals)
    (position,) = json.loads((tmp_path / "out" / "positions.json").read_text())
    assert position["condition"].count("/part-") == 2


@pytest.mark.full
def test_a_job_of_several_queries(live: Callable[..., None], tmp_path: Path) -> None:
    live("behind", 2)
    live("behind", 5, death=4)
    command = [*EXPORT, str(tmp_path / "checkpoint"), "--out", str(tmp_path / "out")]
    done = run_python(*command)
    assert done.code == 1 and not (tmp_path / "out").exists()
    assert "have committed different batches: [2000, 3000] (ms). Start the job again" in done.err
    live("behind", 5)
    done = run_python(*command)
    assert done.code == 0, done.err[-3000:]
    totals = sorted(map(list, read_log(tmp_path / "log")["counts", 5.0][-1]))
    assert states(tmp_path / "out")["1-updateStateByKey"] == totals


@pytest.mark.full
def test_a_job_over_kafka(
    kafka_sc: SparkContext, broker: Broker, topic: str, tmp_path: Path
) -> None:
    folder, totals = str(tmp_path / "checkpoint"), str(tmp_path / "totals")
    broker.send(topic, [(b"a", b"1", 0), (b"b", b"2", 1), (b"b", b"3", 1)])
    kafka_totals.run(kafka_sc, broker.address, topic, folder, totals, [1, 2])
    assert main(["checkpoint", "export", folder, "--out", str(tmp_path / "out")]) == 0
    assert states(tmp_path / "out") == {"1-updateStateByKey": [["a", 1], ["b", 5]]}
    (position,) = json.loads((tmp_path / "out" / "positions.json").read_text())
    offsets = json.loads(position["startingOffsets"])[topic]
    assert (offsets["0"], offsets["1"]) == (1, 2)


def test_a_job_that_has_not_committed(live: Callable[..., None], tmp_path: Path) -> None:
    live("plain", 2, death=1)
    done = run_python(*EXPORT, str(tmp_path / "checkpoint"), "--out", str(tmp_path / "out"))
    assert done.code == 1 and "has no committed batch: there is no state" in done.err
