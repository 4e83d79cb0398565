"""Reads live sources: a socket that serves lines, a folder in which files appear, Kafka."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
from pathlib import Path
from typing import Any, Protocol

from dstream_compat.testing.errors import RecordingError
from dstream_compat.testing.line_files import decode_lines, lines_of_file
from migrator.discover.paths import is_within
from migrator.errors import MigrateError
from migrator.verify.live_kafka import Topic

FORMS = "socket:HOST:PORT, file:FOLDER or kafka:BROKERS/TOPIC"
_RETRY_SECONDS = 2.0
_CONNECT_SECONDS = 5.0


class LiveSource(Protocol):
    """A live source: its name in recordings, and why it gives nothing now, if it cannot.

    Parameters
    ----------
    broken : int
        How many lines it has had that are not UTF-8.
    left_out : list of str
        What it has had that is not recorded, and why.
    """

    name: str
    problem: str
    broken: int
    left_out: list[str]

    def open(self) -> None:
        """Start to read."""

    def take(self) -> Any:
        """Return what has arrived since the last call, as a batch of a recording has it."""

    def close(self) -> None:
        """End reading."""


def source(text: str, kafka: dict[str, str] | None = None) -> LiveSource:
    """Return the source that an option names, such as ``socket:localhost:9999`` or ``file:/logs``.

    Parameters
    ----------
    kafka : dict of str to str, optional
        More settings of a consumer.

    Raises
    ------
    MigrateError
        If there is no such kind of source.
    """
    kind, _, rest = text.partition(":")
    if kind == "socket":
        host, _, port = rest.rpartition(":")
        if not host or not port.isdigit() or not 0 < int(port) < 65536:
            raise MigrateError(f"--source {text}: write socket:HOST:PORT")
        return LiveSocket(host, int(port))
    if kind == "file":
        if not rest:
            raise MigrateError(f"--source {text}: write file:FOLDER")
        if not is_within(Path(rest)):
            raise MigrateError(f"{rest} is outside of the folder in which files may be read")
        return LiveFolder(rest)
    if kind == "kafka":
        servers, _, topic = rest.rpartition("/")
        if not servers or not topic:
            raise MigrateError(
                f"--source {text}: write kafka:BROKERS/TOPIC, such as kafka:localhost:9092/words"
            )
        return Topic(servers, topic, kafka)
    raise MigrateError(
        f"--source {text}: a live source is {FORMS}; records of Kinesis and MQTT are exported to a "
        "file of batches, one JSON line for each batch (docs/verify.md)"
    )


class LiveSocket:
    """Lines of a server, as a receiver reads them; it connects again when the server goes away."""

    def __init__(self, host: str, port: int) -> None:
        self.name = f"socket:{port}"
        self.problem = ""
        self.broken = 0
        self.left_out: list[str] = []
        self._address = (host, port)
        self._lock = threading.Lock()
        self._lines: list[str] = []
        self._closed = threading.Event()
        self._connection: socket.socket | None = None
        self._thread = threading.Thread(target=self._read, args=(), daemon=True)

    def open(self) -> None:
        """Connect, and start to read.

        Raises
        ------
        MigrateError
            If nobody listens.
        """
        try:
            self._connection = socket.create_connection(self._address, _CONNECT_SECONDS)
        except OSError as error:
            host, port = self._address
            raise MigrateError(
                f"cannot connect to {host}:{port}: {error.strerror or error}; start the server "
                "that the job reads, or name another one with --source"
            ) from error
        self._thread.start()

    def take(self) -> list[str]:
        """Return the lines that were read since the last call."""
        with self._lock:
            lines, self._lines = self._lines, []
        return lines

    def close(self) -> None:
        """Disconnect; the rest of a line without its end is a record, too."""
        self._closed.set()
        if self._connection is not None:
            with contextlib.suppress(OSError):
                # wakes the thread, which then closes it
                self._connection.shutdown(socket.SHUT_RDWR)
        if self._thread.ident is not None:
            self._thread.join()

    def _read(self) -> None:
        while not self._closed.is_set():
            if self._connection is not None:
                with self._connection as connection:
                    self._lines_of(connection)
                self._connection = None
            if not self._closed.wait(_RETRY_SECONDS):
                try:
                    self._connection = socket.create_connection(self._address, _CONNECT_SECONDS)
                    self.problem = ""
                except OSError as error:
                    host, port = self._address
                    self.problem = f"cannot connect to {host}:{port} again: {error}"

    def _lines_of(self, connection: socket.socket) -> None:
        connection.settimeout(None)
        rest = b""
        while True:
            try:
                data = connection.recv(65536)
            except OSError:
                data = b""
            if not data:
                break
            # only \n ends a line of a receiver
            *lines, rest = (rest + data).split(b"\n")
            self._add(lines)
        if rest:
            self._add([rest])

    def _add(self, lines: list[bytes]) -> None:
        texts, broken = decode_lines(lines)
        with self._lock:
            self._lines += texts
            self.broken += broken


class LiveFolder:
    """Files that appear in a folder by a rename, as `textFileStream` reads them."""

    def __init__(self, folder: str) -> None:
        self.name = f"file:{folder}"
        self.problem = ""
        self.broken = 0
        self.left_out: list[str] = []
        self._folder = Path(folder)
        self._seen: set[str] = set()

    def open(self) -> None:
        """Note what is there: only what comes later counts.

        Raises
        ------
        MigrateError
            If there is no such folder.
        """
        if not self._folder.is_dir():
            raise MigrateError(
                f"{self._folder} is no folder; make it, or name another one with --source"
            )
        self._seen = set(self._names())

    def take(self) -> dict[str, list[str]]:
        """Return the lines of the files that have appeared since the last call."""
        lines: dict[str, list[str]] = {}
        try:
            names = set(self._names())
        except OSError as error:
            self.problem = f"cannot list {self._folder}: {error.strerror or error}"
            return lines
        self.problem = ""
        for name in sorted(names - self._seen):
            self._seen.add(name)
            try:
                data = (self._folder / name).read_bytes()
            except OSError as error:
                # such as a file that a job has moved away meanwhile
                self.left_out.append(f"{name} cannot be read: {error.strerror or error}")
                continue
            try:
                lines[name], broken = lines_of_file(name, data)
                self.broken += broken
            except RecordingError as error:
                self.left_out.append(str(error))
        return lines

    def close(self) -> None:
        """Do nothing: nothing is open."""

    def _names(self) -> list[str]:
        with os.scandir(self._folder) as entries:
            # what is hidden is not read; a file that Spark would not finish is neither
            files = [entry for entry in entries if entry.is_file() and entry.name[0] not in "._"]
            return [
                file.name for file in files if not file.is_symlink() or is_within(Path(file.path))
            ]
