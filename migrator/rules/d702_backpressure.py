"""Backpressure.

## What

`spark.streaming.backpressure.*` let Spark lower the rate of receivers and of direct Kafka streams
when batches were late.

## Why it matters

Structured Streaming has no backpressure; `dstream_compat` controls the rate itself. How large a
batch becomes will differ from what you saw before.

## Before

```properties
spark.streaming.backpressure.enabled      true
spark.streaming.backpressure.initialRate  1000
```

## After

The same lines, checked under load; or a fixed `spark.streaming.kafka.maxRatePerPartition`.

## Fix safety

There is no fix: settings files are not edited.

## By hand

Run the job under its real load and compare batch sizes and delays. Constants of the estimator
(`pid.*`) tuned for the old engine are best removed first.
"""

from collections.abc import Iterator

from migrator.events import Setting
from migrator.model import Finding, Severity
from migrator.rules.base import Rule
from migrator.rules.settings_text import setting_finding

rule = Rule("D702", "backpressure", Severity.WARNING, effort=15)


@rule.on(Setting, "backpressure")
def setting(event: Setting) -> Iterator[Finding]:
    """A key of backpressure is set."""
    yield setting_finding(rule, event, "compare batch sizes and delays under the real load")
