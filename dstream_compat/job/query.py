"""Starts a streaming query: its DataFrame, its options and its session's settings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from pyspark import SparkContext, cloudpickle
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import BinaryType, IntegerType, StructField, StructType

from ..batch.execution import CODE_SETTINGS, Execution
from ..plan.compile import Plan
from ..planner import datasource
from ..source.tables.table import OpenTable
from ..spark.console import keep_quiet
from ..spark.sessions import query_session
from ..spark.warm_workers import warm_arrow_workers
from ..wire.frames import dumps
from ..wire.reports import Reports
from ..worker import state_processor as processor
from ..worker.stage_functions import slot_function, source_function, table_function
from ..worker.stages import SlotStage

# Not as DDL: the first text that Spark parses in a JVM takes 0.3 s.
_SCHEMA: Final = StructType(
    [StructField("frame", BinaryType()), StructField("slot", IntegerType())]
)
_ROCKSDB: Final = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
_LOCAL_FILES: Final = (
    "org.apache.spark.sql.execution.streaming.checkpointing.FileSystemBasedCheckpointFileManager"
)

# Spark's planner processes import neither the driver's sys.path nor the executors' files.
for _module in (datasource, processor):
    cloudpickle.register_pickle_by_value(_module)  # type: ignore[no-untyped-call]


def settings_for(plan: Plan, local_checkpoint: bool) -> dict[str, str]:
    """Return the SQL settings of the query's own session."""
    settings = {
        "spark.sql.shuffle.partitions": str(plan.layout.size),
        "spark.sql.adaptive.enabled": "false",
        "spark.sql.streaming.noDataMicroBatches.enabled": "false",
        "spark.sql.streaming.stopTimeout": "10000",
        "spark.sql.streaming.stateStore.providerClass": _ROCKSDB,
        "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled": "true",
        "spark.sql.streaming.minBatchesToRetain": "10",
        # a worker holds such a batch twice; chunks are far smaller, large groups are not
        "spark.sql.execution.arrow.maxBytesPerBatch": "8m",
        # else the workers of mapInArrow have an environment, so a daemon, of their own
        "spark.sql.execution.pyspark.udf.simplifiedTraceback.enabled": "false",
    }
    if not plan.tables:
        settings |= CODE_SETTINGS
    if local_checkpoint:  # halves the fixed cost of a micro-batch on local disks
        settings["spark.sql.streaming.checkpointFileManagerClass"] = _LOCAL_FILES
        if not plan.tables and not plan.stateful:
            # Hadoop's default writes a second file for each, and starts a chmod for both. Spark's
            # state store needs that default where it uploads snapshots.
            settings["fs.file.impl"] = "org.apache.hadoop.fs.RawLocalFileSystem"
            settings["fs.file.impl.disable.cache"] = "true"
    return settings


def start_query(
    sc: SparkContext,
    plan: Plan,
    tables: Sequence[OpenTable],
    execution: Execution,
    address: str | None,
    checkpoint: str,
    settings: dict[str, str],
    name: str,
    runner: Any,
) -> tuple[Any, list[int]]:
    """Start the query.

    Returns
    -------
    Spark's ``StreamingQuery`` (a Java object), and how many sources each table of the plan has

    Parameters
    ----------
    sc : SparkContext
        the user's context
    plan : Plan
        what to run
    tables : sequence of OpenTable
        what it reads beside our own source
    execution : Execution
        computes the micro-batches
    address : str, optional
        where the scheduler answers Spark's planner; None if Spark's numbers of micro-batches are
        all that it needs
    checkpoint : str
        Spark's checkpoint folder of the query
    settings : dict
        SQL settings of the query
    name : str
        the query's name in Spark's UI
    runner : BatchRunner
        gets each micro-batch
    """
    keep_quiet(sc)
    execution.begin()
    with query_session(sc, settings) as session:
        if plan.stateful:
            warm_arrow_workers(session, execution.place.slots)
        place, reports = execution.place, execution.reports
        last = None if plan.slot_stages else reports
        rows = execution.with_servers(_task_numbers(session, address, place.slots))
        slot = plan.layout.slot(0)
        frames = rows.mapInArrow(
            source_function(plan.source_name, plan.source_stage, slot, place, last), _SCHEMA
        )
        streams = []
        # Spark asks sources in this order for data: tables once an interval is due.
        for number, table in enumerate(tables):
            rows = table.load(sc, session)
            streams.append(_streams_in(rows))
            function = table_function(plan.source_name, plan.source_stage, slot, number, last)
            frames = frames.union(rows.mapInArrow(function, _SCHEMA))
        for number, stage in enumerate(plan.slot_stages):
            last = reports if stage is plan.slot_stages[-1] else None
            frames = _slot_stage(frames, plan.slot_name(number), stage, plan.layout.size, last)
        writer = frames.writeStream.queryName(name).option("checkpointLocation", checkpoint)
        return _start(sc, writer.outputMode("append")._jwrite, runner), streams


def _streams_in(frame: DataFrame) -> int:
    """Return how many streaming sources a DataFrame reads, one for each time it reads one."""
    jdf: Any = frame._jdf
    leaves = jdf.queryExecution().analyzed().collectLeaves()
    return sum(bool(leaves.apply(number).isStreaming()) for number in range(leaves.size()))


def _task_numbers(session: SparkSession, address: str | None, slots: int) -> DataFrame:
    """Return a stream of one row for each task: by it the task finds what it reads."""
    if address is not None:
        session.dataSource.register(datasource.SchedulerSource)
        return session.readStream.format(datasource.NAME).option("address", address).load()
    rows = session.readStream.format("rate-micro-batch")
    # micro-batch b has the rows from b * slots on
    return rows.option("rowsPerBatch", slots).option("numPartitions", slots).load().select("value")


def _start(sc: SparkContext, writer: Any, runner: Any) -> Any:
    from pyspark.java_gateway import ensure_callback_server_started

    ensure_callback_server_started(sc._gateway)  # type: ignore[no-untyped-call]
    jvm: Any = sc._jvm
    helper = jvm.org.apache.spark.sql.execution.streaming.sources.PythonForeachBatchHelper
    helper.callForeachBatch(writer, runner)
    return writer.start()


def _slot_stage(
    frames: DataFrame, name: str, stage: SlotStage, partitions: int, reports: Reports | None
) -> DataFrame:
    if stage.stateful:
        grouped = frames.groupBy("slot")
        slot_processor = processor.SlotProcessor(name, dumps(stage), dumps(reports))
        return grouped.transformWithState(slot_processor, _SCHEMA, "append", "None")
    function = slot_function(name, stage, reports)
    return frames.repartition(partitions, "slot").mapInArrow(function, _SCHEMA)
