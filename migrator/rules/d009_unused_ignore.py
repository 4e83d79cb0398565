"""Comments that tell `migrate` to ignore something, and do nothing.

## What

`# migrate: ignore[D204] reason` takes the findings of the named rules on its line out of the
count; on a line of its own it does so for the next line of code. This one has no effect: there is
no such finding, there is no such rule, or no rule is named.

## Why it matters

What it was written for is gone, or it stands on the wrong line. A comment that stays may hide the
next finding.

## Before

```python
lines = ssc.textFileStream("/data")  # migrate: ignore[D204] bridged to files
```

## After

```python
lines = ssc.textFileStream("/data")
```

## Fix safety

There is no fix: whether the comment goes or moves is a decision.

## By hand

Remove the comment, or put it on the line that the finding names.
"""

from collections.abc import Iterator

from migrator.model.events import IgnoreProblem
from migrator.model.report import Finding, Severity
from migrator.rules.base import Rule

rule = Rule("D009", "unused-ignore", Severity.WARNING, effort=1, task="correct the comment")


@rule.on(IgnoreProblem, "unused")
def unused(event: IgnoreProblem) -> Iterator[Finding]:
    """Report that nothing of that rule is found there."""
    yield rule.finding(
        event,
        f"this comment ignores {event.code}, but {event.code} finds nothing there",
        "remove the comment, or put it on the line of the finding",
    )


@rule.on(IgnoreProblem, "unknown")
def unknown(event: IgnoreProblem) -> Iterator[Finding]:
    """Report that no rule has that code."""
    yield rule.finding(
        event,
        f"this comment ignores `{event.code}`, which is the code of no rule",
        "correct the code; `migrate rules` lists them",
    )


@rule.on(IgnoreProblem, "form")
def without_code(event: IgnoreProblem) -> Iterator[Finding]:
    """Report that no rule is named."""
    yield rule.finding(
        event,
        "this comment names no rule, so it ignores nothing",
        "name the rules: # migrate: ignore[D204] reason",
    )
