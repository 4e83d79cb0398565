"""Files that were not looked at.

## What

The file could not be opened, is binary, is too large, or is nested too deeply to be walked.

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

from migrator.events import FileProblem
from migrator.model import Finding, Severity
from migrator.rules.base import Rule

rule = Rule("D003", "unreadable", Severity.ERROR, effort=10)


@rule.on(FileProblem, "permission", "binary", "nested", "internal")
def unreadable(event: FileProblem) -> Iterator[Finding]:
    """The file could not be read at all."""
    yield rule.finding(event, f"was not read: {event.detail}", event.advice)


@rule.on(FileProblem, "large")
def large(event: FileProblem) -> Iterator[Finding]:
    """The file mentions DStreams but is too large to be analysed."""
    yield rule.finding(
        event, f"was not read: {event.detail}", event.advice, severity=Severity.WARNING
    )
