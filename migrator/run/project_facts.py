"""Finds which file is of which project, and what is known of each once all files have been read.

Decision 0108: A finding is final when its rule has made it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path, PurePath

from migrator.discover.projects import Projects
from migrator.model.events import (
    AnsiUse,
    Event,
    ForeignContext,
    JvmUse,
    MentionedName,
    PackageUse,
    SparkHomeRead,
    Use,
)
from migrator.model.findings import shown_place
from migrator.model.projects import DIRECT_KAFKA, JobSources, ProjectFacts, concern, is_receiver_log
from migrator.model.report import FileReport, Status
from migrator.spark.since import ANSI_SPARK
from migrator.spark.versions import DEFAULT_TARGET, Target

# sources that cannot be read again, and those that can, by receiver and name
_LOGGED = frozenset(
    {
        ("StreamingContext", "socketTextStream"),
        ("MQTTUtils", "createStream"),
        ("MQTTUtils", "createPairedStream"),
        ("MQTTUtils", "createPickleStream"),
    }
)
_REPEATABLE = frozenset(
    {
        *(("StreamingContext", name) for name in ("textFileStream", "binaryRecordsStream")),
        *(("KafkaUtils", name) for name in ("createStream", "createDirectStream")),
        ("KinesisUtils", "createStream"),
    }
)

# where every use of the API is reported only
_JVM = (".java", ".scala", ".sc")


def name_projects(files: Iterable[FileReport], root: Path) -> Callable[[str], str]:
    """Say of each file which project of a tree it belongs to.

    Returns
    -------
    callable
        Gives the name of the project of any path of the tree.
    """
    projects = Projects(root)
    jobs: dict[str, list[str]] = {}
    for file in files:
        for job in file.jobs:
            jobs.setdefault(job, [job]).append(file.path)
    for paths in jobs.values():
        projects.join(paths)
    for file in files:
        file.project = projects.name(file.path)
    return projects.name


def facts_of_projects(
    files: Sequence[FileReport],
    ansi: Iterable[str],
    makes_context_around: Callable[[], bool],
    target: Target,
) -> Callable[[str], ProjectFacts]:
    """Return what gives the facts of a project by its name.

    Parameters
    ----------
    files : sequence of FileReport
        All reports of the tree.
    ansi : iterable of str
        The projects of the files that name the setting of ANSI SQL.
    makes_context_around : callable
        Whether a file around the tree may make a StreamingContext.
    target : Target
        What the jobs are to run on.
    """
    setting = frozenset(ansi)

    @cache
    def facts(project: str) -> ProjectFacts:
        own = [file for file in files if concern(project, file.project)]
        asked = any(isinstance(e, ForeignContext) for file in own for e in file.events)
        sets_ansi = any(concern(project, other) for other in setting)
        return project_facts(own, sets_ansi, asked and makes_context_around(), target)

    return facts


def project_facts(
    files: Sequence[FileReport],
    sets_ansi: bool = False,
    makes_context_around: bool = False,
    target: Target = DEFAULT_TARGET,
) -> ProjectFacts:
    """Return what is known of a project from the reports of its files.

    Parameters
    ----------
    sets_ansi : bool
        Whether some file names the setting of ANSI SQL.
    makes_context_around : bool
        Whether a file that is not in the tree may make a StreamingContext.
    target : Target
        What the jobs are to run on.
    """
    sets_ansi = sets_ansi or target.spark < ANSI_SPARK
    events = [(file.path, event) for file in files for event in file.events]
    ansi = _in_order(files, lambda event: isinstance(event, AnsiUse))
    may_make_context = makes_context_around or any(
        file.status is Status.UNREADABLE and b"StreamingContext" in file.original for file in files
    )
    direct = [event for _, event in _in_order(files, _is_direct_kafka)]
    return ProjectFacts(
        job_files=frozenset(PurePath(file.path).name for file in files if file.uses),
        programs=frozenset(name for file in files for name in _programs(file)),
        makes_context=may_make_context or any(map(_makes_context, files)),
        may_make_context=may_make_context,
        has_receiver_log=any(is_receiver_log(event) for _, event in events),
        jobs=tuple(job for file in files for job in _job(file)),
        direct_kafka=direct[0] if direct else None,
        direct_uses=len(direct),
        home_readers=frozenset(path for path, e in events if isinstance(e, SparkHomeRead)),
        ansi=ansi[0][1] if ansi and not sets_ansi else None,
        ansi_places=tuple(f"{path}, {shown_place(event.at)}" for path, event in ansi),
        target=target,
    )


def _in_order(
    files: Sequence[FileReport], is_wanted: Callable[[Event], bool]
) -> list[tuple[str, Event]]:
    """Return some events with their files, in reading order."""
    return [
        (file.path, event)
        for file in files
        for event in sorted(filter(is_wanted, file.events), key=lambda event: event.at.order)
    ]


def _makes_context(file: FileReport) -> bool:
    creations = [e for e in file.events if isinstance(e, Use) and e.use in ("construct", "call")]
    return any(
        use.name == "StreamingContext"
        or (use.receiver == "StreamingContext" and use.name in ("getOrCreate", "getActiveOrCreate"))
        for use in creations
    )


def _is_direct_kafka(event: Event) -> bool:
    is_use = isinstance(event, Use | MentionedName) and not isinstance(event, JvmUse)
    return is_use and event.key in DIRECT_KAFKA


def _programs(file: FileReport) -> Iterator[str]:
    """Yield the names of a Python program with DStream code, and of the jobs made of it."""
    in_jvm = file.path.endswith(_JVM) and all(isinstance(e, JvmUse | PackageUse) for e in file.uses)
    if file.uses and not in_jvm:
        yield from (PurePath(path).name for path in (file.path, *file.jobs))


def _job(file: FileReport) -> Iterator[JobSources]:
    """Yield the sources of a file, if it has any."""
    uses = [event for event in file.events if isinstance(event, Use)]
    logged, repeatable = _names(uses, _LOGGED), _names(uses, _REPEATABLE)
    if logged or repeatable:
        yield JobSources(file.path, logged, repeatable)


def _names(uses: list[Use], methods: frozenset[tuple[str, str]]) -> tuple[str, ...]:
    names = dict.fromkeys(
        use.name if use.receiver == "StreamingContext" else f"{use.receiver}.{use.name}"
        for use in uses
        if (use.receiver, use.name) in methods
    )
    return tuple(names)
