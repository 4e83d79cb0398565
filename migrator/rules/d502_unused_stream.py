"""Streams that nothing reads.

## What

The result of an operator is thrown away where it is made, or bound to a name that nothing reads.

## Why it matters

Streams are lazy: an operator whose result leads to no output never runs, not even for its side
effects. Often the result was meant to replace the stream (`lines = lines.filter(f)`).

## Before

```python
lines.filter(is_good)
lines.pprint()
```

## After

```python
lines = lines.filter(is_good)
lines.pprint()
```

## Fix safety

There is no fix: whether the line is left over or the result forgotten cannot be known.

## By hand

Use the result, or remove the line. Side effects belong into `foreachRDD`.
"""

from migrator.model.events import UnusedStream
from migrator.rules.base import Category, Findings, Rule, Severity

rule = Rule("D502", "unused-stream", Severity.WARNING, effort=10, category=Category.BUG)


@rule.on(UnusedStream)
def report_unused_stream(event: UnusedStream) -> Findings:
    """Report that nothing reads the stream."""
    what = f"`{event.name}` is never read" if event.name else "its result is thrown away"
    yield rule.finding(
        event,
        f"{event.call} makes a new stream, and {what}: it never runs",
        "use the result, or remove the line; side effects belong into foreachRDD()",
    )
