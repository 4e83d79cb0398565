"""A job over a socket with a write-ahead log; unchanged on DStreams, and on dstream_compat.

``socket_job.py SETTINGS`` as in ``batches``, with the port on which the job itself serves lines.
"""

from __future__ import annotations

import socket
import threading
import time

from batches import given, line_of, live, started
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from words import count


def create() -> StreamingContext:
    ssc = StreamingContext(SparkContext.getOrCreate(), 1)
    ssc.checkpoint(given["checkpoint"])
    count(ssc.socketTextStream("127.0.0.1", given["port"]).flatMap(lambda line: line.split()))
    return ssc


server = socket.create_server(("127.0.0.1", given["port"]))
peers: list[socket.socket] = []


def feed(second: int) -> None:
    """Send a line, and wait until it is logged."""
    if not peers:
        peers.append(server.accept()[0])
    peers[0].sendall(f"{line_of(second)}\n".encode())
    pause, deadline = threading.Event(), time.monotonic() + 600
    while not is_received():
        assert time.monotonic() < deadline, second
        pause.wait(0.05)


def is_received() -> bool:
    if not hasattr(ssc, "_clock"):
        return bool(ssc._jssc.ssc().scheduler().receiverTracker().hasUnallocatedBlocks())
    return bool(ssc._job.inputs[0].count_received())


started("an old job over a socket")
ssc = StreamingContext.getOrCreate(given["checkpoint"], create)
live(ssc, feed)
