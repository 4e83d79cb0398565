"""States and positions come along: from Spark's DStreams to this package, and to DataFrames.

A job runs on the DStreams of PySpark 3.5.9, goes on here, is exported and rewritten, and is killed
with SIGKILL again and again. Each record counts once, in whichever batch it is.
"""

from __future__ import annotations

import ast
import contextlib
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest

from dstream_compat.exceptions import CheckpointError
from dstream_compat.old_checkpoint.folder import read_checkpoint
from scripts.test_versions import Skipped
from tests.support.components.kafka import Broker
from tests.support.legacy.harness import ROOT, session_end
from tests.support.old_engine.running import old_pyspark
from tests.support.programs import give_up
from tests.support.streaming.kafka_fixtures import *  # noqa: F403
from tests.support.streaming.processes import run_python
from tests.support.structured.processes import appear, tables, wait_for

HEAD = """
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def add(new, total):
    return sum(new) + (total or 0)


def lengths(new, known):
    known = dict(known or {})
    for count in new:
        known[count] = known.get(count, 0) + 1
    return known


def places(new, known):
    return (known or frozenset()) | {len(known or ()) + place for place in range(len(new))}


def create():
    ssc = StreamingContext(SparkContext(appName="carried"), 4)
    ssc.checkpoint(sys.argv[1])
    {source}
    words = lines.flatMap(lambda line: line.split(" "))
    ones = words.map(lambda word: (word, 1))
"""
SUMS = """
    sums = ones.updateStateByKey(add)
    sums.checkpoint(8)
    sums.pprint(100)
"""
FILES = "lines = ssc.textFileStream(sys.argv[2])"
KAFKA = """from pyspark.streaming.kafka import KafkaUtils

    brokers, topic = sys.argv[2].split("/")
    parameters = {"metadata.broker.list": brokers, "auto.offset.reset": "smallest"}
    records = KafkaUtils.createDirectStream(ssc, [topic], parameters)
    lines = records.map(lambda record: record[1])"""
OTHERS = """
    known = ones.updateStateByKey(lengths)
    known.checkpoint(8)
    known.map(lambda pair: ("known " + pair[0], pair[1][1])).pprint(100)
    seen = ones.updateStateByKey(places)
    seen.checkpoint(8)
    seen.map(lambda pair: ("seen " + pair[0], max(pair[1]) + 1)).pprint(100)
"""
TAIL = """
    return ssc


ssc = StreamingContext.getOrCreate(sys.argv[1], create)
ssc.start()
ssc.awaitTermination()
"""
CLEAN = "SPARK_HOME", "PYSPARK_PYTHON", "PYSPARK_DRIVER_PYTHON", "SPARK_SUBMIT_OPTS"
QUIET = "--conf spark.ui.enabled=false --conf spark.ui.showConsoleProgress=false"
SUBMIT = ("-m", "dstream_compat", "submit", "--master", "local[2]", *QUIET.split())


@contextlib.contextmanager
def started(
    command: Sequence[str], folder: Path, output: str, jars: str = ""
) -> Iterator[subprocess.Popen[bytes]]:
    """A process in a folder, which SIGKILL ends with all that it has started."""
    variables = {name: value for name, value in os.environ.items() if name not in CLEAN}
    variables |= {"PYTHONUNBUFFERED": "1", "PYSPARK_PYTHON": command[0], "PYTHONPATH": ""}
    variables["PYSPARK_SUBMIT_ARGS"] = f"--master local[2] {QUIET} {jars} pyspark-shell"
    if "dstream_compat" in command:
        variables["PYTHONPATH"] = str(ROOT)
        del variables["PYSPARK_SUBMIT_ARGS"], variables["PYSPARK_PYTHON"]
    with (folder / output).open("wb") as out, (folder / f"log-{output}").open("wb") as log:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=log,
            start_new_session=True,
        )
    try:
        yield process
    finally:
        session_end(process)


def printed(output: Path) -> list[dict[str, int]]:
    """What outputs have shown of words, in tables or in lines, batch by batch."""
    found = [{word: int(total) for word, total in rows} for rows in tables(output)]
    lines = output.read_text(encoding="utf-8", errors="replace").splitlines()
    pairs = [ast.literal_eval(line) for line in lines if line.startswith("('")]
    batch: dict[str, int] = {}
    for word, total in pairs:
        if word in batch:
            found.append(batch)
            batch = {}
        batch[word] = total
    return [*found, batch]


def has_shown(output: Path, expected: dict[str, int]) -> bool:
    return expected in printed(output)


def is_saved(checkpoint: Path) -> bool:
    """Whether all states are saved, in a file of the checkpoint that is whole."""
    try:
        content = read_checkpoint(None, str(checkpoint)).content
        return content.last_saved_batch() > content.zero
    except (CheckpointError, ValueError):
        return False


