"""The job of ``recovery.py``, killed at some call into the JVM.

Arguments: those of ``recovery.py``, then the number of the call at which to die (0: never), how
long after it (seconds), "driver" or "group" (the JVM, too), and "prompt" (one interval after
another) or "late" (all that are left at once).
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from typing import Any

from py4j.clientserver import ClientServerConnection

from dstream_compat import StreamingContext
from dstream_compat.testing import ManualClock
from tests.support.streaming.jobs import recovery_log
from tests.support.streaming.jobs.recovery import setup


class Death:
    """Counts the calls into the JVM, and kills this process some time after one of them."""

    def __init__(self, call: int, delay: float, group: bool) -> None:
        self._call, self._delay, self._group = call, delay, group
        self._lock = threading.Lock()
        self._send = ClientServerConnection.send_command
        self.calls = 0

    def arm(self) -> None:
        send, count = self._send, self._count

        def counted(connection: Any, command: str) -> Any:
            count()
            return send(connection, command)

        ClientServerConnection.send_command = counted

    def _count(self) -> None:
        with self._lock:
            self.calls += 1
            if self.calls != self._call:
                return
        if self._delay:
            threading.Timer(self._delay, self._kill).start()
        else:
            self._kill()

    def _kill(self) -> None:
        if self._group:
            os.killpg(os.getpgrp(), signal.SIGKILL)
        os.kill(os.getpid(), signal.SIGKILL)


def main() -> None:
    intervals = int(sys.argv[4])
    death = Death(int(sys.argv[7]), float(sys.argv[8]), sys.argv[9] == "group")
    ssc = StreamingContext.getOrCreate(sys.argv[1], setup)
    ssc.sparkContext.setLogLevel("OFF")
    death.arm()
    ssc.start()
    clock = ManualClock(ssc)
    while clock.now() < intervals:
        clock.advance(1 if sys.argv[10] == "prompt" else intervals - clock.now())
        while not recovery_log.wait(clock.now(), 0.2):
            ssc.awaitTerminationOrTimeout(0.01)
    ssc.stop()
    print(f"calls: {death.calls}", flush=True)


if __name__ == "__main__":
    main()
