"""What is known of one project of a tree, and for which others it counts."""

from __future__ import annotations

from dataclasses import dataclass

from migrator.model.events import Event, Setting
from migrator.spark.settings import is_harmless
from migrator.spark.versions import DEFAULT_TARGET, Target

_LOG = "spark.streaming.receiver.writeAheadLog.enable"

DIRECT_KAFKA = ("KafkaUtils.createDirectStream", "KafkaUtils.createRDD")
"""The keys of uses of the direct Kafka API."""


@dataclass(frozen=True, slots=True)
class JobSources:
    """The sources in a file: those that cannot be read again, and those that can."""

    path: str
    logged: tuple[str, ...]
    repeatable: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ProjectFacts:
    """What is known of a project when all its files have been read.

    Parameters
    ----------
    path : str
        The file that is judged.
    job_files : frozenset of str
        The names of the files with DStream code.
    programs : frozenset of str
        The names of the Python files and notebooks with DStream code, and of the jobs made of them.
    makes_context : bool
        Whether some file makes a StreamingContext, or may make one.
    may_make_context : bool
        Whether a file may make one of which it is not known where it goes.
    has_receiver_log : bool
        Whether some setting may switch the write-ahead log of receivers on.
    jobs : tuple of JobSources
        The files with sources.
    direct_kafka : Event, optional
        The first use of the direct Kafka API.
    home_readers : frozenset of str
        The files that read `SPARK_HOME` where it may not be gone.
    ansi : Event, optional
        The first use of SQL that ANSI mode changes; None if the project sets that mode.
    ansi_places : tuple of str
        All of these uses.
    target : Target
        What the jobs are to run on.
    """

    path: str = ""
    job_files: frozenset[str] = frozenset()
    programs: frozenset[str] = frozenset()
    makes_context: bool = False
    may_make_context: bool = False
    has_receiver_log: bool = False
    jobs: tuple[JobSources, ...] = ()
    direct_kafka: Event | None = None
    direct_uses: int = 0
    home_readers: frozenset[str] = frozenset()
    ansi: Event | None = None
    ansi_places: tuple[str, ...] = ()
    target: Target = DEFAULT_TARGET

    @property
    def has_streams(self) -> bool:
        """Whether there is DStream code."""
        return bool(self.job_files)


def is_receiver_log(event: Event) -> bool:
    """Return whether the write-ahead log of receivers is switched on, or may be."""
    return (
        isinstance(event, Setting)
        and event.name == _LOG
        and not is_harmless(event.name, event.value)
    )


def concern(one: str, other: str) -> bool:
    """Return whether what is known of a project counts for another: one lies inside the other.

    Both are named by their folders, "" for the whole tree.
    """
    inner, outer = (one, other) if len(one) >= len(other) else (other, one)
    if not outer:
        # what lies between projects is no part of one
        return not inner.endswith("/*")
    return inner == outer or inner.startswith(f"{outer}/")
