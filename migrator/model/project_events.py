"""Events that are judged once the whole project is known, and what is known of it then."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from migrator.model.events import Event, MentionedName, Setting, Use
from migrator.model.home_events import SparkHome, SparkHomeRead
from migrator.model.job_events import (
    ForeignContext,
    InferredEvent,
    MissingFromJob,
    ScalaPackage,
)
from migrator.model.jvm_events import JvmUse
from migrator.model.removed_events import AnsiUse, LostSession, RemovedName
from migrator.model.report import Confidence
from migrator.model.requirement_events import JavaVersion, Requirement
from migrator.spark.settings import is_harmless

_LOG = "spark.streaming.receiver.writeAheadLog.enable"
_DIRECT = frozenset({"KafkaUtils.createDirectStream", "KafkaUtils.createRDD"})


@dataclass(frozen=True, slots=True)
class JobSources:
    """The sources in a file: those that cannot be read again, and those that can."""

    path: str
    logged: tuple[str, ...]
    repeatable: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class ReceiverLog(Event):
    """The write-ahead log of receivers is switched on, or may be.

    Parameters
    ----------
    jobs : tuple of JobSources
        The files with sources that the setting is about.
    """

    name: str
    value: str | None
    jobs: tuple[JobSources, ...] = ()


@dataclass(frozen=True, eq=False)
class DirectKafka(InferredEvent):
    """A use of the direct Kafka API: its name, and how many there are from the first one on."""

    name: str
    uses: int = 0


@dataclass(frozen=True, slots=True)
class ProjectFacts:
    """What is known of a project when all its files have been read.

    Parameters
    ----------
    has_streams : bool
        Whether there is DStream code.
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
    direct_kafka : DirectKafka, optional
        The first use of the direct Kafka API.
    direct_uses : int
        How many uses there are.
    home_readers : frozenset of str
        The files that read `SPARK_HOME` where it may not be gone.
    ansi : AnsiUse, optional
        The first use of SQL that ANSI mode changes; None if the project sets that mode.
    ansi_places : tuple of str
        All of these uses.
    """

    has_streams: bool = False
    job_files: frozenset[str] = frozenset()
    programs: frozenset[str] = frozenset()
    makes_context: bool = False
    may_make_context: bool = False
    has_receiver_log: bool = False
    jobs: tuple[JobSources, ...] = ()
    direct_kafka: DirectKafka | None = None
    direct_uses: int = 0
    home_readers: frozenset[str] = frozenset()
    ansi: AnsiUse | None = None
    ansi_places: tuple[str, ...] = ()


_IMAGE = re.compile(r"FROM[ \t]|image=")
_PROGRAM = re.compile(r"(?<![\w*.-])[\w-]+\.(?:py|ipynb)\b")


def about_project(event: Event) -> Event | None:
    """Return the event that is judged when the project is known, None if there is none."""
    match event:
        case ScalaPackage() | Requirement() | JavaVersion() | MissingFromJob(what="state"):
            return event
        case (
            ForeignContext()
            | SparkHome()
            | SparkHomeRead()
            | RemovedName()
            | LostSession()
            | AnsiUse()
        ):
            return event
        case Setting(name=name, value=value) if name == _LOG and not is_harmless(name, value):
            return ReceiverLog(event.at, name, value)
        case JvmUse():
            return None
        case Use(key=key) if key in _DIRECT:
            return DirectKafka(event.at, event.confidence, event.evidence, key)
        case MentionedName(name=name) if name in _DIRECT:
            return DirectKafka(event.at, Confidence.PROVEN, (), name)
    return None


def replaced(event: Event) -> bool:
    """Return whether such an event says nothing by itself: it waits until the project is known."""
    return about_project(event) is not None and not isinstance(event, Use)


def with_facts(event: Event, path: str, facts: ProjectFacts) -> Event:
    """Return an event together with what the project says about it.

    Parameters
    ----------
    event : Event
        What `about_project` has given.
    path : str
        Its file.
    facts : ProjectFacts
        What is known of the project.
    """
    match event:
        case Requirement():
            around = None if _is_for_others(event, facts.programs) else event.around
            return replace(event, has_streams=bool(facts.programs), around=around)
        case ScalaPackage() | JavaVersion() | RemovedName():
            return replace(event, has_streams=facts.has_streams)
        case AnsiUse() if event is facts.ansi:
            return replace(event, first=facts.has_streams, others=facts.ansi_places[1:])
        case SparkHome(unsets=unsets, edits=edits):
            kept = () if unsets and path in facts.home_readers else edits
            return replace(event, edits=kept, has_streams=facts.has_streams)
        case ForeignContext():
            makes = facts.may_make_context if event.by_others else facts.makes_context
            return replace(event, made_here=makes)
        case MissingFromJob():
            return replace(event, has_receiver_log=facts.has_receiver_log)
        case ReceiverLog():
            # a setting in a program is its own; one in a file of settings is that of all jobs
            own = tuple(job for job in facts.jobs if job.path == path)
            return replace(event, jobs=own or facts.jobs)
        case DirectKafka() if event is facts.direct_kafka:
            return replace(event, uses=facts.direct_uses)
    return event


def _is_for_others(event: Requirement, programs: frozenset[str]) -> bool:
    """Return whether the image that needs a Python is seen to
    run programs without DStream code only.
    """
    if event.kind != "python" or event.around is None or not _IMAGE.match(event.text):
        return False
    named = {name for name in _PROGRAM.findall(event.around.text) if name != "setup.py"}
    return bool(named) and not named & programs
