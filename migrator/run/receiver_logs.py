"""Adds to the findings about the write-ahead log of receivers what it means for each job."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from migrator.model.report import FileReport, Finding, Report, Severity, Site

_KEY = "spark.streaming.receiver.writeAheadLog.enable"
# sources that cannot be read again, and those that can, by receiver and name
_LOGGED = frozenset(
    {
        ("StreamingContext", "socketTextStream"),
        ("MQTTUtils", "createStream"),
        ("MQTTUtils", "createPairedStream"),
        ("MQTTUtils", "createPickleStream"),
    }
)
_READ_AGAIN = frozenset(
    {
        *(("StreamingContext", name) for name in ("textFileStream", "binaryRecordsStream")),
        *(("KafkaUtils", name) for name in ("createStream", "createDirectStream")),
        ("KinesisUtils", "createStream"),
    }
)
_MOST = 4


# a checkpoint that nothing needs
_USELESS = "D401"


def withdraw_checkpoint_findings(report: Report) -> None:
    """Removes findings that a checkpoint is useless: the log of receivers needs its folder."""
    if any(_is_log(finding) for _, finding in report.findings()):
        for file in report.files:
            file.findings = [f for f in file.findings if f.code != _USELESS]


def add_effects_on_jobs(report: Report) -> None:
    """Adds to the findings about the log what it means for the jobs of the report."""
    jobs = {file.path: text for file in report.files for text in _job(file)}
    for file in report.files:
        # a setting in a program is its own; one in a file of settings is that of all jobs
        own = [jobs[file.path]] if file.path in jobs else list(jobs.values())
        shown = own[:_MOST]
        if len(own) > _MOST:
            shown.append(f"and {len(own) - _MOST} more files with sources")
        if shown:
            file.findings = [
                replace(f, message="; ".join([f.message, *shown])) if _is_log(f) else f
                for f in file.findings
            ]


def _is_log(finding: Finding) -> bool:
    return finding.severity is Severity.WARNING and finding.message.startswith(_KEY)


def _job(file: FileReport) -> Iterator[str]:
    """What the log means for the sources of a file, if it has any."""
    logged, again = _names(file.sites, _LOGGED), _names(file.sites, _READ_AGAIN)
    if logged:
        yield (
            f"{file.path} ({logged}): dstream_compat logs what it receives and processes it at "
            "least once"
        )
    elif again:
        yield f"{file.path} ({again}): needs no log, its sources can be read again"


def _names(sites: list[Site], wanted: frozenset[tuple[str, str]]) -> str:
    found = dict.fromkeys(
        site.name if site.receiver == "StreamingContext" else f"{site.receiver}.{site.name}"
        for site in sites
        if (site.receiver, site.name) in wanted
    )
    return ", ".join(found)
