"""Forks Python workers as ``pyspark.daemon`` does; they know ``pyspark.streaming`` as this package.

Spark starts it where ``spark.python.daemon.module`` says so.

Decision 0058: A worker daemon installs the names of pyspark.streaming.
"""

import contextlib
import os
import shutil
import sys
from collections.abc import Callable

from dstream_compat.python_start.sitecustomize import STATE, prefer_compiled

_SOCKETS = "PYTHON_WORKER_FACTORY_SOCK_DIR"


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
    prefer_compiled()  # to compile what workers import takes 0.5 s of each daemon

    from pyspark import daemon

    try:
        # once for all workers
        import dstream_compat.worker.operators.keyed_state
        import dstream_compat.worker.reading.entry_place
        import dstream_compat.worker.single_task
        import dstream_compat.worker.stages
        import dstream_compat.worker.state_calls  # noqa: F401
    except Exception as error:
        # A Python of another version has other packages, and Spark compares versions in workers
        # only, which tell the driver. So do those that need what is missing.
        print(f"dstream_compat.daemon: {type(error).__name__}: {error}", file=sys.stderr)
    from dstream_compat.names.finder import add_finder
    from dstream_compat.names.storage_levels import restore_old_levels

    if STATE in os.environ:
        # PySpark's results of state need them. They bear a fork: jemalloc and OpenBLAS, which have
        # threads, prepare for it. Where one is missing, only a worker that needs it fails.
        with contextlib.suppress(ImportError):
            import pandas  # noqa: F401
            import pyarrow  # noqa: F401

    add_finder()
    restore_old_levels()
    daemon.worker = quiet_without_reader(daemon.worker)
    listen_in_private(daemon.manager)
