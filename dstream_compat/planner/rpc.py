"""The private socket through which Spark's planner process asks the driver's scheduler.

Decision 0004: Clock, sources and receivers are in the driver.
"""

from __future__ import annotations

import contextlib
import logging
import shutil
import threading
import traceback
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path
from typing import Any, Final

from ..wire.socket_paths import private_folder

_LOG = logging.getLogger("dstream_compat")
_NAME: Final = "scheduler"


class SchedulerServer:
    """Serves the public methods of a scheduler on a socket that only this user can open.

    Parameters
    ----------
    scheduler : object
        what answers; a method's exception is sent back as text
    """

    def __init__(self, scheduler: Any) -> None:
        self._scheduler = scheduler
        self._folder = private_folder(_NAME)
        self.address = str(Path(self._folder, _NAME))
        self._listener = Listener(self.address, "AF_UNIX")
        self._closed = False
        threading.Thread(target=self._accept, name="dstream-compat-rpc", daemon=True).start()

    def close(self) -> None:
        """Accept no more connections and remove the socket."""
        if self._closed:
            return
        self._closed = True
        with contextlib.suppress(OSError):  # closing alone does not wake a thread in accept()
            Client(self.address, "AF_UNIX").close()
        self._listener.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _accept(self) -> None:
        while not self._closed:
            try:
                connection = self._listener.accept()
            except OSError as error:
                if not self._closed:
                    _LOG.warning("a connection of Spark's planner failed: %s", error)
                continue
            if self._closed:
                connection.close()
                return
            threading.Thread(
                target=self._serve, args=(connection,), name="dstream-compat-rpc", daemon=True
            ).start()

    def _serve(self, connection: Connection) -> None:
        with connection:
            while True:
                try:
                    method, args = connection.recv()
                except (EOFError, OSError):
                    return  # the planner ended
                try:
                    answer = True, getattr(self._scheduler, method)(*args)
                except Exception as error:
                    answer = False, f"{error}\n{traceback.format_exc()}"
                try:
                    connection.send(answer)
                except OSError:
                    return
