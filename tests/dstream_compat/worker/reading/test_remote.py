"""What a task does when the server in its executor ends in the middle of a file."""

from __future__ import annotations

import socket
import struct
import threading

import pytest

from dstream_compat.worker.reading.remote import RemoteReader

SIZE = struct.Struct(">i")


@pytest.mark.parametrize("answer", [SIZE.pack(200) + b"x" * 100, SIZE.pack(200), b"\0\0"])
def test_a_part_of_a_file_is_no_file(answer: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            peer, _ = server.accept()
            with peer:
                peer.recv(1 << 16)
                peer.sendall(answer)
                peer.shutdown(socket.SHUT_WR)
                # until the task has gone: what is not read would reset the connection
                while peer.recv(1 << 16):
                    pass

        thread = threading.Thread(target=serve)
        thread.start()
        reader = RemoteReader(f"127.0.0.1 {server.getsockname()[1]} {'00' * 32}")
        with pytest.raises(OSError, match=r"hdfs:/a: .*clos"), reader.open("hdfs:/a") as stream:
            while stream.read():
                pass
        reader.close()
        thread.join(60)
        assert not thread.is_alive()
