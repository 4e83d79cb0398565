"""A line server, and what waits for a socket source."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from typing import Any

import pytest

from dstream_compat import StreamingContext
from tests.support.streaming.differential import DEADLINE


class Server:
    """Sends bytes to whoever connects, when it is told to."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self._peer: socket.socket | None = None

    def accept(self) -> None:
        self._listener.settimeout(DEADLINE)
        self._peer, _ = self._listener.accept()

    def send(self, data: bytes) -> None:
        assert self._peer is not None
        self._peer.sendall(data)

    def hang_up(self) -> None:
        assert self._peer is not None
        self._peer.close()

    def close(self) -> None:
        if self._peer is not None:
            self._peer.close()
        self._listener.close()


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    yield made
    made.close()


def socket_source(ssc: StreamingContext) -> Any:
    assert ssc._job is not None
    return ssc._job.inputs[0]
