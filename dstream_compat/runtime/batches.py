"""The outputs of a micro-batch: interval by interval, output by output, errors contained."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

from py4j.protocol import Py4JError
from pyspark import SparkContext

from ..engine import errors
from ..exceptions import BatchFailedError
from ..graph import Graph, Node, OutputNode, RDDNode
from .evaluate import Evaluator
from .rdds import MicroBatch, to_jrdd
from .sessions import user_session

_INTERRUPT_MS: Final = 10_000
_INTERRUPTED: Final = (
    "py4j.protocol.Py4JJavaError: An error occurred while calling sleep: "
    "java.lang.InterruptedException"
)
_LOG = logging.getLogger("dstream_compat")


class BatchAborted(Exception):
    """The context was stopped in the middle of a micro-batch, which is therefore not committed."""


class BatchRunner:
    """Spark's ``foreachBatch`` function of a context.

    Parameters
    ----------
    sc : SparkContext
        the user's context
    graph : Graph
        whose outputs to run
    on_error : callable
        is told of each failed output
    """

    def __init__(
        self, sc: SparkContext, graph: Graph, on_error: Callable[[BatchFailedError], None]
    ) -> None:
        self._sc = sc
        self._graph = graph
        self._on_error = on_error
        self.halting = threading.Event()
        self.stopping = threading.Event()
        self.idle = threading.Event()
        self.idle.set()
        self.thread: int | None = None
        self.failure: BaseException | None = None

    def call(self, batch: Any, batch_id: int) -> None:
        """Run one micro-batch (called by the JVM)."""
        self.idle.clear()
        self.thread = threading.get_ident()
        aborted = False
        try:
            self._run(to_jrdd(self._sc, batch))
        except BatchAborted as error:
            self.failure = error
            aborted = True
        except BaseException as error:
            self.failure = error
            raise
        finally:
            self.thread = None
            self.idle.set()
        if aborted:
            self._await_interrupt()

    class Java:
        """The Java interface that this object stands for."""

        implements = (
            "org.apache.spark.sql.execution.streaming.sources.PythonForeachBatchFunction",
        )

    def _run(self, jrdd: Any) -> None:
        try:
            # Reading the headers computes everything: a stateful micro-batch that is not read to
            # its end would kill the query.
            batch = MicroBatch(self._sc, jrdd)
            if batch.clock is None:
                raise RuntimeError("a micro-batch arrived without its clock")
            with user_session(self._sc):
                for tick in batch.clock.ticks():
                    if self.halting.is_set():
                        raise BatchAborted("the StreamingContext was stopped; later intervals wait")
                    self._run_interval(batch, tick)
        finally:
            jrdd.unpersist(False)

    def _run_interval(self, batch: MicroBatch, tick: int) -> None:
        assert batch.clock is not None
        outputs = [o for o in self._graph.outputs if batch.clock.is_valid(tick, o.slide)]
        evaluator = Evaluator(self._sc, self._graph, batch, tick)
        try:
            self._run_outputs(batch, tick, outputs, evaluator)
        finally:
            evaluator.release()

    def _run_outputs(
        self, batch: MicroBatch, tick: int, outputs: list[OutputNode], evaluator: Evaluator
    ) -> None:
        time = datetime.fromtimestamp(tick / 1000)
        try:
            # Every RDD function of the batch runs before any output, as on the real engine.
            for output in outputs:
                self._check_stopping()
                evaluator.rdd(output.parents[0])
        except errors.USER_ERRORS as error:
            self._failed(outputs[0], time, error, None)
            return
        for output in outputs:
            self._check_stopping()
            try:
                output.action(time, evaluator.rdd(output.parents[0]))
            except errors.USER_ERRORS as error:
                self._failed(output, time, error, self._upstream(batch, output, tick))

    def _await_interrupt(self) -> None:
        """Wait in the query's own thread until Spark interrupts it: then it ends without an error.

        Returning would commit the micro-batch, and failing would be logged as the query's failure.
        """
        jvm: Any = self._sc._jvm
        try:
            jvm.java.lang.Thread.sleep(_INTERRUPT_MS)
        except Py4JError:
            interrupted = True
        else:
            interrupted = False
        # Spark looks for an interruption in the text, with a pattern that long tracebacks overflow.
        raise BatchAborted(_INTERRUPTED if interrupted else "the StreamingContext was stopped")

    def _check_stopping(self) -> None:
        if self.stopping.is_set():
            raise BatchAborted("the StreamingContext was stopped; the rest of the batch is dropped")

    def _upstream(self, batch: MicroBatch, output: Node, tick: int) -> errors.CapturedError | None:
        todo = list(output.parents)
        while todo:
            node = todo.pop()
            found = batch.error(node.id, tick)
            if found is not None:
                return found
            if isinstance(node, RDDNode) or node.parents:
                todo.extend(node.parents)
        return None

    def _failed(
        self,
        output: OutputNode,
        time: datetime,
        error: BaseException,
        upstream: errors.CapturedError | None,
    ) -> None:
        if self.stopping.is_set():
            raise BatchAborted("the StreamingContext was stopped while an output ran") from error
        captured = upstream or errors.capture(error)
        failure = BatchFailedError(
            f"An exception was raised by Python in {output.label}, batch of {time}:\n"
            f"{captured.text}"
        )
        failure.__cause__ = captured.exception() if upstream else error
        _LOG.error("%s", failure)
        self._on_error(failure)
