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

from migrator.model.events import AttributeOfNone
from migrator.rules.base import Rule, Severity

rule = Rule("D503", "no-result", Severity.ERROR, effort=10, task="take it from the stream")
rule.reports(
    AttributeOfNone,
    message="{event.call}() gives None: taking `{event.name}` from it raises AttributeError",
    advice="call {event.name} on the stream or context itself",
)
