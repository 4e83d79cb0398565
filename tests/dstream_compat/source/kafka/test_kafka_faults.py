"""A Kafka job that is killed in the middle, and scripts that run unchanged."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import threading
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from dstream_compat.source.kafka.params import BROKERS_VARIABLE
from tests.support.components.kafka import Broker
from tests.support.streaming.kafka_fixtures import *  # noqa: F403
from tests.support.streaming.processes import (
    DEADLINE,
    JOBS,
    ROOT,
    kill_group,
    run_python,
    wait_until_gone,
)

pytestmark = pytest.mark.slow

EXAMPLES = ROOT / "legacy_examples"
LIVES = 3 if os.environ.get("DSTREAM_COMPAT_FULL") else 2


def written(totals: Path) -> list[Any]:
    """Return the lines of a job's file; one that is half written is left out."""
    if not totals.exists():
        return []
    lines = totals.read_text().split("\n")[:-1]
    return [ast.literal_eval(line) for line in lines]


def wait_for(process: subprocess.Popen[bytes], log: Path, reached: Any) -> None:
    deadline = time.monotonic() + DEADLINE
    pause = threading.Event()
    while not reached():
        pause.wait(0.05)
        assert process.poll() is None, log.read_text()[-3000:]
        assert time.monotonic() < deadline, log.read_text()[-3000:]


def test_state_is_exact_after_sigkill(
    broker: Broker, topic: str, connector: list[Path], tmp_path: Path
) -> None:
    totals, log = tmp_path / "totals", tmp_path / "log"
    command = [
        sys.executable,
        str(JOBS / "kafka_totals.py"),
        *(broker.address, topic, str(tmp_path / "checkpoint"), str(totals)),
        ",".join(map(str, connector)),
    ]
    expected: Counter[str] = Counter()
    for life in range(LIVES):
        with log.open("ab") as out:
            process = subprocess.Popen(
                command,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                start_new_session=True,
            )
        try:
            for number in range(4):  # records come while it starts, runs and is killed
                records = [(b"%d" % key, b"%d" % (life + number)) for key in range(5)]
                broker.send(topic, records * 50)
                expected.update({str(key): 50 * (life + number) for key in range(5)})
                seen = len(written(totals))
                wait_for(process, log, lambda seen=seen: len(written(totals)) > seen)
            if life == LIVES - 1:
                state = sorted(expected.items())
                wait_for(process, log, lambda state=state: written(totals)[-1][1] == state)
        finally:
            kill_group(process.pid)
            process.wait()
            wait_until_gone(process.pid)
    batches: dict[int, Any] = {}
    for at, state, offsets in written(totals):
        # a batch that was replayed has the same content under the same time
        assert batches.setdefault(at, (state, offsets)) == (state, offsets)
    times = sorted(batches)
    assert times == list(range(times[0], times[-1] + 1, 500))
    known = [batches[at][1] for at in times]
    pairs = [(a, b) for old, new in pairwise(known) for a, b in zip(old, new, strict=True)]
    assert all(a <= b for a, b in pairs)
    assert sum(known[-1]) == LIVES * 4 * 5 * 50


def run_example(
    name: str, connector: list[Path], broker: Broker, *args: str
) -> subprocess.Popen[str]:
    jars = ",".join(map(str, connector))
    return subprocess.Popen(
        [sys.executable, "-m", "dstream_compat", "run", str(EXAMPLES / name), *args],
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "PYTHONUNBUFFERED": "1",
            "PYSPARK_SUBMIT_ARGS": f"--master local[2] --conf spark.ui.enabled=false --jars {jars} "
            "pyspark-shell",
            BROKERS_VARIABLE: broker.address,
        },
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )


def read_until(process: subprocess.Popen[str], wanted: set[str]) -> list[str]:
    """Return what a job prints until all wanted lines were there."""
    assert process.stdout is not None
    lines: list[str] = []
    for line in process.stdout:
        lines.append(line.rstrip("\n"))
        wanted = wanted - {lines[-1]}
        if not wanted:
            return lines
    raise AssertionError(f"{wanted} did not come:\n" + "\n".join(lines[-50:]))


@pytest.mark.full
def test_direct_example_runs_unchanged(broker: Broker, topic: str, connector: list[Path]) -> None:
    broker.send(topic, [(None, b"to be or not to be", 0), (None, b"be", 1)])
    process = run_example("direct_kafka_wordcount.py", connector, broker, broker.address, topic)
    try:
        counts = {"('to', 2)", "('be', 3)", "('or', 1)", "('not', 1)"}
        read_until(process, {*counts, f"{topic}[0] 0 -> 1", f"{topic}[1] 0 -> 1"})
    finally:
        kill_group(process.pid)
        process.wait()


@pytest.mark.full
def test_receiver_example_runs_unchanged(broker: Broker, topic: str, connector: list[Path]) -> None:
    process = run_example(
        "kafka_receiver_wordcount.py", connector, broker, "zookeeper:2181", topic, "2"
    )
    overdue = threading.Timer(DEADLINE, kill_group, (process.pid,))
    overdue.start()
    try:
        assert process.stdout is not None
        process.stdout.readline()  # of the first batch: it has started
        broker.send(topic, [(None, b"a b a", 0), (None, b"b", 1)])
        totals: Counter[str] = Counter()
        for line in process.stdout:  # the two records may be in different batches
            if pair := re.fullmatch(r"\('(\w+)', (\d+)\)\n", line):
                totals[pair[1]] += int(pair[2])
            if totals.total() >= 4:
                break
        assert totals == {"a": 2, "b": 2}
    finally:
        overdue.cancel()
        kill_group(process.pid)
        process.wait()


def test_without_the_connector_the_error_names_the_option() -> None:
    done = run_python(
        "-c",
        "from pyspark import SparkContext\n"
        "from dstream_compat import StreamingContext\n"
        "from dstream_compat.kafka import KafkaUtils\n"
        "ssc = StreamingContext(SparkContext('local[1]', 'x'), 1)\n"
        "KafkaUtils.createDirectStream(ssc, ['t'], {'metadata.broker.list': 'localhost:9'})\n",
    )
    assert done.code == 1
    assert "UnsupportedSourceError" in done.err
    assert "--packages org.apache.spark:spark-sql-kafka-0-10_2.13:4." in done.err
