"""What a project asks for: versions, connectors, and the Spark that it takes."""

from __future__ import annotations

from dataclasses import dataclass

from migrator.model.events import Event
from migrator.model.report import TextEdit


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The text around an event, for fixes: a whole file, cell or string.

    Parameters
    ----------
    text : str
        Exactly as it stands in the file.
    language : str
        "shell" (also YAML and TOML), "conf", "data" (JSON, templates),
        "prose" or "python".
    first : int
        The line of the file that it begins with, from its first column.
    """

    text: str
    language: str
    first: int = 1


@dataclass(frozen=True, eq=False)
class ConnectorPackage(Event):
    """A connector package of Spark Streaming; `around` is None where nothing can be rewritten."""

    KEY = "connector"
    text: str
    connector: str
    around: Surroundings | None = None


@dataclass(frozen=True, eq=False)
class Requirement(Event):
    """A version of PySpark ("pyspark"), its Python ("python") or Spark ("spark") that something
    asks for, or a Java ("java") that is too old.
    """

    KEY = "kind"
    kind: str
    text: str
    version: str
    around: Surroundings | None = None


@dataclass(frozen=True, eq=False)
class SubmitCommand(Event):
    """A `spark-submit` of a job with DStream code, and the edit that lets us submit it."""

    job: str
    edit: TextEdit


@dataclass(frozen=True, eq=False)
class SparkHome(Event):
    """A Spark is named by its folder.

    Parameters
    ----------
    what : str
        "findspark" (a call of `findspark.init`), "variable" (`SPARK_HOME` is set), "path" (an
        entry of `sys.path` or `PYTHONPATH`), "command" (`spark-submit` by its path or by the name
        of one version), "setting" (of a platform, such as `SPARK_MAJOR_VERSION`), or "search"
        (findspark is to look for one).
    text : str
        What names it.
    spark : str
        What is known of it, such as "Spark 2.4.4"; "" if it names no version.
    is_old : bool
        Whether it is proven to be older than Spark 4.
    edits : tuple of TextEdit
        What drops it, nothing if that is not proven right.
    caveat : str
        What the edits may change besides.
    after : tuple of str
        The files that need `SPARK_HOME` until their own fixes are made.
    unsets : bool
        Whether the edits leave `SPARK_HOME` unset, so that nothing else may read it.
    """

    KEY = "what"
    what: str
    text: str
    spark: str
    is_old: bool
    edits: tuple[TextEdit, ...] = ()
    caveat: str = ""
    unsets: bool = False
    after: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class SparkHomeRead(Event):
    """`SPARK_HOME` is read, other than to find an old Spark."""
