"""Classes of the API that the program changes.

## What

The program assigns to an attribute of `DStream` or `StreamingContext`, with `setattr` too, or
replaces a method of one stream or context.

## Why it matters

The patch lands on the classes of `dstream_compat` once the import is rewritten. There it works if
it only calls public methods. If it reaches into `_jdstream`, `_ssc` or Spark's internals, it fails,
and if it replaces a method, other methods may not call it as they did.

## Before

```python
DStream.countDistinct = lambda self: self.transform(lambda rdd: rdd.distinct()).count()
```

## After

```python
def count_distinct(stream):
    return stream.transform(lambda rdd: rdd.distinct()).count()
```

## Fix safety

There is no fix: callers of the new name would have to change with it.

## By hand

Write a function that takes the stream, or check that the patch uses public methods only.
"""

from migrator.model.events import PatchedName
from migrator.rules.base import Findings, Rule, Severity

rule = Rule("D604", "patched-class", Severity.WARNING, effort=20, task="check a patched class")


@rule.on(PatchedName)
def patch(event: PatchedName) -> Findings:
    """Report that a name is put on a class or an object of the API."""
    where = f"the class {event.owner}" if event.on_class else f"one {event.owner}"
    yield rule.finding(
        event,
        f"the program puts `{event.name}` on {where}",
        "use a function that takes the stream, or check that it calls public methods only",
    )
