"""Events about the Spark that a program or command takes: `SPARK_HOME`, findspark, Py4J."""

from __future__ import annotations

from dataclasses import dataclass

from migrator.model.events import Event
from migrator.model.report import TextEdit


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

    what: str
    text: str
    spark: str
    is_old: bool
    edits: tuple[TextEdit, ...] = ()
    caveat: str = ""
    unsets: bool = False
    after: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The kind of name."""
        return self.what


@dataclass(frozen=True, eq=False)
class SparkHomeRead(Event):
    """`SPARK_HOME` is read, other than to find an old Spark."""
