"""docs/production: its Python files are run, and its commands and settings exist."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.components.ports import free_ports
from tests.support.fenced import DOCS, ROOT, blocks, commands

PAGES = sorted((DOCS / "production").glob("*.md"))
FILES = {
    code.partition("\n")[0].removeprefix("# "): code
    for page in PAGES
    for code in blocks(page, "python")
}
DEADLINE = 300.0


def test_every_block_is_known() -> None:
    assert set(FILES) == {"job.py", "watch.py", "query.py", "carry.py"}
    submit, rehash, rescale = commands(DOCS / "production" / "upgrading.md")
    # tests/dstream_compat/job/test_rescaling.py runs both
    assert rehash == "python -m dstream_compat checkpoint rehash checkpoint"
    assert rescale == "python -m dstream_compat checkpoint rescale checkpoint --partitions 16"
    assert submit.startswith("python -m dstream_compat submit --conf spark.streaming.compat.")


def test_settings_exist() -> None:
    source = "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "dstream_compat").rglob("*.py")
    )
    pages = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    named = set(re.findall(r"(?<!py)spark\.streaming\.[\w.]*\w", pages))
    assert named
    assert [name for name in sorted(named) if f'"{name}"' not in source] == []


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, code in FILES.items():
        (tmp_path / name).write_text(code)
    return tmp_path


@contextlib.contextmanager
def running(
    folder: Path, port: int, *more: str
) -> Iterator[tuple[subprocess.Popen[str], socket.socket]]:
    """The job, connected to a server of ours."""
    server = socket.create_server(("127.0.0.1", port))
    server.settimeout(DEADLINE)
    settings = " ".join(f"--conf {setting}" for setting in more)
    log = (folder / "log").open("w")
    process = subprocess.Popen(
        [sys.executable, "job.py", str(folder / "kept"), "127.0.0.1", str(port)],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "PYSPARK_SUBMIT_ARGS": f"--master local[2] {settings} pyspark-shell",
        },
        stdout=subprocess.PIPE,
        stderr=log,
        text=True,
        start_new_session=True,
    )
    try:
        peer, _ = server.accept()
        with peer:
            yield process, peer
    finally:
        server.close()
        log.close()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def end(process: subprocess.Popen[str], folder: Path) -> list[dict[str, Any]]:
    """Stop the job; returns what its listener wrote."""
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=DEADLINE)
    log = (folder / "log").read_text()
    assert process.returncode == 143, log
    # errors go to the same file, now and then into the middle of a line
    told = re.findall(r'\{"batch": [^{}]*\}|\{"alert": "(?:[^"\\]|\\.)*"\}', log)
    return [json.loads(found) for found in told]


def read_until(process: subprocess.Popen[str], ending: str) -> None:
    assert process.stdout is not None
    while not (line := process.stdout.readline()).rstrip().endswith(ending):
        assert line, "the job ended"


@pytest.mark.slow
@pytest.mark.full
def test_job_is_stopped_continued_and_upgraded(folder: Path) -> None:
    (port,) = free_ports(1)  # a recovered job connects to where it did before
    with running(folder, port) as (process, peer):
        peer.sendall(b"a b\na\n")
        read_until(process, " a 2")
        peer.sendall(b"b\n")
        read_until(process, " b 2")
        told = end(process, folder)
    batches = [line for line in told if "batch" in line]
    assert sum(line["records"] for line in batches) == 3
    assert all(line["took"] > 0 and line["waited"] >= 0 for line in batches)
    assert batches[-1]["queued"] == 0
    assert not [line for line in told if "failed" in line.get("alert", "")]

    # With the setting, the current code goes on with the state; without, yesterday's would.
    (folder / "job.py").write_text(FILES["job.py"].replace("sum(new)", "10 * sum(new)"))
    with running(folder, port, "spark.streaming.compat.rebuildGraph=true") as (process, peer):
        peer.sendall(b"a\n")
        read_until(process, " a 12")
        end(process, folder)
    (folder / "job.py").write_text(FILES["job.py"])
    with running(folder, port) as (process, peer):
        peer.sendall(b"b\n")
        read_until(process, " b 12")
        end(process, folder)


PARTS = """\
import sys, threading
from pyspark import SparkConf, SparkContext
from dstream_compat import StreamingContext
from carry import read_state, write_state
from query import watch_query
from watch import Watch

conf = SparkConf().setMaster("local[2]").set("spark.ui.enabled", "false")
sc = SparkContext(conf=conf.set("spark.log.level", "ERROR"))
sc.setCheckpointDir(sys.argv[1])
query = watch_query(sc)
done = threading.Event()
asked = threading.Event()

def total(new, old):
    return sum(new) + (old or 0)

def run(initial, records, path):
    done.clear()
    ssc = StreamingContext(sc, 1)
    watch = Watch(late_seconds=0, silent_batches=2, stream=sys.stdout)
    ssc.addStreamingListener(watch)
    pairs = ssc.queueStream([records]).updateStateByKey(total, initialRDD=initial)
    pairs.foreachRDD(write_state(path))
    pairs.foreachRDD(lambda time, rdd: done.set() or 1 / 0)
    ssc.start()
    done.wait()
    ssc.stop(stopSparkContext=False, stopGraceFully=True)

run([], [("a", 1), ("b", 2)], "state.json")
run(read_state("state.json"), [("a", 10)], "later.json")
print(sorted(read_state("later.json")))
print(*query.lines, sep="\\n")
"""


@pytest.mark.slow
@pytest.mark.full
def test_parts(folder: Path) -> None:
    """State is carried over, and everything that can be alerted is."""
    (folder / "parts.py").write_text(PARTS)
    done = subprocess.run(
        [sys.executable, "parts.py", str(folder / "spark")],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=DEADLINE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert "[('a', 11), ('b', 2)]" in lines
    alerts = [json.loads(line)["alert"] for line in lines if line.startswith('{"alert"')]
    assert any("ms after it was due" in text for text in alerts)
    assert any(re.match(r"foreachRDD at parts.py:\d+ failed: ", text) for text in alerts)
    assert any("ZeroDivisionError" in text for text in alerts)
    assert lines.count("started: queueStream -> updateStateByKey") == 2
    assert any(re.fullmatch(r"micro-batch 1: \d+ ms, [1-9]\d* rows of state", x) for x in lines)
