"""Jobs and functions that pages show are run."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.docs.test_readme_commands import run
from tests.support.fenced import DOCS, README, blocks, commands

STARTED = DOCS / "getting-started.md"

TOTALS = """
import sys
from pyspark import SparkContext
from dstream_compat import StreamingContext

sc = SparkContext("local[2]", "totals")
ssc = StreamingContext(sc, 1)
ssc.checkpoint(sys.argv[1])
seen = []
pairs = ssc.queueStream([[("a", 1), ("b", 2)], [("a", 3)]])
totals, snapshots = add_totals(pairs, [("a", 10)])
totals.foreachRDD(lambda rdd: seen.append(sorted(rdd.collect())))
snapshots.pprint()
ssc.start()
while len(seen) < 2:
    ssc.awaitTerminationOrTimeout(0.5)
ssc.stop()
print("totals:", seen[:2])
"""


def test_commands_are_those_of_the_readme() -> None:
    assert set(commands(STARTED)) <= set(commands(README))


@pytest.mark.slow
def test_getting_started(tmp_path: Path) -> None:
    _, job = blocks(STARTED, "python")
    script = tmp_path / "job.py"
    script.write_text(job)

    done = run([sys.executable, str(script)], tmp_path, timeout=300)

    assert done.returncode == 0, done.stderr
    shown = {line for line in done.stdout.splitlines() if line.startswith("('")}
    assert shown == {"('to', 1)", "('be', 1)", "('or', 1)", "('not', 1)"}


@pytest.mark.slow
def test_map_with_state(tmp_path: Path) -> None:
    (code,) = blocks(DOCS / "semantics" / "state.md", "python")
    script = tmp_path / "job.py"
    script.write_text(code + TOTALS)

    done = run([sys.executable, str(script), str(tmp_path / "kept")], tmp_path, timeout=300)

    assert done.returncode == 0, done.stderr
    assert "totals: [[('a', 11), ('b', 2)], [('a', 14)]]" in done.stdout
