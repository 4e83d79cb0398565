"""Two executor processes: sockets, files, state and failing records work there, too."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.streaming.processes import run_job


@pytest.fixture
def numbers() -> Iterator[int]:
    """Serve thirty numbers and one record that fails; yields the port."""
    listener = socket.create_server(("127.0.0.1", 0))
    over = threading.Event()

    def serve() -> None:
        peer, _ = listener.accept()
        with peer:
            for number in range(30):
                peer.sendall(f"{number}\n".encode() + (b"bad\n" if number == 15 else b""))
                over.wait(0.05)
            over.wait(300)

    threading.Thread(target=serve, daemon=True).start()
    yield listener.getsockname()[1]
    over.set()
    listener.close()


@pytest.mark.slow
@pytest.mark.full
def test_local_cluster(numbers: int, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    folders = str(tmp_path / "checkpoint"), str(tmp_path / "in")
    done = run_job("cluster", str(numbers), *folders, deadline=180)
    assert done.code == 0, done.out + done.err[-3000:]
    assert "totals: [('0', 10), ('1', 10), ('2', 10)]" in done.out
    assert "files: ['file system', 'of another']" in done.out
    assert "executors: 2" in done.out
    assert "error: ValueError: cannot parse bad" in done.out
    assert "cause: ValueError" in done.out
