"""A method that `dstream_compat` does not have.

## What

The program uses a method that Spark's DStreams have or once had and `dstream_compat` does not, such
as `DStream.foreach`.

## Why it matters

The call raises when the job is defined: `UnsupportedOperationError`, or `AttributeError` where even
the name is missing.

## Before

```python
counts.foreach(save)
```

## After

```python
counts.foreachRDD(save)
```

## Fix safety

There is no fix: what stands in for the method depends on what the job does with it.

## By hand

The finding names what to use instead. Otherwise keep the job on its old Spark for now.
"""

from migrator.model.events import Use
from migrator.rules.base import Confidence, Findings, Rule, Severity
from migrator.spark.names import METHODS

rule = Rule("D302", "unsupported-method", Severity.ERROR, effort=45, task="replace a method")


@rule.on(Use, *METHODS)
def report_missing_method(event: Use) -> Findings:
    """Report that the method is missing, or only there to refuse."""
    yield rule.finding(
        event,
        f"dstream_compat has no {event.receiver}.{event.name}: the call raises",
        METHODS[event.key],
        severity=_severity(event),
    )


def _severity(event: Use) -> Severity:
    return Severity.ERROR if event.confidence is Confidence.PROVEN else Severity.WARNING
