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

from migrator.model.events import IgnoreProblem
from migrator.rules.base import Rule, Severity

rule = Rule("D009", "unused-ignore", Severity.WARNING, effort=1, task="correct the comment")
rule.reports(
    IgnoreProblem,
    "unused",
    message="this comment ignores {event.code}, but {event.code} finds nothing there",
    advice="remove the comment, or put it on the line of the finding",
)
rule.reports(
    IgnoreProblem,
    "unknown",
    message="this comment ignores `{event.code}`, which is the code of no rule",
    advice="correct the code; `migrate rules` lists them",
)
rule.reports(
    IgnoreProblem,
    "form",
    message="this comment names no rule, so it ignores nothing",
    advice="name the rules: # migrate: ignore[D204] reason",
)
