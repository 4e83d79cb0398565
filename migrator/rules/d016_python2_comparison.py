"""Comparisons of Python 2 between different types.

## What

In a file that was Python 2: `<`, `<=`, `>` and `>=` between values that are proven to be of
different types, such as a string and a number, or with None.

## Why it matters

Python 2 orders everything: None comes first, then numbers, then strings. Python 3 raises a
TypeError.

## Before

```python
if raw_input() > 5:
    stop()
```

## After

```python
if int(input()) > 5:
    stop()
```

## Fix safety

There is no fix: what is right is not to be seen in the source.

## By hand

Convert one of the values, or ask for None first.
"""

from migrator.model.python2_events import Python2Doubt
from migrator.model.report import Severity
from migrator.rules.base import Rule

rule = Rule(
    "D016",
    "python2-comparison",
    Severity.WARNING,
    effort=10,
    task="check comparisons of mixed types",
)
rule.reports(
    Python2Doubt,
    "comparison",
    message="`{event.text}`: {event.detail}",
    advice="convert one of the values, or ask for None first",
)
