"""What is new in watched folders; the cost of looking does not grow with calls into the JVM.

Decision 0037: Listing a folder takes one call.
"""

from __future__ import annotations

from py4j.protocol import Py4JJavaError
from pyspark import SparkContext
from pyspark.errors import IllegalArgumentException

from ...spark.java_code import own_class
from ...storage.files import FolderEntry, LocalStorage, hadoop, is_local, reason_of
from ...wire.errors import SPARK_ERRORS

PATTERN = frozenset("*?[{\\")
_FOR_EVER = (
    "IllegalArgumentException",  # of a host that nobody knows, and of what is no path
    "UnsupportedFileSystemException",
    "ClassNotFoundException",
    "Incomplete HDFS URI",
)


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
        return reason if is_final or any(text in reason for text in _FOR_EVER) else None
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
    folders = _matching_folders(sc, folder) if PATTERN.intersection(folder) else [folder]
    recent_entries: list[FolderEntry] = []
    for path in folders:
        if is_local(sc, path):
            entries = LocalStorage().list(path)
            recent_entries += [entry for entry in entries if after < entry.modified <= until]
        else:
            recent_entries += _recent_in_hadoop(sc, path, after, until)
    return recent_entries


def _matching_folders(sc: SparkContext, pattern: str) -> list[str]:
    jvm, configuration = hadoop(sc)
    place = jvm.org.apache.hadoop.fs.Path(pattern)
    statuses = place.getFileSystem(configuration).globStatus(place)
    return [s.getPath().toString() for s in statuses or () if s.isDirectory()]


def _recent_in_hadoop(sc: SparkContext, folder: str, after: int, until: int) -> list[FolderEntry]:
    _, configuration = hadoop(sc)
    listing = own_class(sc, __package__, "FolderListing").newInstance()
    try:
        text = listing.recent(configuration, folder, after, until)
    except Py4JJavaError as error:
        if "FileNotFoundException" in str(error.java_exception):
            raise FileNotFoundError(folder) from None
        raise
    if text is None:
        raise NotADirectoryError(folder)
    values = text.split("\0")
    return [
        FolderEntry(
            path.rpartition("/")[2], path, int(modified), int(size), kind == "true", int(block)
        )
        for path, modified, size, kind, block in zip(*[iter(values)] * 5, strict=False)
    ]
