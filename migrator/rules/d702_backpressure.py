"""Backpressure.

## What

`spark.streaming.backpressure.*` let Spark lower the rate of receivers and of direct Kafka streams
when batches were late.

## Why it matters

`dstream_compat` does the same, with the same estimator, for sockets, MQTT, Kinesis and Kafka.

## Before

```properties
spark.streaming.backpressure.enabled      true
spark.streaming.backpressure.initialRate  1000
```

## After

The same lines.

## Fix safety

There is no fix, and none is needed.

## By hand

Nothing has to be done.
"""

from migrator.rules.base import Category, Rule, Severity, report_settings

rule = Rule("D702", "backpressure", Severity.INFO, effort=0, category=Category.NOTE)
report_settings(rule, "backpressure", "set a limit of the source")
