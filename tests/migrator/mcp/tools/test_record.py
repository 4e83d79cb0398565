"""The tool `record`."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from dstream_compat.testing.recordings import read_batches
from tests.support.migrator.assistant import call

pytestmark = pytest.mark.slow


@pytest.fixture
def port() -> Iterator[int]:
    """The port of a server that serves two lines to whoever connects."""
    peers: list[socket.socket] = []
    with socket.create_server(("localhost", 0)) as server:

        def serve() -> None:
            with contextlib.suppress(OSError):
                while True:
                    peers.append(server.accept()[0])
                    peers[-1].sendall(b"ann 1\nbob 2\n")

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield int(server.getsockname()[1])
        # wakes the thread
        server.shutdown(socket.SHUT_RDWR)
        thread.join(30)
        for peer in peers:
            peer.close()


def test_the_sources_of_a_job(project: Path, port: int) -> None:
    job = project / "jobs" / "job.py"
    text = job.read_text().replace('"localhost", 9999', "sys.argv[1], int(sys.argv[2])")
    job.write_text(f"import sys\n{text}")
    found = call(
        project,
        "record",
        job="jobs/job.py",
        arguments=["localhost", str(port)],
        out="taken",
        batches=2,
        interval=0.2,
        mask=["0"],
    ).result
    assert (found["recording"], found["batches"], found["records"]) == ("taken", 2, 2)
    assert found["complete"] is True
    recording = read_batches(project / "taken" / "batches.jsonl")
    batches = recording.batches.values()
    lines = [line for given in batches for line in given.get(f"socket:{port}", [])]
    assert [line.split()[1] for line in lines] == ["1", "2"]
    assert not any("ann" in line for line in lines)


def test_a_recording_that_takes_too_long_keeps_what_arrived(project: Path, port: int) -> None:
    # on a busy machine, a short time may end before anything arrives, which is an error
    for seconds in (3, 12, 48):
        answer = call(
            project,
            "record",
            *("--run-timeout", str(seconds)),
            sources=[f"socket:localhost:{port}"],
            out="taken",
            batches=10_000,
            interval=0.2,
        )
        if not answer.error:
            break
    assert answer.result["complete"] is False
    assert 0 < answer.result["batches"] < 10_000
    first = (project / "taken" / "batches.jsonl").read_text().splitlines()[0]
    assert json.loads(first)["interval"] == 0.2


def test_nobody_listens(project: Path) -> None:
    with socket.create_server(("localhost", 0)) as server:
        port = server.getsockname()[1]
    answer = call(project, "record", sources=[f"socket:localhost:{port}"], out="taken", batches=1)
    assert f"cannot connect to localhost:{port}" in answer.error
