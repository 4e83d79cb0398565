"""Computes the micro-batches of a query: in one task, or by the stages of Spark's own plan."""

from __future__ import annotations

from typing import Any, Final

from pyspark import RDD, SparkContext
from pyspark.serializers import NoOpSerializer
from pyspark.sql import DataFrame

from ..intervals.scheduler import Task, Work
from ..plan.compile import Plan
from ..settings import EXECUTION, ONE_TASK, STAGES
from ..source.entry_files import EntryFiles
from ..source.task_servers import TaskServers
from ..spark.conf import conf_of
from ..spark.java import java_class
from ..spark.socket_folder import is_local
from ..spark.warm_workers import beside
from ..wire.frames import TOO_LARGE, Intervals, dumps, pack_intervals, unpack
from ..wire.reports import Reports
from ..wire.task_properties import set_batch_number
from ..worker.operators.partition import Repartition
from ..worker.single_task import AllStages
from .execution_mode import ExecutionMode, hindrance
from .mode_chooser import ModeChooser
from .rdds import MicroBatch

CODE_SETTINGS: Final = {
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}
"""Of a plan whose rows are frames or numbers of tasks: so few that to generate code takes longer
than what it saves. Spark tells them to all tasks of the thread, so the user's must be spared."""

_WARM: Final = -2
"""Number of a micro-batch without anything, before Spark's first one; -1 stands for none."""


class Execution:
    """Computes what a query's plan says.

    Parameters
    ----------
    sc : SparkContext
        the user's context
    plan : Plan
        what to compute
    by_jvm : bool
        only a JVM can read what an earlier process has planned, or an initial state
    """

    def __init__(self, sc: SparkContext, plan: Plan, by_jvm: bool = False) -> None:
        self._sc = sc
        self._plan = plan
        why_not = hindrance(plan.stateful, bool(plan.tables))
        ops = [op for stage in plan.slot_stages for op in stage.ops]
        spread = any(isinstance(op, Repartition) for op in ops)
        self._chooser = ModeChooser(EXECUTION.read(conf_of(sc)), why_not, spread)
        self._can_be_one = why_not is None
        local = is_local(sc.master or "")
        by_jvm = by_jvm or any(source.read_by_jvm(sc) for source in plan.sources.values())
        self._servers = TaskServers(sc) if by_jvm or not local else None
        self._files = EntryFiles(sc, plan.layout.size, None if local else self._servers)
        self.place = self._files.place
        self.reports = Reports(sc, plan.layout.size)
        self._rdds = FrameRDDs(sc)
        self._one: RDD[bytes] | None = None
        self.mode = ExecutionMode(STAGES, "")
        """How the last micro-batch was computed."""

    def begin(self) -> None:
        """Get ready for Spark's query, which is about to be made: functions are shipped now."""
        if not self._can_be_one:
            return
        # the source stage is the first one
        source, *stages = [(name, dumps(part)) for name, part in self._plan.parts_to_ship().items()]
        run = AllStages(self._plan.layout, self.place, source, stages)
        task: RDD[Any] = (
            self._sc.parallelize([None], 1) if self._servers is None else self._servers.one_task()
        )
        frames = task.mapPartitions(run)
        raw = frames._reserialize(NoOpSerializer())
        self._one = RDD(raw._jrdd, self._sc, NoOpSerializer())
        beside("worker", self._warm_one_task)

    def with_servers(self, tasks: DataFrame) -> DataFrame:
        """Return rows of the numbers of tasks, with the servers that tasks read through, if any."""
        return tasks if self._servers is None else self._servers.with_addresses(tasks)

    def _warm_one_task(self) -> None:
        assert self._one is not None
        nothing: list[Task] = [[] for _ in range(self.place.slots)]
        nothing[0].append(pack_intervals(Intervals(0, 0, 0, 1), 0))
        self._files.write(_WARM, nothing)
        set_batch_number(self._sc, _WARM)
        self._one.collect()

    def compute(self, frame: Any, work: Work) -> MicroBatch:
        """Return what the stages make of a micro-batch.

        Parameters
        ----------
        frame : JavaObject
            Spark's DataFrame of it, which is not computed yet
        work : Work
            what it reads
        """
        self._files.write(work.number, work.tasks)
        set_batch_number(self._sc, work.number, next(iter(work.intervals.ticks()), None))
        mode = self._chooser.choose(work)
        batch = self._in_one_task(mode) if mode.name == ONE_TASK else None
        if batch is None:
            if mode.name == ONE_TASK:
                mode = ExecutionMode(STAGES, "its result is too large for one task")
            batch = self._in_stages(frame, work, mode)
        self._files.clear()
        for name in CODE_SETTINGS:
            self._sc.setLocalProperty(name, None)  # type: ignore[arg-type]  # None removes it
        if batch.intervals != work.intervals:
            batch.release()
            raise RuntimeError(
                f"Spark's tasks computed {batch.intervals} instead of {work.intervals}: a local "
                "property of the thread was changed by others (PYSPARK_PIN_THREAD=false lets "
                "threads share them)"
            )
        self.mode = batch.mode
        self._chooser.note(work, batch.seconds, batch.size)
        return batch

    def _in_one_task(self, mode: ExecutionMode) -> MicroBatch | None:
        """Return what one task makes of it, or None if that is too large."""
        assert self._one is not None
        frames = self._one.collect()
        if len(frames) == 1 and unpack(frames[0]).kind == TOO_LARGE:
            return None
        return MicroBatch.of(self._sc, frames, mode)

    def _in_stages(self, frame: Any, work: Work, mode: ExecutionMode) -> MicroBatch:
        jrdd = self._rdds.persist(frame)
        try:
            jrdd.count()  # computes all of it, once
            partitions = int(jrdd.getNumPartitions())
            return MicroBatch(self._sc, self.reports.take(work.number, partitions), jrdd, mode)
        except BaseException:
            jrdd.unpersist(False)
            raise

    def close(self) -> None:
        """Remove what tasks read."""
        self._files.close()


_ENCODER: Final = "org.apache.spark.sql.catalyst.encoders.ExpressionEncoder"


class FrameRDDs:
    """Turns the DataFrames of micro-batches into RDDs of frames.

    ``Dataset.as(BINARY).toJavaRDD()`` does that too, and plans two queries for each micro-batch,
    which took a third of the time of a small one. Its encoder is all that is needed of them.

    Parameters
    ----------
    sc : SparkContext
        the user's context
    """

    def __init__(self, sc: SparkContext) -> None:
        self._sc = sc
        self._decoder: Any = None
        self._level = java_class(sc, "org.apache.spark.storage.StorageLevel").MEMORY_AND_DISK()
        array = java_class(sc, "java.lang.Class").forName("[B")
        self._tag = java_class(sc, "scala.reflect.ClassTag").apply(array)

    def persist(self, frame: Any) -> Any:
        """Return a micro-batch's DataFrame (a Java object) as a persisted RDD of byte arrays.

        Parameters
        ----------
        frame : JavaObject
            its first column is binary
        """
        plan = frame.queryExecution().logical()
        if self._decoder is None:
            binary = java_class(self._sc, "org.apache.spark.sql.Encoders").BINARY()
            encoders = java_class(self._sc, _ENCODER)
            analyzer = frame.sparkSession().sessionState().analyzer()
            bound = encoders.apply(binary).resolveAndBind(plan.output().take(1), analyzer)
            self._decoder = bound.createDeserializer()
        return plan.rdd().map(self._decoder, self._tag).toJavaRDD().persist(self._level)
