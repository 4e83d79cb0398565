"""Completes the reports of files with what is known once the whole project has been read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePath

from migrator.model.home_events import SparkHomeRead
from migrator.model.project_events import (
    DirectKafka,
    JobSources,
    ProjectFacts,
    ReceiverLog,
    with_facts,
)
from migrator.model.removed_events import AnsiUse
from migrator.model.report import FileReport, Outcome, Site, Spot, Status
from migrator.rules.registry import findings_for, rules
from migrator.select.comments import apply_comments

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


def project_facts(
    files: Sequence[FileReport], sets_ansi: bool = False, makes_context_around: bool = False
) -> ProjectFacts:
    """Return what is known of a project from the reports of its files.

    Parameters
    ----------
    files : sequence of FileReport
        The reports.
    sets_ansi : bool
        Whether some file names the setting of ANSI SQL.
    makes_context_around : bool
        Whether a file that is not in the tree may make a StreamingContext.
    """
    waiting = [event for file in files for event in sorted(file.waiting, key=lambda e: e.at.order)]
    ansi = [(file.path, e) for file in files for e in file.waiting if isinstance(e, AnsiUse)]
    ansi.sort(key=lambda found: (found[0], found[1].at.order))
    may_make_context = makes_context_around or any(
        file.status is Status.UNREADABLE and b"StreamingContext" in file.original for file in files
    )
    direct = [event for event in waiting if isinstance(event, DirectKafka)]
    return ProjectFacts(
        has_streams=any(file.sites for file in files),
        job_files=frozenset(PurePath(file.path).name for file in files if file.sites),
        programs=frozenset(name for file in files for name in _programs(file)),
        makes_context=may_make_context or any(map(_makes_context, files)),
        may_make_context=may_make_context,
        has_receiver_log=any(isinstance(event, ReceiverLog) for event in waiting),
        jobs=tuple(job for file in files for job in _job(file)),
        direct_kafka=direct[0] if direct else None,
        direct_uses=len(direct),
        home_readers=frozenset(
            f.path for f in files if any(isinstance(e, SparkHomeRead) for e in f.waiting)
        ),
        ansi=ansi[0][1] if ansi and not sets_ansi else None,
        ansi_places=tuple(_place(path, event.at) for path, event in ansi),
    )


def _makes_context(file: FileReport) -> bool:
    made = ((s.receiver, s.name) for s in file.sites if s.use in ("construct", "call"))
    return any(
        name == "StreamingContext"
        or (owner == "StreamingContext" and name in ("getOrCreate", "getActiveOrCreate"))
        for owner, name in made
    )


def _place(path: str, at: Spot) -> str:
    cell = "" if at.cell is None else f"cell {at.cell}, "
    return f"{path}, {cell}line {at.line}"


def complete(file: FileReport, facts: ProjectFacts) -> None:
    """Add the findings that need to know the project, and obey the comments in the file."""
    for event in file.waiting:
        file.findings += findings_for(with_facts(event, file.path, facts))
    file.waiting = []
    apply_comments(file)
    file.sort()
    file.asked = [f for f in file.findings if rules()[f.code].asked_only]
    file.findings = [f for f in file.findings if not rules()[f.code].asked_only]


def _programs(file: FileReport) -> Iterator[str]:
    """Yield the names of a Python program or notebook with
    DStream code, and of the jobs made of it.
    """
    in_jvm = file.path.endswith(_JVM) and all(s.outcome is Outcome.REPORTED for s in file.sites)
    if file.sites and not in_jvm:
        yield from (PurePath(path).name for path in (file.path, *file.jobs))


def _job(file: FileReport) -> Iterator[JobSources]:
    """Yield the sources of a file, if it has any."""
    logged, repeatable = _names(file.sites, _LOGGED), _names(file.sites, _REPEATABLE)
    if logged or repeatable:
        yield JobSources(file.path, logged, repeatable)


def _names(sites: list[Site], wanted: frozenset[tuple[str, str]]) -> tuple[str, ...]:
    found = dict.fromkeys(
        site.name if site.receiver == "StreamingContext" else f"{site.receiver}.{site.name}"
        for site in sites
        if (site.receiver, site.name) in wanted
    )
    return tuple(found)
