"""from_dataframe and to_dataframe, between DStreams and Structured Streaming.

Decision 0041: `to_dataframe` writes one file per batch.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pyspark import RDD, SparkContext
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructType

from ..exceptions import StreamingStateError
from ..job import active
from ..source.tables.frames import FrameSource, FrameTable
from ..storage.files import join
from ..storage.temporary import temporary_folder
from .base import ContextBase, S, StreamBase


class DataFrameBridge(StreamBase[S]):
    """from_dataframe and to_dataframe; Spark's DStreams have neither."""

    @staticmethod
    def from_dataframe(
        streaming_df: DataFrame, ssc: ContextBase[S] | None = None, time: str | None = None
    ) -> S:
        """Return a stream of the rows of a streaming DataFrame.

        Its sources and operators, watermarks among them, become part of the context's query.

        Parameters
        ----------
        streaming_df : DataFrame
            what to read
        ssc : StreamingContext, optional
            where it runs; the one made last on the DataFrame's SparkContext
        time : str, optional
            column of timestamps that says to which interval a row belongs, among those that are
            due; without one it is the last of them

        Returns
        -------
        DStream

        Raises
        ------
        ValueError
            if it is not a streaming DataFrame, or has no such column
        StreamingStateError
            if there is no StreamingContext
        """
        table = FrameTable(streaming_df, time)
        sc = streaming_df.sparkSession.sparkContext
        context: ContextBase[S] | None = ssc or active.latest(sc)
        if context is None:
            raise StreamingStateError(
                "from_dataframe needs a StreamingContext: make one first, or pass it as ssc"
            )
        return context._source(FrameSource(table))

    def to_dataframe(self, schema: StructType | str, path: str | None = None) -> DataFrame:
        """Return a streaming DataFrame of this stream's records, for queries of its own.

        Each batch is handed over as one Parquet file, which appears whole and once, also when the
        batch is processed again.

        Parameters
        ----------
        schema : StructType or str
            names and types of the columns; records are rows, tuples, dicts, or plain values for a
            single column
        path : str, optional
            an empty folder for the files, any Hadoop path. A job that is to go on after a restart
            names one, and reads it in its new life with
            ``spark.readStream.schema(schema).parquet(path)``. The default is a temporary folder.

        Returns
        -------
        DataFrame

        Notes
        -----
        The files stay: the reader's option ``cleanSource`` removes them if there is one reader.
        """
        session = SparkSession.builder.getOrCreate()
        folder = path or temporary_folder(self._sc)
        _make_folder(self._sc, folder)
        fields = session.createDataFrame([], schema).schema

        def hand_over(time: datetime, rdd: RDD[Any]) -> None:
            _write(rdd, fields, folder, round(time.timestamp() * 1000))

        self._output("to_dataframe", hand_over)
        return session.readStream.schema(fields).parquet(folder)


def _write(rdd: RDD[Any], schema: StructType, folder: str, time: int) -> None:
    """Write one batch as one file, if it is not there and has records."""
    sc = rdd.context
    fs, path = _file_system(sc, folder)
    target = path(join(folder, f"batch-{time}.parquet"))
    if fs.exists(target) or rdd.isEmpty():
        return
    draft = join(folder, f"_batch-{time}")  # readers skip such names
    records = rdd.map(_single) if len(schema.fields) == 1 else rdd
    frame = SparkSession.builder.getOrCreate().createDataFrame(records, schema)
    frame.coalesce(1).write.mode("overwrite").parquet(draft)
    (part,) = [
        status.getPath()
        for status in fs.listStatus(path(draft))
        if status.getPath().getName().startswith("part-")
    ]
    if not fs.rename(part, target):
        raise OSError(f"{part} could not be renamed to {target}")
    fs.delete(path(draft), True)


def _single(record: Any) -> Any:
    """Return the row of a record for a single column."""
    return record if isinstance(record, (tuple, list, dict)) else (record,)


def _make_folder(sc: SparkContext, folder: str) -> None:
    fs, path = _file_system(sc, folder)
    fs.mkdirs(path(folder))


def _file_system(sc: SparkContext, folder: str) -> tuple[Any, Any]:
    """Return Hadoop's file system of a path, and what makes paths."""
    jvm: Any = sc._jvm
    path = jvm.org.apache.hadoop.fs.Path
    configuration = sc._jsc.hadoopConfiguration()
    return path(folder).getFileSystem(configuration), path
