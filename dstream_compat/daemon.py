"""Forks Python workers as ``pyspark.daemon`` does; they know ``pyspark.streaming`` as this package.

Spark starts it where ``spark.python.daemon.module`` says so.
"""

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

_ZIP = "pyspark.zip"
_SOCKETS = "PYTHON_WORKER_FACTORY_SOCK_DIR"


def _prefer_compiled() -> None:
    """Import pyspark from its folder, not from the zip in it, which has no compiled modules.

    Spark names the zip to workers. To compile what they import takes 0.5 s of each daemon.
    """
    zipped = next((Path(entry) for entry in sys.path if Path(entry).name == _ZIP), None)
    if zipped is None or len(zipped.parts) < 4:
        return
    package = zipped.parents[2]  # pyspark/python/lib/pyspark.zip
    if package.name != "pyspark" or not (package / "__init__.py").is_file():
        return
    sys.path.insert(0, str(package.parent))
    try:
        import pyspark  # noqa: F401
    finally:
        sys.path.remove(str(package.parent))


def quiet_without_reader(worker: Callable[..., int]) -> Callable[..., int]:
    """Let a worker end without a traceback when the JVM has closed its socket.

    That is how tasks are cancelled when a job stops; errors of functions are caught before.
    """

    def run_worker(*args: object) -> int:
        try:
            return worker(*args)
        except (BrokenPipeError, ConnectionResetError):
            return 1

    return run_worker


def listen_in_private(manager: Callable[[], None]) -> None:
    """Run PySpark's daemon; who can connect to its Unix socket, if it makes one, runs code.

    The folder is short enough for the socket, and removed when the daemon ends.
    """
    given = os.environ.get(_SOCKETS)
    if given is None:  # it listens on a port, and wants a secret
        manager()
        return
    from dstream_compat.wire.socket_paths import private_folder

    os.environ[_SOCKETS] = folder = private_folder(first=given)
    try:
        manager()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    _prefer_compiled()

    from pyspark import daemon

    from dstream_compat.names.finder import add_finder
    from dstream_compat.names.storage_levels import restore_old_levels

    add_finder()
    restore_old_levels()
    daemon.worker = quiet_without_reader(daemon.worker)
    listen_in_private(daemon.manager)
