"""The life of a StreamingContext: its phases, in order, and the errors that it reports.

Decision 0075: One life cycle with ordered phases.
"""

from __future__ import annotations

import threading
from enum import IntEnum


class Phase(IntEnum):
    """What a context does; it only ever goes forward.

    NEW and the phases between STARTING and FAILED are Spark's ``StreamingContextState``
    ``INITIALIZED`` and ``ACTIVE``.
    """

    NEW = 0
    """Streams are defined."""
    STARTING = 1
    """``start()`` was called; no interval has begun yet."""
    RUNNING = 2
    """Each interval begins when it is due."""
    DRAINING = 3
    """Nothing more is received; what was received is processed."""
    STOPPING = 4
    """No micro-batch begins any more; the one that runs may end."""
    HALTING = 5
    """The micro-batch that runs ends after the interval that it is at."""
    ABORTING = 6
    """What runs is dropped."""
    FAILED = 7
    """The queries have ended, and nobody had asked for that."""
    STOPPED = 8


class BatchAborted(Exception):
    """The context was stopped in the middle of a micro-batch, which is therefore not committed."""


class Lifecycle:
    """The phase of one context and its errors, for all threads that take part.

    Attributes
    ----------
    began : bool
        whether the context has been RUNNING
    """

    def __init__(self) -> None:
        # reentrant: a signal handler may find its own thread in the middle of a change
        self._changed = threading.Condition()
        self._phase = Phase.NEW
        self.began = False
        self._ending: int | None = None
        self._reported: BaseException | None = None
        self._failure: BaseException | None = None

    @property
    def phase(self) -> Phase:
        """The phase that the context is in."""
        return self._phase

    @property
    def has_ended(self) -> bool:
        """Whether the queries have ended, or never began and cannot any more."""
        return self._phase >= Phase.FAILED

    @property
    def error(self) -> BaseException | None:
        """The latest error, of an output or of a query itself."""
        return self._reported

    def advance(self, phase: Phase) -> None:
        """Go on to a phase, unless that is behind."""
        with self._changed:
            self.began = self.began or phase is Phase.RUNNING
            self._phase = max(self._phase, phase)
            self._changed.notify_all()

    def wait_for(self, phase: Phase, seconds: float | None) -> bool:
        """Wait until a phase or a later one; returns whether it is.

        Parameters
        ----------
        phase : Phase
            what to wait for
        seconds : float, optional
            how long to wait at most
        """
        with self._changed:
            return self._changed.wait_for(lambda: self._phase >= phase, seconds)

    def wait_for_end_or_error(self, seconds: float | None) -> bool:
        """Wait until the queries have ended or an error is reported; returns whether they have."""
        with self._changed:
            self._changed.wait_for(lambda: self.has_ended or self._reported is not None, seconds)
            return self.has_ended

    def check(self) -> None:
        """Raise BatchAborted if what is running is to be dropped."""
        if self._phase >= Phase.ABORTING:
            raise BatchAborted("the StreamingContext was stopped; the rest of the batch is dropped")

    def report(self, error: BaseException) -> None:
        """Keep the error of an output for whoever waits for the end."""
        with self._changed:
            self._reported = error
            self._changed.notify_all()

    def fail(self, error: BaseException | None) -> None:
        """Keep why a query has ended, if it is the first one."""
        with self._changed:
            self._failure = self._failure or error

    def begin_end(self) -> bool:
        """Return whether the calling thread is the one that is to clean up; others wait for it."""
        with self._changed:
            if self._ending is None:
                self._ending = threading.get_ident()
                return True
            if self._ending != threading.get_ident():  # else it is a signal handler
                self._changed.wait_for(lambda: self.has_ended)
            return False

    def end(self) -> None:
        """Note that the queries have ended and everything is cleaned up."""
        with self._changed:
            self._reported = self._failure or self._reported
            asked = self._phase >= Phase.DRAINING and self._failure is None
            self.advance(Phase.STOPPED if asked else Phase.FAILED)
