"""Socket sources with a write-ahead log."""

from __future__ import annotations

from dstream_compat.source.receivers.socket import SocketSource


def socket_source(port: int) -> SocketSource:
    return SocketSource("127.0.0.1", port, 2)
