"""The ``foreachBatch`` functions of a context: one call per micro-batch, which can be aborted."""

from __future__ import annotations

import logging
import threading
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, Final

from py4j.protocol import Py4JError, Py4JJavaError
from pyspark import SparkContext

from ..exceptions import QueryFailedError
from ..intervals.scheduler import Scheduler, Work
from ..lifecycle import BatchAborted, Lifecycle, Phase
from ..spark.attempts import attempts_of, set_allowed_attempts
from ..spark.java import JVM_ERRORS, spark_is_there
from ..wire.errors import SPARK_ERRORS
from .execution import Execution
from .rdds import MicroBatch
from .shipped_functions import ShippedFunctions

_CANCELLED: Final = "SPARK_JOB_CANCELLED"
_STOP_SECONDS: Final = 1.0
"""How soon a program stops its context after Ctrl-C, on which PySpark cancels all jobs."""
_INTERRUPT_MS: Final = 10_000
_INTERRUPTION: Final = "java.lang.InterruptedException"
_INTERRUPTED: Final = (
    f"py4j.protocol.Py4JJavaError: An error occurred while calling sleep: {_INTERRUPTION}"
)


def _is_news(record: logging.LogRecord) -> bool:
    return not (record.exc_info and isinstance(record.exc_info[1], BatchAborted))


def _causes(error: Py4JJavaError) -> str:
    """Return what Java says of an error and its causes, without the stacks."""
    _, _, text = str(error).partition("\n: ")
    return "\n".join(line for line in text.splitlines() if not line.startswith("\tat ")).strip()


# py4j logs what a callback raises, with its traceback; this is how a stop is meant to end one.
logging.getLogger("py4j.clientserver").addFilter(_is_news)


@dataclass(eq=False, repr=False)
class Callback(ABC):
    """A ``foreachBatch`` function.

    Parameters
    ----------
    sc : SparkContext
        the user's context
    life : Lifecycle
        of the context: says when to break off
    scheduler : Scheduler
        which intervals the query takes
    execution : Execution
        computes its micro-batches
    functions : ShippedFunctions
        what its tasks run

    Attributes
    ----------
    idle : threading.Event
        set while no micro-batch runs
    thread : int, optional
        the thread that runs one
    failure : BaseException, optional
        what ended the last one
    """

    sc: SparkContext
    life: Lifecycle
    scheduler: Scheduler
    execution: Execution
    functions: ShippedFunctions

    def __post_init__(self) -> None:
        self.idle = threading.Event()
        self.idle.set()
        self.thread: int | None = None
        self.failure: BaseException | None = None
        self._attempts = attempts_of(self.sc)

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
            work = self.scheduler.next(batch_id, self._check_spark, self.begin)
            if work is None:
                raise BatchAborted("the StreamingContext is being stopped; no batch is due")
            self._process(frame, work)
        except BaseException as error:
            self.failure = self._error_to_raise(error)
            if not isinstance(self.failure, BatchAborted):
                # Spark looks for an interruption in a text that begins as PySpark's errors do, with
                # a pattern that long texts overflow: its thread would end with that error alone.
                if isinstance(error, Py4JJavaError):
                    self.failure = QueryFailedError(_causes(error))
                    raise self.failure from None
                raise
            interrupted = _INTERRUPTION in str(error)
        else:
            return
        finally:
            self.thread = None
            self.idle.set()
        if not interrupted:
            interrupted = self._await_interrupt()
        # Not in the except clause above, whose error would be part of the text.
        raise BatchAborted(_INTERRUPTED if interrupted else "the StreamingContext was stopped")

    def begin(self) -> None:
        """Begin a micro-batch: an interval is due, and what it reads is about to be planned."""
        self.idle.clear()
        self.life.check()
        self.thread = threading.get_ident()

    def _process(self, frame: Any, work: Work) -> None:
        set_allowed_attempts(self.sc, self._attempts)
        self.functions.ship(work.intervals.hi)
        self.prepare(work)
        batch = self.execution.compute(frame, work)
        try:
            self.run(batch)
        finally:
            batch.release()

    def _check_spark(self) -> None:
        """Plan nothing more when the context is being stopped, or there is no Spark any more."""
        self.life.check()
        if not spark_is_there(self.sc):
            raise BatchAborted("the SparkContext was stopped")

    def _error_to_raise(self, error: BaseException) -> BaseException:
        """Return BatchAborted for what Spark raises because the context is being stopped."""
        if not isinstance(error, (*JVM_ERRORS, *SPARK_ERRORS)):
            return error
        if not self.is_dropped(str(error)):
            return error
        return BatchAborted("the StreamingContext was stopped while Spark computed a batch")

    def is_dropped(self, error: str) -> bool:
        """Return whether what has failed is dropped anyway, as the context is being stopped.

        Parameters
        ----------
        error : str
            its text; if its jobs were cancelled, the stop may be about to come
        """
        return self.life.phase >= Phase.ABORTING or (
            _CANCELLED in error and self.life.wait_for(Phase.HALTING, _STOP_SECONDS)
        )

    def _await_interrupt(self) -> bool:
        """Wait in the query's own thread until Spark interrupts it; return whether it did.

        The query ends without an error then. If the micro-batch ended, it would be committed, and
        another failure would be logged as the query's.
        """
        jvm: Any = self.sc._jvm
        try:
            jvm.java.lang.Thread.sleep(_INTERRUPT_MS)
        except Py4JError:
            return True
        return False
