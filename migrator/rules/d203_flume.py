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

from migrator.model.events import MentionedName, Use
from migrator.rules.base import Rule, Severity, report_jvm_uses
from migrator.spark.names import SOURCES

rule = Rule("D203", "flume", Severity.ERROR, effort=120, impossible=True, task="replace Flume")
report_jvm_uses(rule, "FlumeUtils")

for kind in (Use, MentionedName):
    for key, advice in SOURCES.items():
        message = f"{key} raises: Structured Streaming has no Flume source"
        rule.reports(kind, key, message=message, advice=advice)
