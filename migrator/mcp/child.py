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

from migrator.verify.processes import descendants, kill

# a command that does not end by itself then is ended
_GRACE_SECONDS = 20.0


def _end_with_parent() -> None:
    while os.read(0, 1):
        pass
    own = os.getpid()
    before = descendants(own)
    os.kill(own, signal.SIGTERM)
    # what it has just started it may not know yet; the jobs would be killed in any case
    kill({pid: start for pid, start in before.items() if pid != own})
    threading.Event().wait(_GRACE_SECONDS)
    kill(descendants(own))


if __name__ == "__main__":
    threading.Thread(target=_end_with_parent, daemon=True).start()
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
