"""Backpressure.

## What

`spark.streaming.backpressure.*` let Spark lower the rate of receivers and of direct Kafka streams
when batches were late.

## Why it matters

`dstream_compat` does the same, with the same estimator, for sockets, MQTT, Kinesis and Kafka.
Structured Streaming itself has no backpressure: there a micro-batch takes all that is there, or at
most `maxOffsetsPerTrigger`.

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

Nothing for `dstream_compat`. Before a job moves on to Structured Streaming, find out what a
micro-batch may take and set that as a limit of its source.
"""

from collections.abc import Iterator

from migrator.model.events import Setting
from migrator.model.report import Finding, Severity
from migrator.rules.base import Rule
from migrator.rules.settings_text import setting_finding

rule = Rule("D702", "backpressure", Severity.INFO, effort=0)


@rule.on(Setting, "backpressure")
def setting(event: Setting) -> Iterator[Finding]:
    """A key of backpressure is set."""
    yield setting_finding(rule, event, "set a limit of the source")
