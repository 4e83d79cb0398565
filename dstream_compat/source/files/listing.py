"""What is new in watched folders; the cost of looking does not grow with calls into the JVM."""

from __future__ import annotations

import re
from typing import Any

from py4j.protocol import Py4JJavaError
from pyspark import SparkContext
from pyspark.errors import IllegalArgumentException

from ...storage.files import (
    FolderEntry,
    LocalStorage,
    entry_of,
    hadoop,
    is_local,
    reason_of,
)
from ...wire.errors import SPARK_ERRORS

PATTERN = frozenset("*?[{\\")
_FOR_EVER = (
    "IllegalArgumentException",  # of a host that nobody knows, and of what is no path
    "UnsupportedFileSystemException",
    "ClassNotFoundException",
    "Incomplete HDFS URI",
)
_MODIFIED = re.compile(r"; modification_time=(\d+);")


def unusable_folder(sc: SparkContext, folder: str) -> str | None:
    """Return why no time can make a folder readable; None if it can be read, now or later.

    Parameters
    ----------
    sc : SparkContext
        whose Hadoop configuration counts
    folder : str
        see ``recent``
    """
    if is_local(sc, folder):
        return None
    jvm, configuration = hadoop(sc)
    try:
        jvm.org.apache.hadoop.fs.Path(folder).getFileSystem(configuration)
    except SPARK_ERRORS as error:
        reason = reason_of(error)
        # PySpark converts some errors, without their names, as soon as Spark SQL is there
        is_final = isinstance(error, IllegalArgumentException)
        return reason if is_final or any(one in reason for one in _FOR_EVER) else None
    return None


def recent(sc: SparkContext, folder: str, after: int, until: int) -> list[FolderEntry]:
    """Return entries of folders modified after one time and not after another.

    Parameters
    ----------
    sc : SparkContext
        whose Hadoop configuration counts
    folder : str
        any Hadoop path; ``*``, ``?``, ``[...]``, ``{...}`` and a backslash make it a pattern, as
        for Spark, and then all folders that match are looked into
    after, until : int
        milliseconds since the epoch

    Raises
    ------
    FileNotFoundError, NotADirectoryError
        of a folder that is not a pattern
    """
    folders = _matching(sc, folder) if PATTERN.intersection(folder) else [folder]
    found: list[FolderEntry] = []
    for path in folders:
        if is_local(sc, path):
            entries = LocalStorage().list(path)
            found += [entry for entry in entries if after < entry.modified <= until]
        else:
            found += _recent_in_hadoop(sc, path, after, until)
    return found


def _matching(sc: SparkContext, pattern: str) -> list[str]:
    jvm, configuration = hadoop(sc)
    place = jvm.org.apache.hadoop.fs.Path(pattern)
    found = place.getFileSystem(configuration).globStatus(place)
    return [s.getPath().toString() for s in found or () if s.isDirectory()]


def _recent_in_hadoop(sc: SparkContext, folder: str, after: int, until: int) -> list[FolderEntry]:
    jvm, configuration = hadoop(sc)
    place = jvm.org.apache.hadoop.fs.Path(folder)
    try:
        file_system = place.getFileSystem(configuration)
        if not file_system.getFileStatus(place).isDirectory():
            raise NotADirectoryError(folder)
        statuses = file_system.listStatus(place)
    except Py4JJavaError as error:
        if "FileNotFoundException" in str(error.java_exception):
            raise FileNotFoundError(folder) from None
        raise
    times = _times(jvm, statuses)
    if times is None:
        times = [status.getModificationTime() for status in statuses]
    return [
        entry_of(statuses[number])
        for number, modified in enumerate(times)
        if after < modified <= until
    ]


def _times(jvm: Any, statuses: Any) -> list[int] | None:
    """Return modification times as the texts of statuses say, if they are texts of them.

    Wrapped file systems print something else there.
    """
    paths = _text(jvm, jvm.org.apache.hadoop.fs.FileUtil.stat2Paths(statuses)).split("\n")
    text, at = _text(jvm, statuses), 0
    found: list[int] = []
    for path in paths if len(statuses) else ():
        at = text.find(f"{{path={path}; isDirectory=", at)
        time = None if at < 0 else _MODIFIED.search(text, at)
        if time is None:
            return None
        found.append(int(time[1]))
        at = time.end()
    return found if len(found) == len(statuses) else None


def _text(jvm: Any, array: Any) -> str:
    """Return what is in a Java array, a line for each, by a few calls."""
    gateway: Any = SparkContext._gateway
    copy = gateway.new_array(jvm.java.lang.Object, len(array))
    jvm.java.lang.System.arraycopy(array, 0, copy, 0, len(array))
    return str(jvm.org.apache.commons.lang3.StringUtils.join(copy, "\n"))
