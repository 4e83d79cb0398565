"""Sources that Spark reads: streaming DataFrames, united with this package's own source."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from pyspark import SparkConf, SparkContext
from pyspark.sql import DataFrame, SparkSession

from ...storage.spool import Spool
from ...wire.task_properties import Ranges
from ...worker.reading.tables import TableReader
from ..base import Demand, Input, Planned, Source


class Table(ABC):
    """A streaming DataFrame that one or several sources of a context read; it never changes."""

    label: str

    @abstractmethod
    def reader(self, nodes: Sequence[int]) -> TableReader:
        """Return what its tasks run.

        Parameters
        ----------
        nodes : sequence of int
            of the sources that read it
        """

    @abstractmethod
    def open(self, inputs: Sequence[TableInput]) -> OpenTable:
        """Return the table of a query that is about to run.

        Parameters
        ----------
        inputs : sequence of TableInput
            the streams that read it
        """


class OpenTable(ABC):
    """A table while a query reads it."""

    @abstractmethod
    def load(self, sc: SparkContext, session: SparkSession) -> DataFrame:
        """Return the DataFrame; its source is asked for data when an interval is due.

        Parameters
        ----------
        sc : SparkContext
            the user's context
        session : SparkSession
            the query's own
        """

    def ranges(self, stream: RunningStream) -> Ranges:
        """Return what tasks of a micro-batch get to know, as JSON values."""
        return {}

    def limit(self, end: str | None, intervals: int) -> int | None:
        """Return how many rows the next micro-batch may read; None for any number.

        Parameters
        ----------
        end : str, optional
            JSON of the offset where it begins
        intervals : int
            how many are late
        """
        return None

    def note_commit(self, end: str) -> None:  # noqa: B027
        """Called when everything before an offset is durable.

        Parameters
        ----------
        end : str
            JSON of the offset
        """

    def close(self) -> None:  # noqa: B027
        """Called when the query has ended."""


class RunningStream(NamedTuple):
    """Spark's side of a table in a running micro-batch.

    Parameters
    ----------
    start, end : str, optional
        JSON of the offsets that it lies between; they are equal when there is nothing to read, and
        None where the source has had nothing yet
    tasks : sequence of JavaObject
        Spark's ``InputPartition`` of each task
    """

    start: str | None
    end: str | None
    tasks: Sequence[Any]


class TableRun(NamedTuple):
    """A table of a query, with what reads it.

    Parameters
    ----------
    table : Table
        the table
    reader : TableReader
        what its tasks run
    nodes : sequence of int
        of the sources that read it
    """

    table: Table
    reader: TableReader
    nodes: Sequence[int]


@dataclass(frozen=True, eq=False)
class TableSource(Source):
    """A source whose records a table gives; nothing of it travels through the driver.

    Parameters
    ----------
    table : Table
        what gives them
    """

    table: Table

    @property
    def label(self) -> str:
        return self.table.label

    @property
    def parts(self) -> Mapping[str, object]:
        return {"source": self, "table": self.table}

    def open(
        self, conf: SparkConf, interval: int, spool: Spool | None, demand: Demand
    ) -> TableInput:
        return TableInput(self.label)


class TableInput(Input):
    """A source of a table while a job runs."""

    def plan(self, sc: SparkContext, ticks: Sequence[int]) -> dict[int, Planned]:
        """Plan nothing: Spark plans what is read."""
        return {tick: [] for tick in ticks}

    def most_records(self, partitions: int, intervals: int) -> int | None:
        """Return how many records so many late intervals may take; None for any number.

        Parameters
        ----------
        partitions : int
            of the table
        intervals : int
            how many are late
        """
        return None

    def note(self, tick: int, notes: Sequence[bytes]) -> None:
        """Called with what the tasks of an interval noted, before its outputs run."""
