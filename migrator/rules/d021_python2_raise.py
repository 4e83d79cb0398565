"""Raised values whose type is not known.

## What

In a file that was Python 2: a string is raised, or `raise E, value` had a value of which it is not
known whether it is an exception or a tuple.

## Why it matters

`raise E, value` was converted to `raise E(value)`. That is the same unless the value is an
exception or a tuple. No Python since 2.6 raises strings.

## Before

```python
raise ValueError, problem
```

## After

```python
raise problem
```

## Fix safety

There is no fix: what is right is not to be seen in the source.

## By hand

Leave it if the value is a text or a number. Raise the value itself if it is an exception, and write
`E(*value)` if it is a tuple.
"""

from migrator.model.python2_events import Python2Doubt
from migrator.model.report import Severity
from migrator.rules.base import Rule

rule = Rule("D021", "python2-raise", Severity.WARNING, effort=5, task="check what is raised")
rule.reports(
    Python2Doubt,
    "raise",
    message="`{event.text}`: {event.detail}",
    advice="leave it if it is a text or a number",
)
