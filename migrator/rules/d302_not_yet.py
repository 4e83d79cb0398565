"""What `dstream_compat` does not have yet.

## What

The program uses a method that Spark's DStreams have and this version of `dstream_compat` does not
(`slice`, `addStreamingListener`), or it puts an operator with state (`updateStateByKey`,
`mapWithState`, a window) behind `transform`.

## Why it matters

The call raises when the job is defined: `UnsupportedOperationError`, or `AttributeError` where even
the name is missing. Behind `transform` the data is in the hands of a function of the driver, where
the state of Structured Streaming cannot follow it.

## Before

```python
clean = pairs.transform(lambda rdd: rdd.subtractByKey(blocked))
totals = clean.updateStateByKey(add)
```

## After

```python
totals = pairs.filter(lambda kv: kv[0] not in blocked_keys.value).updateStateByKey(add)
```

## Fix safety

There is no fix: the order of operators is part of what the job computes.

## By hand

Use operators of the stream (`filter`, `map`, `mapPartitions`, a broadcast instead of a join) in
front of the state, move `transform` behind it, or do the work in `foreachRDD`. What a listener
counted is in Spark's UI and its REST API; a `StreamingQueryListener` of the job's own session is
not told. Otherwise keep the job on its old Spark for now.
"""

from collections.abc import Iterator

from migrator.events import Use
from migrator.infer.values import Kind
from migrator.model import Confidence, Finding, Severity
from migrator.rules.base import Rule
from migrator.tables.pending import METHODS, STATE_BEHIND_TRANSFORM

rule = Rule("D302", "not-yet", Severity.ERROR, effort=45)


@rule.on(Use, *METHODS)
def missing(event: Use) -> Iterator[Finding]:
    """The method is missing, or only there to refuse."""
    yield rule.finding(
        event,
        f"this version of dstream_compat has no {event.receiver}.{event.name} yet: the call raises",
        METHODS[event.key],
        severity=_severity(event),
    )


@rule.on(Use, *(f"DStream.{name}" for name in STATE_BEHIND_TRANSFORM))
def state(event: Use) -> Iterator[Finding]:
    """State is to follow an RDD function."""
    if Kind.TRANSFORMED not in event.kinds:
        return
    always = len(event.kinds) == 1
    yield rule.finding(
        event,
        f"{event.name} {'stands' if always else 'may stand'} behind transform(), where this "
        "version of dstream_compat refuses state: the call raises",
        "put the operator with state first and transform() behind it, or do that work in "
        "foreachRDD()",
        severity=_severity(event) if always else Severity.WARNING,
    )


def _severity(event: Use) -> Severity:
    return Severity.ERROR if event.confidence is Confidence.PROVEN else Severity.WARNING
