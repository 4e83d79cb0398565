"""What one driver can receive: lines of a socket and messages of MQTT, without any job.

``python benchmarks/receivers.py [--seconds N] [--size BYTES ...] [NAME ...]`` lets a process send
records as fast as they are taken, and takes what was received of each second into a plan, as a job
with batches of one second does. Prints for each receiver and size of record the records and
megabytes per second, the CPU seconds of the driver for each second, and what a core of its own
would receive by that: on a busy machine the first two are lower. A sender of MQTT stands in for a
broker that never makes a client wait: quality of service 1, no limit of messages in flight.

Names: ``socket``, ``socket-log`` and ``mqtt`` (default: all). ``socket-log`` writes what it
receives to a folder first, as with ``spark.streaming.receiver.writeAheadLog.enable``.
"""

from __future__ import annotations

import argparse
import multiprocessing
import pickle
import socket
import struct
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pyspark import SparkConf

from dstream_compat.clock import SystemClock
from dstream_compat.settings import WRITE_AHEAD_LOG
from dstream_compat.source.base import Items, Timeline
from dstream_compat.source.receivers.mqtt import TEXT, MQTTSource
from dstream_compat.source.receivers.receiver import ReceivedSource
from dstream_compat.source.receivers.socket import SocketSource
from dstream_compat.storage.files import LocalStorage
from dstream_compat.storage.spool import Spool
from dstream_compat.worker.reading.entries import Chunk

INTERVAL: Final = 1000
SIZES: Final = (20, 100, 1000)
PARTITIONS: Final = 4
NO_SPARK: Final[Any] = None
NO_DEMAND: Final[Any] = None
"""Receivers plan without a SparkContext, and all that they receive."""
WARM_UP: Final = 2
"""Seconds that are not counted."""
_BLOCK: Final = 1 << 16
_CONNECT, _SUBSCRIBE, _PUBLISH = 1, 8, 3


@dataclass(frozen=True)
class Receiver:
    """One kind of receiver.

    Parameters
    ----------
    name : str
        as on the command line
    send : callable
        serves the peer of a connection, forever: (connection, bytes of a record)
    make : callable
        makes the source for a port
    logged : bool
        whether what is received is written to a folder first
    """

    name: str
    send: Callable[[socket.socket, int], None]
    make: Callable[[int], ReceivedSource]
    logged: bool = False


def send_lines(peer: socket.socket, size: int) -> None:
    """Send lines of so many bytes, with their ends."""
    line = b"x" * (size - 1) + b"\n"
    block = line * max(_BLOCK // size, 1)
    while True:
        peer.sendall(block)


def send_messages(peer: socket.socket, size: int) -> None:
    """Answer a subscriber as a broker does, then publish messages of so many bytes."""
    stream = peer.makefile("rb")
    for kind, body in packets(stream):
        if kind == _CONNECT:
            peer.sendall(b"\x20\x02\x00\x00")
        elif kind == _SUBSCRIBE:
            peer.sendall(b"\x90\x03" + body[:2] + b"\x01")
            break
    threading.Thread(target=lambda: all(stream.read1(_BLOCK) for _ in iter(int, 1))).start()
    number = 0
    while True:
        messages = []
        for _ in range(100):
            number = number % 0xFFFF + 1
            body = struct.pack(">H5sH", 5, b"words", number) + b"x" * size
            messages.append(bytes([_PUBLISH << 4 | 2]) + length(len(body)) + body)
        peer.sendall(b"".join(messages))


def packets(stream: Any) -> Iterator[tuple[int, bytes]]:
    """Yield the kinds and the bodies of MQTT packets."""
    while head := stream.read(1):
        size = shift = 0
        while True:
            (byte,) = stream.read(1)
            size |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
        yield head[0] >> 4, stream.read(size)


def length(size: int) -> bytes:
    """Return the remaining length of an MQTT packet."""
    found = bytearray()
    while True:
        size, byte = divmod(size, 128)
        found.append(byte | (128 if size else 0))
        if not size:
            return bytes(found)


RECEIVERS: Final = (
    Receiver("socket", send_lines, lambda port: SocketSource("127.0.0.1", port, PARTITIONS)),
    Receiver(
        "socket-log", send_lines, lambda port: SocketSource("127.0.0.1", port, PARTITIONS), True
    ),
    Receiver(
        "mqtt",
        send_messages,
        lambda port: MQTTSource("mqtt", f"tcp://127.0.0.1:{port}", ("words",), TEXT, PARTITIONS),
    ),
)


@contextmanager
def sender(receiver: Receiver, size: int) -> Iterator[int]:
    """Let a process send to whoever connects; yields its port."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        process = multiprocessing.get_context("fork").Process(
            target=serve, args=(server, receiver, size), daemon=True
        )
        process.start()
        yield server.getsockname()[1]
        process.kill()
        process.join()


def serve(server: socket.socket, receiver: Receiver, size: int) -> None:
    """Serve one peer."""
    peer, _ = server.accept()
    try:
        receiver.send(peer, size)
    except OSError:
        return  # the driver has hung up


def measure(receiver: Receiver, size: int, seconds: int) -> tuple[float, float]:
    """Return the records per second, and the driver's CPU seconds for each second."""
    conf = SparkConf(loadDefaults=False).set(WRITE_AHEAD_LOG.name, str(receiver.logged).lower())
    with sender(receiver, size) as port, tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "received"))
        spool = Spool(LocalStorage(), path) if receiver.logged else None
        running = receiver.make(port).open(conf, INTERVAL, spool, NO_DEMAND)
        clock = SystemClock()
        tick = clock.begin() // INTERVAL * INTERVAL
        running.start(Timeline(clock, INTERVAL, tick))
        counted, cpu, since = 0, 0.0, 0.0
        for number in range(WARM_UP + seconds):
            tick += INTERVAL
            time.sleep(max(tick / 1000 - time.time(), 0.0))
            parts = running.plan(NO_SPARK, [tick])[tick]
            pickle.dumps(parts, 5)
            running.forget_until(tick)
            if number >= WARM_UP:
                counted += records(parts)
            if number == WARM_UP - 1:
                cpu, since = time.process_time(), time.monotonic()
        took = time.monotonic() - since
        used = time.process_time() - cpu
        running.stop_receiving()
    return counted / took, used / took


def records(parts: list[Items]) -> int:
    """Return how many records a plan has."""
    return sum(item.count for items in parts for item in items if isinstance(item, Chunk))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--size", type=int, nargs="+", default=SIZES, help="bytes of a record")
    given = parser.parse_args()
    print("receiver     bytes    records/s     MB/s    CPU  records/CPU s  MB/CPU s")
    for receiver in RECEIVERS:
        if not given.names or receiver.name in given.names:
            for size in given.size:
                rate, cpu = measure(receiver, size, given.seconds)
                megabytes = rate * size / 1e6
                print(
                    f"{receiver.name:12}{size:6}{rate:13,.0f}{megabytes:9.1f}{cpu:7.2f}"
                    f"{rate / cpu:15,.0f}{megabytes / cpu:10.1f}"
                )


if __name__ == "__main__":
    main()
