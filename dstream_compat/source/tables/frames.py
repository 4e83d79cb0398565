"""A streaming DataFrame of the user as a source of a context."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from pyspark import SparkContext
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import TimestampNTZType, TimestampType

from ...exceptions import CheckpointError
from ...worker.reading.frame_rows import FrameReader
from ...worker.reading.tables import TableReader
from .table import OpenTable, Table, TableInput, TableSource


class FrameTable(Table):
    """A streaming DataFrame.

    Parameters
    ----------
    frame : DataFrame
        what to read; it cannot be saved in a checkpoint
    time : str, optional
        see ``FrameReader``

    Raises
    ------
    ValueError
        if it is not a streaming DataFrame, or has no such column of timestamps
    """

    label = "from_dataframe"

    def __init__(self, frame: DataFrame, time: str | None) -> None:
        if not frame.isStreaming:
            raise ValueError(
                "from_dataframe was given a DataFrame that is not streaming: make it with "
                "spark.readStream"
            )
        if time is not None:
            kinds = {field.name: field.dataType for field in frame.schema.fields}
            if isinstance(kinds.get(time), TimestampNTZType):
                raise ValueError(
                    f"column {time!r} is of type TIMESTAMP_NTZ, which has no time zone, so "
                    f"it names no point in time: convert it to one of the session's time zone by "
                    f"frame.withColumn({time!r}, frame[{time!r}].cast('timestamp'))"
                )
            if not isinstance(kinds.get(time), TimestampType):
                raise ValueError(
                    f"the DataFrame has no column {time!r} of timestamps; its columns are "
                    f"{frame.schema.simpleString()}"
                )
        self._frame: DataFrame | None = frame
        self._schema = frame.schema
        self._time = time

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_frame": None}

    def reader(self, nodes: Sequence[int]) -> TableReader:
        (node,) = nodes
        return FrameReader(node, self._schema, self._time)

    def open(self, inputs: Sequence[TableInput]) -> OpenFrame:
        return OpenFrame(self._frame)


class OpenFrame(OpenTable):
    """A streaming DataFrame while a query reads it.

    Parameters
    ----------
    frame : DataFrame, optional
        None in a job that was recovered without its code
    """

    def __init__(self, frame: DataFrame | None) -> None:
        self._frame = frame

    def load(self, sc: SparkContext, session: SparkSession) -> DataFrame:
        """Return the rows of the DataFrame, with the interval of each if a column says it.

        Raises
        ------
        CheckpointError
            in a job that was recovered without its code
        """
        if self._frame is None:
            raise CheckpointError(
                "a DataFrame that was given to from_dataframe cannot be saved in a checkpoint: set "
                "spark.streaming.compat.rebuildGraph=true, so that getOrCreate calls the setup "
                "function and goes on with the state and offsets of the checkpoint"
            )
        return self._frame


@dataclass(frozen=True, eq=False)
class FrameSource(TableSource):
    """The stream of a DataFrame's rows; the parameters are those of ``TableSource``."""

    shown_as: ClassVar[str] = "DataFrame stream"
