"""Files that only the JVM can read: tasks get them through the driver, block by block.

Python tasks have no way into their JVM. So the driver listens on a port, and its JVM copies a file
from Hadoop's file system to the socket of the task that asks for it; the driver's Python sees none
of its bytes. Whoever asks must know a token, which only the tasks of this job are sent.
"""

from __future__ import annotations

import contextlib
import hmac
import logging
import secrets
import socket
import struct
import threading
from collections.abc import Iterator
from typing import Any, NamedTuple

from py4j.protocol import Py4JError, Py4JNetworkError
from pyspark import SparkContext

from ..engine.errors import SPARK_ERRORS
from ..storage import hadoop, reason_of
from .splits import WHOLE, Split

_LOG = logging.getLogger("dstream_compat")
_TOKEN = 32
_REQUEST = struct.Struct(">qqH")
"""What a task asks for: first byte, most bytes, and the bytes of the path, which follows."""
_ALL = (1 << 63) - 1
_FURTHER = 1 << 16
"""Bytes that are asked for at once beyond the end of a split, where its last line ends."""
_WAIT = 120.0
"""Seconds that a task waits for the next bytes."""

PORT = "spark.streaming.compat.filePort"


class Address(NamedTuple):
    """Where the files of a job are served, and the token to ask with."""

    host: str
    port: int
    token: bytes


