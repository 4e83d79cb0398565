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

from migrator.model.events import FileProblem
from migrator.rules.base import Rule, Severity

rule = Rule("D003", "unreadable", Severity.ERROR, effort=10, task="see why it was not read")
_NOT_READ = "was not read: {event.detail}"
rule.reports(
    FileProblem,
    *("permission", "binary", "nested", "internal"),
    message=_NOT_READ,
    advice="{event.advice}",
)
for kind, problem in {
    "parser": "was only searched for settings and connectors: {event.detail}",
    "partial": "was analysed only in part: {event.detail}",
    "large": _NOT_READ,
}.items():
    rule.reports(
        FileProblem, kind, message=problem, advice="{event.advice}", severity=Severity.WARNING
    )
