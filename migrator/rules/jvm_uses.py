"""The finding of any rule about a use of Spark Streaming in Scala or Java."""

from __future__ import annotations

from collections.abc import Iterator

from migrator.model.jvm_events import JvmUse
from migrator.model.report import Category, Finding, Severity
from migrator.rules.base import Rule

# to write a small job anew
_EFFORT = 60


def report_jvm_uses(rule: Rule, *keys: str) -> None:
    """Make a rule report what its construct is in Scala and Java: none of it runs from there."""

    @rule.on(JvmUse, *keys)
    def use(event: JvmUse) -> Iterator[Finding]:
        yield rule.finding(
            event,
            f"`{event.call_text}` in {event.language}: dstream_compat is for Python",
            "move the job to Structured Streaming, or write it in Python first",
            severity=Severity.ERROR,
            effort=max(rule.effort, _EFFORT),
            category=Category.MIGRATION,
            task="leave Scala and Java",
        )
