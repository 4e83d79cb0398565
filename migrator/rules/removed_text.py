"""The findings for names that Python or PySpark has lost."""

from __future__ import annotations

from collections.abc import Iterator

from migrator.model.removed_events import RemovedName
from migrator.model.report import Confidence, Finding, Fix, Safety, Severity
from migrator.rules.base import Rule

# names that are gone in later versions only are warned about
_OLDEST = (3, 11)


def report_removed(rule: Rule, what: str) -> None:
    """Make a rule report the uses of something that is gone."""

    @rule.on(RemovedName, what)
    def report_event(event: RemovedName) -> Iterator[Finding]:
        yield _finding(rule, event)


def _finding(rule: Rule, event: RemovedName) -> Finding:
    severity = Severity.ERROR
    if event.what.startswith("spark"):
        problem = f"`{event.text}` is gone since Spark {event.since}"
    else:
        problem = f"`{event.text}` is gone since Python {event.since}"
        if tuple(map(int, event.since.split("."))) > _OLDEST:
            severity = Severity.WARNING
    return finding_of(rule, event, problem, severity)


def finding_of(
    rule: Rule, event: RemovedName, problem: str, severity: Severity = Severity.ERROR
) -> Finding:
    """Return a finding for an event, with what it raises and who hides that."""
    if event.error:
        problem += f": {event.error}"
    if event.hidden_by:
        problem += f", which the `except` in line {event.hidden_by} hides each time"
    if event.guessed:
        problem += f" {event.guessed}"
    return rule.finding(
        event,
        problem,
        event.advice,
        severity=severity,
        fix=fix(event),
        confidence=Confidence.PROBABLE if event.guessed else None,
    )


def fix(event: RemovedName) -> Fix | None:
    """Return what takes the place of a name."""
    if not event.edits:
        return None
    caveat = f"; {event.caveat}" if event.caveat else ""
    safety = Safety.UNSAFE if event.caveat else Safety.SAFE
    if event.becomes.startswith("from "):
        done = f"is imported by `{event.becomes}`"
    else:
        done = f"becomes `{event.becomes}`" if event.becomes else "is dropped"
    return Fix(safety, event.edits, f"`{event.text}` {done}{caveat}")
