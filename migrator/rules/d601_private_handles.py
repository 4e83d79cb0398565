"""Private handles on the Java objects behind contexts and streams.

## What

The program uses `_jssc`, `_jdstream` or another private attribute of a context or stream. `_jvm`
and `_sc` of a context work as before and are not reported.

## Why it matters

There is no Java streaming context and no Java DStream any more, so these attributes do not exist.

## Before

```python
ssc._jssc.sparkContext().cancelAllJobs()
```

## After

```python
ssc.sparkContext.cancelAllJobs()
```

## Fix safety

There is no fix: each use wants something else.

## By hand

Look for the public way: `ssc.sparkContext`, `ssc.stop()`, `foreachRDD` for progress,
`StreamingContext.getActive()` for "is it running", `mapWithState` and the other operators for
methods that only Scala had.
"""

from collections.abc import Iterator

from migrator.events import Mention, Use
from migrator.model import Finding, Severity
from migrator.rules.base import Rule

rule = Rule("D601", "private-handle", Severity.ERROR, effort=45)

_ADVICE = "use the public API: ssc.sparkContext, ssc.stop(), transform(), foreachRDD()"


@rule.on(Use, "StreamingContext.?", "DStream.?")
def used(event: Use) -> Iterator[Finding]:
    """A private attribute of a context or stream is used."""
    if not event.name.startswith("_") or event.name.startswith("__"):
        return
    java = event.name.startswith("_j")
    what = "has no Java object behind it" if java else "is not the class that had it"
    yield rule.finding(
        event,
        f"`{event.name}` is private: a {event.receiver} of dstream_compat {what}",
        _ADVICE,
        severity=Severity.ERROR if java else Severity.WARNING,
    )


@rule.on(Mention, "_jssc", "_jdstream")
def mentioned(event: Mention) -> Iterator[Finding]:
    """A handle is mentioned in a file that does not parse."""
    yield rule.finding(event, f"`{event.name}` does not exist in dstream_compat", _ADVICE)
