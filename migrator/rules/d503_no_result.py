"""Results of calls that give none.

## What

The program goes on with the result of an output such as `pprint()` or `foreachRDD(f)`, or of a
call of the context such as `start()`, as if it were the stream or the context.

## Why it matters

These calls give `None`, so what follows raises `AttributeError`, with DStreams as with
`dstream_compat`. Code that is used to `query.start().awaitTermination()` of Structured Streaming
often has it.

## Before

```python
ssc.start().awaitTermination()
```

## After

```python
ssc.start()
ssc.awaitTermination()
```

## Fix safety

There is no fix: which object was meant cannot be known for sure.

## By hand

Call both on the stream or context itself.
"""

from collections.abc import Iterator

from migrator.model.events import AttributeOfNone
from migrator.model.report import Finding, Severity
from migrator.rules.base import Rule

rule = Rule("D503", "no-result", Severity.ERROR, effort=10, task="take it from the stream")


@rule.on(AttributeOfNone)
def report_attribute_of_none(event: AttributeOfNone) -> Iterator[Finding]:
    """Report that something is taken from a result that is None."""
    yield rule.finding(
        event,
        f"{event.call}() gives None: taking `{event.name}` from it raises AttributeError",
        f"call {event.name} on the stream or context itself",
    )
