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
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from dstream_compat.exceptions import CheckpointError
from dstream_compat.old_checkpoint.folder import read_checkpoint
from scripts.test_versions import Skipped
from tests.support.legacy.harness import ROOT, session_end
from tests.support.old_engine.running import old_pyspark
from tests.support.programs import give_up
from tests.support.streaming.processes import run_python
from tests.support.structured.processes import appear, running, tables, wait_for

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
    words = ssc.textFileStream(sys.argv[2]).flatMap(lambda line: line.split(" "))
    ones = words.map(lambda word: (word, 1))
"""
SUMS = """
    sums = ones.updateStateByKey(add)
    sums.checkpoint(8)
    sums.pprint(100)
"""
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
def started(command: Sequence[str], folder: Path, output: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process in a folder, which SIGKILL ends with all that it has started."""
    variables = {name: value for name, value in os.environ.items() if name not in CLEAN}
    variables |= {"PYTHONUNBUFFERED": "1", "PYSPARK_PYTHON": command[0], "PYTHONPATH": ""}
    variables["PYSPARK_SUBMIT_ARGS"] = f"--master local[2] {QUIET} pyspark-shell"
    if "dstream_compat" in command:
        variables["PYTHONPATH"] = str(ROOT)
        del variables["PYSPARK_SUBMIT_ARGS"], variables["PYSPARK_PYTHON"]
    with (folder / output).open("wb") as out:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
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
        return content.saved() > content.zero
    except (CheckpointError, ValueError):
        return False


def exceeds(folder: Path, kind: str, number: int) -> bool:
    return sum(each.name.isdigit() for each in folder.glob(f"structured/*/{kind}/*")) > number


class Input:
    """Files that appear, and the totals of all of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.totals: Counter[str] = Counter()
        folder.mkdir()

    def grow(self) -> dict[str, int]:
        """Let a file appear; returns the totals with it."""
        number = len([*self.folder.iterdir()])
        words = ["all", "all", f"odd{number % 2}", f"new{number}"]
        self.totals.update(words)
        appear(
            self.folder / f"{number} of all", "\n".join((" ".join(words[:2]), *words[2:])) + "\n"
        )
        return dict(self.totals)


def old_python() -> str:
    try:
        return str(old_pyspark("3.5.9", "3.11"))
    except Skipped as reason:
        give_up(str(reason))


@pytest.mark.slow
@pytest.mark.full
@pytest.mark.parametrize("states", [SUMS, SUMS + OTHERS], ids=["portable", "classic"])
def test_from_dstreams_to_dataframes(states: str, tmp_path: Path) -> None:
    (tmp_path / "job.py").write_text(HEAD + states + TAIL)
    files = Input(tmp_path / "in")
    given = str(tmp_path / "in")
    kinds = ["", "known ", "seen "] if OTHERS in states else [""]

    def wait(process: Any, output: str, totals: Mapping[str, int]) -> None:
        expected = {f"{kind}{word}": total for kind in kinds for word, total in totals.items()}
        shown = partial(has_shown, tmp_path / output, expected)
        wait_for(f"{expected} in {output}", process, shown)

    with started([old_python(), "job.py", "old", given], tmp_path, "out-old") as process:
        wait_for("a start", process, lambda: "Time: " in (tmp_path / "out-old").read_text())
        wait(process, "out-old", files.grow())
        wait(process, "out-old", files.grow())
        wait_for("saved states", process, partial(is_saved, tmp_path / "old"))
        files.grow()

    taking = [*SUBMIT, "--conf", "spark.streaming.compat.importFrom=old", "job.py", "own", given]
    with started([sys.executable, *taking], tmp_path, "out-own") as process:
        wait(process, "out-own", dict(files.totals))
        wait(process, "out-own", files.grow())
        files.grow()

    done = run_python(
        "-m", "dstream_compat", "checkpoint", "export", "own", "--out", "export", cwd=tmp_path
    )
    assert done.code == 0, done.err
    files.grow()
    done = run_python(
        *("-m", "migrator", "job.py", "--target", "structured", "--state", "export", "--in-place"),
        cwd=tmp_path,
    )
    assert done.code == 0, done.out + done.err
    after = (tmp_path / "job.py").read_text()
    assert ("exported_state" in after) == (states != SUMS) and "StreamingContext" not in after

    for run, kind in enumerate(["offsets", "commits", "offsets"]):
        with running(tmp_path / "job.py", ["structured", given], tmp_path, run) as process:
            before = sum(1 for _ in tmp_path.glob(f"structured/*/{kind}/[0-9]*"))
            files.grow()
            wait_for(kind, process, partial(exceeds, tmp_path, kind, before))
    with running(tmp_path / "job.py", ["structured", given], tmp_path, 3) as process:
        wait(process, "output-3", files.grow())