def exceeds(folder: Path, kind: str, number: int) -> bool:
    return sum(each.name.isdigit() for each in folder.glob(f"structured/*/{kind}/*")) > number


class Input:
    """Files that appear, and the totals of all of them."""

    def __init__(self, folder: Path) -> None:
        self.argument = str(folder)
        self._folder = folder
        self._number = 0
        self._totals: Counter[str] = Counter()
        folder.mkdir()

    def grow(self) -> None:
        """Let a file appear."""
        words = ["all", "all", f"odd{self._number % 2}", f"new{self._number}"]
        self._totals.update(words)
        self._write([" ".join(words[:2]), *words[2:]])
        self._number += 1

    def _write(self, lines: list[str]) -> None:
        appear(self._folder / f"{self._number} of all", "\n".join(lines) + "\n")

    def wait(self, process: subprocess.Popen[bytes], output: Path) -> None:
        """Wait until a job has shown the totals, of each state."""
        kinds = (
            ["", "known ", "seen "] if OTHERS in (output.parent / "old.py").read_text() else [""]
        )
        expected = {f"{kind}{word}": n for kind in kinds for word, n in self._totals.items()}
        wait_for(f"{expected} in {output}", process, partial(has_shown, output, expected))


class Records(Input):
    """The same as records of a topic."""

    def __init__(self, folder: Path, broker: Broker, topic: str) -> None:
        super().__init__(folder)
        self.argument = f"{broker.address}/{topic}"
        self._broker, self._topic = broker, topic

    def _write(self, lines: list[str]) -> None:
        records = [(None, line.encode(), place % 2) for place, line in enumerate(lines)]
        self._broker.send(self._topic, records)


def write_job(folder: Path, source: str, states: str) -> None:
    text = HEAD.replace("{source}", source) + states + TAIL
    for name in ("old.py", "job.py"):
        (folder / name).write_text(text)


def go_on(folder: Path, given: Input, options: Sequence[str] = (), jars: str = "") -> None:
    """Run the job here, kill it, and let DataFrames go on with what it leaves."""
    own = [*SUBMIT, *options, "old.py", "own", given.argument]
    with started([sys.executable, *own], folder, "own-out") as process:
        given.wait(process, folder / "own-out")
        given.grow()
        given.wait(process, folder / "own-out")
        given.grow()
    run = partial(run_python, "-m", cwd=folder)
    done = run("dstream_compat", "checkpoint", "export", "own", "--out", "export")
    assert done.code == 0, done.err
    given.grow()
    done = run("migrator", "job.py", "--target", "structured", "--state", "export", "--in-place")
    assert done.code == 0, done.out + done.err
    assert "StreamingContext" not in (folder / "job.py").read_text()
    after = [sys.executable, "job.py", "structured", given.argument]
    for number, kind in enumerate(["offsets", "commits", "offsets", "shown"]):
        with started(after, folder, f"output-{number}", jars) as process:
            before = sum(1 for _ in folder.glob(f"structured/*/{kind}/[0-9]*"))
            given.grow()
            if kind == "shown":
                given.wait(process, folder / f"output-{number}")
            else:
                wait_for(kind, process, partial(exceeds, folder, kind, before))


@pytest.mark.slow
@pytest.mark.full
@pytest.mark.parametrize("states", [SUMS, SUMS + OTHERS], ids=["portable", "classic"])
def test_from_dstreams_to_dataframes(states: str, tmp_path: Path) -> None:
    write_job(tmp_path, FILES, states)
    try:
        python = old_pyspark("3.5.9", "3.11")
    except Skipped as reason:
        give_up(str(reason))
    files, output = Input(tmp_path / "in"), tmp_path / "old-out"
    with started([str(python), "old.py", "old", files.argument], tmp_path, "old-out") as process:
        wait_for("a start", process, lambda: "Time: " in output.read_text())
        for _ in range(2):
            files.grow()
            files.wait(process, output)
        wait_for("saved states", process, partial(is_saved, tmp_path / "old"))
        files.grow()
    go_on(tmp_path, files, ("--conf", "spark.streaming.compat.importFrom=old"))
    assert ("exported_state" in (tmp_path / "job.py").read_text()) == (states != SUMS)


@pytest.mark.slow
@pytest.mark.full
def test_offsets_of_kafka(
    broker: Broker, topic: str, connector: list[Path], tmp_path: Path
) -> None:
    write_job(tmp_path, KAFKA, SUMS)
    records = Records(tmp_path / "in", broker, topic)
    records.grow()
    jars = ("--jars", ",".join(map(str, connector)))
    go_on(tmp_path, records, jars, " ".join(jars))
