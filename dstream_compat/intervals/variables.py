"""Looks at the driver's variables at each batch time, also while earlier batches still run.

DStreams generate a batch at its batch time, however late it runs, and pickle its functions then.
"""

from __future__ import annotations

import threading
from typing import Protocol

from ..clock import Clock


class WatchedVariables(Protocol):
    """What the functions of a query see of the driver; all times are milliseconds."""

    def note(self, due: int) -> None:
        """Note what they see now, for all batches up to a time that were not noted before."""

    def same_until(self, last: int, due: int, interval: int) -> int:
        """Return until which batch time those after ``last`` may run together.

        Parameters
        ----------
        last : int
            end of the micro-batch before
        due : int
            the last batch time that is due
        interval : int
            between two batch times
        """


class VariableWatch:
    """A thread that looks at variables at each batch time.

    Parameters
    ----------
    variables : WatchedVariables
        what to look at
    clock, interval : Clock, int
        batch times are the multiples of ``interval`` milliseconds
    """

    def __init__(self, variables: WatchedVariables, clock: Clock, interval: int) -> None:
        self._variables = variables
        self._clock = clock
        self._interval = interval
        self._wake = threading.Condition()
        self._ended = False
        self._thread = threading.Thread(
            target=self._run, name="dstream-compat-variables", daemon=True
        )

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def end(self) -> None:
        """Look no more."""
        with self._wake:
            self._ended = True
            self._wake.notify_all()

    def _run(self) -> None:
        while True:
            due = self._clock.now() // self._interval * self._interval
            self._variables.note(due)
            with self._wake:
                if self._ended:
                    return
                self._clock.wait(self._wake, due + self._interval)
