"""Serves files that only the JVM can read to the tasks, block by block.

Python tasks have no way into their JVM. So the driver listens on a port, and its JVM copies a file
from Hadoop's file system to the socket of the task that asks for it; the driver's Python sees none
of its bytes. Whoever asks must know a token, which only the tasks of this job are sent.
"""

from __future__ import annotations

import atexit
import contextlib
import hmac
import logging
import secrets
import threading
from typing import Any

from py4j.protocol import Py4JError, Py4JNetworkError
from pyspark import SparkContext

from ...spark.conf import conf_of
from ...storage.files import hadoop, reason_of
from ...wire.errors import SPARK_ERRORS
from ...worker.reading.remote import PORT, REQUEST, WAIT_SECONDS, Address, serve_by

_LOG = logging.getLogger("dstream_compat")
_TOKEN = 32


class FileServer:
    """Serves files of any Hadoop file system to the tasks of this driver."""

    def __init__(self, sc: SparkContext) -> None:
        jvm: Any = sc._jvm
        self._jvm = jvm
        conf = conf_of(sc)
        host = conf.get("spark.driver.host") or "localhost"
        bind = jvm.java.net.InetAddress.getByName(conf.get("spark.driver.bindAddress") or host)
        port = int(conf.get(PORT) or "0")
        self._server: Any = jvm.java.net.ServerSocket(port, 100, bind)
        self.address = Address(host, self._server.getLocalPort(), secrets.token_bytes(_TOKEN))
        threading.Thread(target=self._accept, name="dstream-compat-files", daemon=True).start()
        # the JVM of spark-submit outlives the program as long as one of its threads accepts
        atexit.register(self._close)

    def _close(self) -> None:
        with contextlib.suppress(Py4JError, OSError):  # the JVM may be gone
            self._server.close()

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
            peer.setSoTimeout(int(WAIT_SECONDS * 1000))
            peer.setKeepAlive(True)
            # of a small file, the size and the content are packets of their own
            peer.setTcpNoDelay(True)
            source = self._jvm.java.io.DataInputStream(peer.getInputStream())
            if not hmac.compare_digest(bytes(source.readNBytes(_TOKEN)), self.address.token):
                _LOG.warning(
                    "a file was refused to a connection that did not send the token of this job"
                )
                return
            # a task asks for its next file when what follows has taken the last one, however late
            peer.setSoTimeout(0)
            while len(head := bytes(source.readNBytes(REQUEST.size))) == REQUEST.size:
                start, most, length = REQUEST.unpack(head)
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
        key = (id(sc._jvm), conf_of(sc).get("spark.driver.host") or "")
        if key not in _servers:
            _servers[key] = FileServer(sc)
        return _servers[key].address


# Entries of files are pickled with the address of the process that they are pickled in.
serve_by(served_at)
