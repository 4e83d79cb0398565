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

from collections.abc import Iterator

from migrator.model.python2_events import Python2Doubt
from migrator.model.report import Finding, Severity
from migrator.rules.base import Rule

rule = Rule(
    "D016",
    "python2-comparison",
    Severity.WARNING,
    effort=10,
    task="check comparisons of mixed types",
)


@rule.on(Python2Doubt, "comparison")
def doubt(event: Python2Doubt) -> Iterator[Finding]:
    """Report an order between types."""
    yield rule.finding(
        event,
        f"`{event.text}`: {event.detail}",
        "convert one of the values, or ask for None first",
        severity=Severity.ERROR if event.proven else None,
    )
