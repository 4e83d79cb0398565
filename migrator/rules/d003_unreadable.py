"""Files that were not analysed.

## What

The file could not be opened, is binary, is too large, or is nested too deeply to be walked; or it
is Scala or Java, and the parser for that is not installed (`pip install 'dstream-compat[jvm]'`) or
did not understand all of it.

## Why it matters

It may hold DStream code or settings that this report does not show.

## Before

A file without read permission.

## After

The same file, readable by whoever runs `migrate`.

## Fix safety

There is no fix.

## By hand

Make the file readable, or look through it yourself. A Python source of more than 5 MB is usually
generated: migrate what generates it.
"""

from collections.abc import Iterator

from migrator.model.events import FileProblem
from migrator.model.report import Finding, Severity
from migrator.rules.base import Rule

rule = Rule("D003", "unreadable", Severity.ERROR, effort=10, task="see why it was not read")


@rule.on(FileProblem, "permission", "binary", "nested", "internal")
def unreadable(event: FileProblem) -> Iterator[Finding]:
    """Report that the file could not be read at all."""
    yield rule.finding(event, f"was not read: {event.detail}", event.advice)


@rule.on(FileProblem, "parser")
def report_missing_parser(event: FileProblem) -> Iterator[Finding]:
    """Report that the optional parser of its language is missing."""
    yield rule.finding(
        event,
        f"was only searched for settings and connectors: {event.detail}",
        event.advice,
        severity=Severity.WARNING,
    )


@rule.on(FileProblem, "partial")
def partial(event: FileProblem) -> Iterator[Finding]:
    """Report that the parser did not understand a part of a Scala or Java source."""
    yield rule.finding(
        event, f"was analysed only in part: {event.detail}", event.advice, severity=Severity.WARNING
    )


@rule.on(FileProblem, "large")
def large(event: FileProblem) -> Iterator[Finding]:
    """Report that the file mentions DStreams but is too large to be analysed."""
    yield rule.finding(
        event, f"was not read: {event.detail}", event.advice, severity=Severity.WARNING
    )
