"""Reads what a job has written, with a Spark in this process: folders of batches, Parquet, JSON,
tables and topics.
"""

from __future__ import annotations

import os
import re
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Final

from migrator.errors import MigrateError
from migrator.model.printable import visible

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

BATCH: Final = "__batch"
"""The column with the time of a batch, in milliseconds: jobs may have one called `batch`."""

FORMS: Final = "text:PREFIX, parquet:PATH, json:PATH, jdbc:URL#TABLE, kafka:BROKERS/TOPIC"
_KINDS: Final = ("text", "parquet", "json", "jdbc", "kafka")
# the folder of a batch, as saveAsTextFiles names it
_OF_BATCH: Final = r"-(\d+)(\.[^/]*)?$"
_MIB = 2**20


@dataclass(frozen=True, slots=True)
class WrittenData:
    """What one job has written.

    Parameters
    ----------
    given : str
        As it was named.
    kind : str
        ``text``, ``parquet``, ``json``, ``jdbc`` or ``kafka``.
    place : str
        The prefix, path, URL with a table, or brokers with a topic.
    options : dict
        Options of Spark's reader.
    """

    given: str
    kind: str
    place: str
    options: dict[str, str] = field(default_factory=dict)

    def read(self, spark: SparkSession) -> DataFrame:
        """Return the rows; those of batches have the column `BATCH`.

        Raises
        ------
        MigrateError
            If there is nothing to read, or Spark cannot read it.
        """
        with errors_of_spark(f"{self.given} cannot be read"):
            return self._read(spark)

    def _read(self, spark: SparkSession) -> DataFrame:
        from pyspark.sql import functions as F

        reader = spark.read.options(**self.options)
        match self.kind:
            case "parquet":
                return reader.parquet(self.place)
            case "json":
                return reader.json(self.place)
            case "jdbc":
                url, _, table = self.place.rpartition("#")
                return reader.jdbc(f"jdbc:{url}", table)
            case "kafka":
                brokers, _, topic = self.place.rpartition("/")
                records = (
                    reader.format("kafka")
                    .option("kafka.bootstrap.servers", brokers)
                    .option("subscribe", topic)
                    .load()
                )
                texts = [F.col(name).cast("string").alias(name) for name in ("key", "value")]
                return records.select(*texts, "timestamp")
        folders = self._folders(spark)
        if not folders:
            raise MigrateError(
                f"{visible(self.given)}: there is no folder {visible(self.place)}-MILLISECONDS, as "
                "saveAsTextFiles writes them; name the prefix that the job has"
            )
        folder = F.regexp_replace(F.input_file_name(), "/[^/]*$", "")
        at = F.regexp_extract(folder, _OF_BATCH, 1).cast("long")
        return reader.text(folders).select(at.alias(BATCH), "value")

    def _folders(self, spark: SparkSession) -> list[str]:
        """Return the folders of batches that are complete."""
        jvm = spark._jvm
        assert jvm is not None
        make = jvm.org.apache.hadoop.fs.Path
        path = make(f"{self.place}-*")
        system = path.getFileSystem(spark.sparkContext._jsc.hadoopConfiguration())
        statuses = system.globStatus(path) or []
        names = [status.getPath() for status in statuses if status.isDirectory()]
        prefix = re.escape(self.place.rstrip("/").rpartition("/")[2])
        form = re.compile(f"{prefix}{_OF_BATCH}")
        own = [name for name in names if form.fullmatch(name.getName())]
        # of a batch that is being written, there is a part only
        return [
            name.toString()
            for name in own
            if system.exists(make(name, "_SUCCESS")) or not system.exists(make(name, "_temporary"))
        ]

    def times(self, spark: SparkSession) -> list[int]:
        """Return the times of the batches, also of empty ones; none of what has no batches."""
        if self.kind != "text":
            return []
        matches = [re.search(_OF_BATCH, folder) for folder in self._folders(spark)]
        return sorted(int(match[1]) for match in matches if match is not None)