class FileServer:
    """Serves files of any Hadoop file system to the tasks of this driver."""

    def __init__(self, sc: SparkContext) -> None:
        jvm: Any = sc._jvm
        self._jvm = jvm
        conf = sc.getConf()
        host = conf.get("spark.driver.host") or "localhost"
        bind = jvm.java.net.InetAddress.getByName(conf.get("spark.driver.bindAddress") or host)
        port = int(conf.get(PORT) or "0")
        self._server: Any = jvm.java.net.ServerSocket(port, 100, bind)
        self.address = Address(host, self._server.getLocalPort(), secrets.token_bytes(_TOKEN))
        threading.Thread(target=self._accept, name="dstream-compat-files", daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                peer = self._server.accept()
            except (Py4JError, OSError) as error:
                # the JVM has ended, or is about to
                _LOG.debug("files are served no more: %s", error)
                return
            threading.Thread(
                target=self._serve, args=(peer,), name="dstream-compat-files", daemon=True
            ).start()

    def _serve(self, peer: Any) -> None:
        """Answer one task: it may ask for several files, one after another."""
        try:
            peer.setSoTimeout(int(_WAIT * 1000))
            peer.setKeepAlive(True)
            # of a small file, the size and the content are packets of their own
            peer.setTcpNoDelay(True)
            source = self._jvm.java.io.DataInputStream(peer.getInputStream())
            if not hmac.compare_digest(bytes(source.readNBytes(_TOKEN)), self.address.token):
                _LOG.warning("someone without the token of this job asked for a file")
                return
            # a task asks for its next file when what follows has taken the last one, however late
            peer.setSoTimeout(0)
            while len(head := bytes(source.readNBytes(_REQUEST.size))) == _REQUEST.size:
                start, most, length = _REQUEST.unpack(head)
                path = bytes(source.readNBytes(length)).decode()
                if not self._send(peer.getOutputStream(), path, start, most):
                    return
        except SPARK_ERRORS as error:
            _LOG.debug("a task that read files has gone: %s", reason_of(error))
        except Py4JNetworkError as error:
            _LOG.debug("files are served no more: %s", error)
        finally:
            with contextlib.suppress(Py4JError, OSError):  # the JVM may be gone
                peer.close()

    def _send(self, target: Any, path: str, start: int, most: int) -> bool:
        """Send a part of a file; returns whether the task can ask for another one."""
        output = self._jvm.java.io.DataOutputStream(target)
        try:
            place = self._jvm.org.apache.hadoop.fs.Path(path)
            _, configuration = hadoop(SparkContext._active_spark_context)
            system = place.getFileSystem(configuration)
            size = min(max(system.getFileStatus(place).getLen() - start, 0), most)
            stream = system.open(place)
        except SPARK_ERRORS as error:
            reason = reason_of(error).encode()
            output.writeLong(-len(reason))
            output.write(reason)
            return True
        try:
            if start and size:
                stream.seek(start)
            output.writeLong(size)
            # a file that has become shorter ends the connection, which the task notices
            copied = self._jvm.org.apache.commons.io.IOUtils.copyLarge(stream, output, 0, size)
            return bool(copied == size)
        finally:
            stream.close()


_lock = threading.Lock()
_servers: dict[tuple[int, str], FileServer] = {}


def served_at() -> Address | None:
    """Return where this process serves files; None where there is no SparkContext."""
    sc = SparkContext._active_spark_context
    if sc is None:
        return None
    with _lock:
        key = (id(sc._jvm), sc.getConf().get("spark.driver.host") or "")
        if key not in _servers:
            _servers[key] = FileServer(sc)
        return _servers[key].address


class RemoteReader:
    """Reads files from the driver, in a task.

    Parameters
    ----------
    address : Address
        where they are served
    """

    def __init__(self, address: Address) -> None:
        self._socket = socket.create_connection((address.host, address.port), _WAIT)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._stream: Any = self._socket.makefile("rb", 1 << 20)
        self._socket.sendall(address.token)
        self._left = 0
        self._path = ""
        self._next: int | None = None

    def open(self, path: str, split: Split = WHOLE) -> RemoteReader:
        """Begin with a file.

        Parameters
        ----------
        path : str
            any Hadoop path
        split : Split
            the part that is sent at once; reading may go on behind it, unless it is the last one

        Raises
        ------
        FileNotFoundError, OSError
            if the driver cannot read it
        """
        self.skip()
        self._path, self._next = path, None if split.last else split.end
        self._ask(split.start, _ALL if split.end is None else split.end - split.start)
        return self

    def _ask(self, start: int, most: int) -> None:
        name = self._path.encode()
        self._socket.sendall(_REQUEST.pack(start, most, len(name)) + name)
        (size,) = struct.unpack(">q", self._take(8))
        if size < 0:
            reason = self._take(-size).decode()
            kind = FileNotFoundError if "FileNotFoundException" in reason else OSError
            raise kind(f"{self._path}: {reason}")
        self._left = size

    def read(self, size: int = -1, /) -> bytes:
        """Return at most that many bytes of the file; none at its end."""
        if not self._left and self._next is not None:
            self._ask(self._next, _FURTHER)
            self._next += self._left
        wanted = self._left if size < 0 else min(size, self._left)
        data: bytes = self._stream.read1(wanted) if wanted else b""
        if wanted and not data:
            raise OSError("the driver has closed the connection in the middle of a file")
        self._left -= len(data)
        return data

    def skip(self) -> None:
        """Go to the end of what was asked for."""
        while self._left:
            self.read(1 << 20)

    def close(self) -> None:
        """Ask for nothing more."""
        self._stream.close()
        self._socket.close()

    def _take(self, size: int) -> bytes:
        data: bytes = self._stream.read(size)
        if len(data) < size:
            raise OSError("the driver has closed the connection")
        return data


class RemoteReaders:
    """The connections of one task, made when they are needed."""

    def __init__(self) -> None:
        self._readers: dict[Address, RemoteReader] = {}

    @contextlib.contextmanager
    def open(self, address: Address, path: str, split: Split) -> Iterator[RemoteReader]:
        """Open a file; what is not read of it is skipped."""
        reader = self._readers.get(address)
        if reader is None:
            reader = self._readers[address] = RemoteReader(address)
        try:
            yield reader.open(path, split)
            reader.skip()
        except BaseException:
            # where it stands is not known
            self._readers.pop(address, None)
            reader.close()
            raise

    def close(self) -> None:
        """Close all of them."""
        for reader in self._readers.values():
            reader.close()
        self._readers.clear()
