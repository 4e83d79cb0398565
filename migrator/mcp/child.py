"""Runs a module as `python -m` does, and ends when the process that started it is gone.

Standard input is a pipe of that process, in which it writes nothing: it ends with it, however that
ends.
"""

from __future__ import annotations

import os
import runpy
import signal
import sys
import threading

# a command that does not end by itself then is ended
_GRACE_SECONDS = 20.0


def _end_with_parent() -> None:
    while os.read(0, 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    threading.Event().wait(_GRACE_SECONDS)
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    threading.Thread(target=_end_with_parent, daemon=True).start()
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
