"""Jobs and functions that pages show are run."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.fenced import DOCS, README, ROOT, blocks, commands
from tests.support.legacy.harness import LineServer
from tests.support.page_commands import environment, run, words

STARTED = DOCS / "getting-started.md"
ENVIRONMENT = {"python -m venv .venv", ". .venv/bin/activate"}
SERVER = "nc -lk 9999"
MIGRATED = "python legacy_examples-migrated/network_wordcount.py localhost 9999"

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
    more = {*ENVIRONMENT, SERVER, MIGRATED}
    assert set(commands(STARTED)) - set(commands(README)) == more


@pytest.mark.slow
@pytest.mark.full
def test_a_migrated_job_is_started(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "legacy_examples", tmp_path / "legacy_examples")
    assert run(words("migrate legacy_examples"), tmp_path).returncode == 1
    server = LineServer()
    *command, _, _ = words(MIGRATED)
    job = subprocess.Popen(
        [*command, "localhost", str(server.port)],
        cwd=tmp_path,
        env=environment(tmp_path),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # a test run in the background hands on that it ignores Ctrl-C
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    try:
        server.send(["to be or not to be"])
        assert job.stdout is not None
        assert any("('be', 2)" in line for line in job.stdout)
        job.send_signal(signal.SIGINT)
        _, err = job.communicate(timeout=120)
        assert job.returncode in (130, -signal.SIGINT), err
    finally:
        job.kill()
        server.close()


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
@pytest.mark.full
def test_map_with_state(tmp_path: Path) -> None:
    (code,) = blocks(DOCS / "semantics" / "state.md", "python")
    script = tmp_path / "job.py"
    script.write_text(code + TOTALS)

    done = run([sys.executable, str(script), str(tmp_path / "kept")], tmp_path, timeout=300)

    assert done.returncode == 0, done.stderr
    assert "totals: [[('a', 11), ('b', 2)], [('a', 14)]]" in done.stdout