@contextmanager
def errors_of_spark(what: str) -> Iterator[None]:
    """Say in one line what Spark, or a driver in it, cannot do.

    Raises
    ------
    MigrateError
        If the body fails in Spark.
    """
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException

    try:
        yield
    except PySparkException as error:
        raise MigrateError(f"{visible(what)}: {_first_line(str(error))}") from error
    except Py4JJavaError as error:
        text = _first_line(error.java_exception.toString())
        if "No suitable driver" in text or "ClassNotFoundException" in text:
            text += "; give Spark what it needs, as with --conf spark.jars.packages=..."
        raise MigrateError(f"{visible(what)}: {text}") from error


def _first_line(text: str) -> str:
    return visible(text.strip().partition("\n")[0])


def side_of(text: str, options: dict[str, str]) -> WrittenData:
    """Return what a text names; a path without a kind is looked at.

    Raises
    ------
    MigrateError
        If its kind cannot be told.
    """
    kind, colon, place = text.partition(":")
    if colon and kind in _KINDS:
        wrong = {
            "jdbc": "#" not in place and "a table is missing: write jdbc:URL#TABLE",
            "kafka": "/" not in place and "a topic is missing: write kafka:BROKERS/TOPIC",
        }.get(kind)
        if wrong or not place:
            raise MigrateError(f"{visible(text)}: {wrong or 'nothing follows the colon'}")
        return WrittenData(text, kind, place, options)
    if "://" in text:
        raise MigrateError(f"{visible(text)}: say what it is: one of {FORMS}")
    path = Path(text)
    if path.exists():
        endings = {file.suffix for file in _files(path)}
        kinds = [name for name in ("parquet", "json") if f".{name}" in endings]
        if len(kinds) == 1:
            return WrittenData(text, kinds[0], os.path.abspath(text), options)
        raise MigrateError(
            f"{visible(text)} has files of {len(kinds) or 'no known'} kinds; say which to read: "
            f"one of {FORMS}"
        )
    if any(path.parent.glob(f"{path.name}-*")):
        return WrittenData(text, "text", os.path.abspath(text), options)
    raise MigrateError(f"{visible(text)}: no such file or folder; write one of {FORMS}")


def _files(path: Path) -> Sequence[Path]:
    return [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]


@contextmanager
def local_session(settings: dict[str, str], memory: int) -> Iterator[SparkSession]:
    """Start Spark on this machine, and stop it afterwards; what does not fit is put on disk.

    Parameters
    ----------
    settings : dict of str
        Of Spark, beside those that a comparison needs.
    memory : int
        Bytes of its JVM.

    Raises
    ------
    MigrateError
        If Spark cannot be started.
    """
    from pyspark.sql import SparkSession

    own = {
        "spark.master": "local[*]",
        "spark.app.name": "migrate reconcile",
        "spark.driver.memory": f"{max(memory // _MIB, 1)}m",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": str(sys.stderr.isatty()).lower(),
        "spark.log.level": "ERROR",
        # caches keep them; what does not fit into a task is put on disk
        "spark.sql.shuffle.partitions": "32",
        # times of both sides are read alike
        "spark.sql.session.timeZone": "UTC",
    }
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    builder = SparkSession.builder
    for name, value in {**own, **settings}.items():
        builder = builder.config(name, value)
    try:
        with _signals_held_back():
            spark = builder.getOrCreate()
    except Exception as error:
        text = str(error).strip().partition("\n")[0]
        raise MigrateError(f"Spark cannot be started: {text}; it needs Java 17 or later") from error
    try:
        yield spark
    finally:
        spark.stop()


@contextmanager
def _signals_held_back() -> Iterator[None]:
    """Let Ctrl-C and SIGTERM wait: PySpark leaves a JVM behind that was interrupted as it began."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []

    def keep(number: int, frame: FrameType | None) -> None:
        came.append(number)

    before = {each: signal.signal(each, keep) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for each, handler in before.items():
            # Spark has one of its own for Ctrl-C
            if signal.getsignal(each) is keep:
                signal.signal(each, handler)
    for number in came:
        signal.raise_signal(number)
