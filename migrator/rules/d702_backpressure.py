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

from collections.abc import Iterator

from migrator.model.events import Setting
from migrator.model.report import Category, Finding, Severity
from migrator.rules.base import Rule
from migrator.rules.settings_text import setting_finding

rule = Rule("D702", "backpressure", Severity.INFO, effort=0, category=Category.NOTE)


@rule.on(Setting, "backpressure")
def setting(event: Setting) -> Iterator[Finding]:
    """Report that a key of backpressure is set."""
    yield setting_finding(rule, event, "set a limit of the source")
