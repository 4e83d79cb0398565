"""The ``foreachBatch`` functions of a context: how they are called, and how they are cut off."""

from __future__ import annotations

import logging
import threading
from abc import ABC, abstractmethod
from typing import Any, Final

from py4j.protocol import Py4JError
from pyspark import SparkContext

from ..intervals.scheduler import Scheduler, Work
from ..spark.java import JVM_ERRORS, spark_is_there
from ..wire.errors import SPARK_ERRORS
from ..worker.attempts import attempts_of, tell_attempts
from .execution import Execution
from .rdds import MicroBatch
from .shipped_functions import Functions

_INTERRUPT_MS: Final = 10_000
_INTERRUPTION: Final = "java.lang.InterruptedException"
_INTERRUPTED: Final = (
    f"py4j.protocol.Py4JJavaError: An error occurred while calling sleep: {_INTERRUPTION}"
)


class BatchAborted(Exception):
    """The context was stopped in the middle of a micro-batch, which is therefore not committed."""


def _is_news(record: logging.LogRecord) -> bool:
    return not (record.exc_info and isinstance(record.exc_info[1], BatchAborted))


# py4j logs what a callback raises, with its traceback; this is how a stop is meant to end one.
logging.getLogger("py4j.clientserver").addFilter(_is_news)


class Stopping:
    """What all queries of a context are told when it is stopped.

    Attributes
    ----------
    halting : threading.Event
        begin no further interval
    now : threading.Event
        drop what is running
    """

    def __init__(self) -> None:
        self.halting = threading.Event()
        self.now = threading.Event()

    def check(self) -> None:
        """Raise BatchAborted if what is running is to be dropped."""
        if self.now.is_set():
            raise BatchAborted("the StreamingContext was stopped; the rest of the batch is dropped")


class Callback(ABC):
    """A ``foreachBatch`` function.

    Parameters
    ----------
    sc : SparkContext
        the user's context
    stopping : Stopping
        when to break off
    """

    def __init__(self, sc: SparkContext, stopping: Stopping) -> None:
        self._sc = sc
        self.stopping = stopping
        self.idle = threading.Event()
        self.idle.set()
        self.thread: int | None = None
        self.begun = threading.Event()
        self.failure: BaseException | None = None
        self.functions: Functions | None = None
        self.scheduler: Scheduler | None = None
        self.execution: Execution | None = None
        self._attempts = attempts_of(sc)

    class Java:
        """The Java interface that this object stands for."""

        implements = (
            "org.apache.spark.sql.execution.streaming.sources.PythonForeachBatchFunction",
        )

    def prepare(self, work: Work) -> None:  # noqa: B027
        """Get ready: a micro-batch is planned and about to be computed, in this thread."""

    @abstractmethod
    def run(self, batch: MicroBatch) -> None:
        """Process one micro-batch."""

    def call(self, frame: Any, batch_id: int) -> None:
        """Run one micro-batch (called by the JVM with a DataFrame, which is not computed yet)."""
        try:
            assert self.scheduler is not None
            work = self.scheduler.next(batch_id, self._check_spark, self._begin)
            if work is None:
                raise BatchAborted("the StreamingContext is being stopped; no batch is due")
            self._process(frame, work)
        except BaseException as error:
            self.failure = self._meant(error)
            if not isinstance(self.failure, BatchAborted):
                raise
            interrupted = _INTERRUPTION in str(error)
        else:
            return
        finally:
            self.thread = None
            self.idle.set()
        if not interrupted:
            interrupted = self._await_interrupt()
        # Spark looks for an interruption in the text, with a pattern that long tracebacks overflow.
        raise BatchAborted(_INTERRUPTED if interrupted else "the StreamingContext was stopped")

    def _begin(self) -> None:
        """Be busy from now on: an interval is due, and what it reads is about to be planned."""
        self.idle.clear()
        self.stopping.check()
        self.thread = threading.get_ident()
        self.begun.set()

    def _process(self, frame: Any, work: Work) -> None:
        assert self.execution is not None
        tell_attempts(self._sc, self._attempts)
        if self.functions is not None:
            self.functions.tell()
        self.prepare(work)
        batch = self.execution.compute(frame, work)
        try:
            self.run(batch)
        finally:
            batch.release()

    def _check_spark(self) -> None:
        """Plan nothing more when the context is being stopped, or there is no Spark any more."""
        self.stopping.check()
        if not spark_is_there(self._sc):
            raise BatchAborted("the SparkContext was stopped")

    def _meant(self, error: BaseException) -> BaseException:
        """Return BatchAborted for what Spark raises because the context is being stopped."""
        if self.stopping.now.is_set() and isinstance(error, (*JVM_ERRORS, *SPARK_ERRORS)):
            return BatchAborted("the StreamingContext was stopped while Spark computed a batch")
        return error

    def _await_interrupt(self) -> bool:
        """Wait in the query's own thread until Spark interrupts it; return whether it did.

        The query ends without an error then. If the micro-batch ended, it would be committed, and
        another failure would be logged as the query's.
        """
        jvm: Any = self._sc._jvm
        try:
            jvm.java.lang.Thread.sleep(_INTERRUPT_MS)
        except Py4JError:
            return True
        return False
