"""Events of what commands and files ask for: packages, versions, and `spark-submit` itself."""

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

    text: str
    connector: str
    around: Surroundings | None = None

    @property
    def key(self) -> str:
        """The connector."""
        return self.connector


@dataclass(frozen=True, eq=False)
class Requirement(Event):
    """A version of PySpark ("pyspark"), its Python ("python") or Spark that something asks for."""

    kind: str
    text: str
    version: str
    around: Surroundings | None = None

    @property
    def key(self) -> str:
        """What is required."""
        return self.kind


@dataclass(frozen=True, eq=False)
class JavaVersion(Event):
    """A Java that is too old for Spark 4.

    Parameters
    ----------
    text : str
        What names it.
    version : int
        Its number, 8 for 1.8.
    """

    text: str
    version: int


@dataclass(frozen=True, eq=False)
class SubmitCommand(Event):
    """A `spark-submit` of a job with DStream code, and the edit that lets us submit it."""

    job: str
    edit: TextEdit
