"""Flume streams.

## What

`FlumeUtils` received events from a Flume agent. The connector left Spark in version 3.0, and
Structured Streaming has no Flume source.

## Why it matters

`dstream_compat.flume` can be imported, but creating a stream raises.

## Before

```python
stream = FlumeUtils.createStream(ssc, "0.0.0.0", 4141)
```

## After

```python
events = KafkaUtils.createDirectStream(ssc, ["flume"], {"bootstrap.servers": "broker:9092"})
lines = ssc.textFileStream("/data/flume")
```

## Fix safety

There is no fix: where the events can be read instead is a decision.

## By hand

Let the agent write to Kafka (Flume's Kafka sink), or to files (its HDFS or file roll sink), and
read those. Flume streams gave `(headers, body)` pairs; Kafka gives `(key, value)`, files give
lines.
"""

from collections.abc import Iterator

from migrator.model.events import MentionedName, Use
from migrator.model.report import Finding, Severity
from migrator.rules.base import Rule
from migrator.rules.jvm_uses import report_jvm_uses
from migrator.spark.unsupported import SOURCES

rule = Rule("D203", "flume", Severity.ERROR, effort=120, impossible=True, task="replace Flume")
report_jvm_uses(rule, "FlumeUtils")

_KEYS = ("FlumeUtils.createStream", "FlumeUtils.createPollingStream")


@rule.on(Use, *_KEYS)
def used(event: Use) -> Iterator[Finding]:
    """Report that a Flume stream is created."""
    yield _finding(event, event.name)


@rule.on(MentionedName, *_KEYS)
def mentioned(event: MentionedName) -> Iterator[Finding]:
    """Report that a Flume stream is mentioned in a file that does not parse."""
    yield _finding(event, event.name.rpartition(".")[2])


def _finding(event: Use | MentionedName, name: str) -> Finding:
    return rule.finding(
        event,
        f"FlumeUtils.{name} raises: Structured Streaming has no Flume source",
        SOURCES[f"FlumeUtils.{name}"],
    )
