"""Private handles on the Java objects behind contexts and streams.

## What

The program uses `_jssc`, `_jdstream` or another private attribute of a context or stream, or wraps
a stream of the JVM: `DStream(jdstream, ssc, serializer)`. `_jvm` and `_sc` of a context work as
before and are not reported. What else works, such as `_jduration` and `_jtime`, is a warning.

## Why it matters

There is no Java streaming context and no Java DStream any more, so attributes that stand for them
raise an error, and so does the constructor of `DStream`. Attributes that work are private all the
same, and those that make Java objects need classes that go away with Spark's DStreams.

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

from migrator.model.events import MentionedName, Use
from migrator.rules.base import Findings, Rule, Severity

rule = Rule("D601", "private-handle", Severity.ERROR, effort=45, task="use the public API")

WORKING = (
    *("_activeContext", "_check_serializers", "_ensure_initialized", "_jduration", "_jtime"),
    *("_slideDuration", "_ssc", "_validate_window_param"),
)
_ADVICE = "use the public API: ssc.sparkContext, ssc.stop(), transform(), foreachRDD()"


@rule.on(Use, "StreamingContext.?", "DStream.?")
def report_private_attribute(event: Use) -> Findings:
    """Report that a private attribute of a context or stream is used."""
    if not event.name.startswith("_") or event.name.startswith("__"):
        return
    severity, what = Severity.WARNING, "is not the class that had it"
    if event.name in WORKING:
        what = "still has it, but nobody promises that"
    elif event.name.startswith("_j"):
        severity, what = Severity.ERROR, "has no Java object behind it"
    yield rule.finding(
        event,
        f"`{event.name}` is private: a {event.receiver} of dstream_compat {what}",
        _ADVICE,
        severity=severity,
    )


@rule.on(Use, "class.DStream", "class.KafkaDStream")
def report_wrapped_stream(event: Use) -> Findings:
    """Report that a stream of the JVM is wrapped; naming the class is harmless."""
    if event.use == "construct":
        yield rule.finding(
            event,
            f"`{event.name}(jdstream, ssc, serializer)` wraps a stream of the JVM, which "
            "dstream_compat does not have: the call raises",
            "make the stream with a method of the StreamingContext, or with KafkaUtils",
        )


# in a file that does not parse
rule.reports(
    MentionedName,
    *("_jssc", "_jdstream"),
    message="`{event.name}` does not exist in dstream_compat",
    advice=_ADVICE,
)
