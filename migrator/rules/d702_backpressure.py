"""Backpressure.

## What

`spark.streaming.backpressure.*` let Spark lower the rate of receivers and of direct Kafka streams
when batches were late.

## Why it matters

Structured Streaming has no backpressure, and this version of `dstream_compat` does not control the
rate yet: a batch takes all that arrived in its interval, and late batches queue.

## Before

```properties
spark.streaming.backpressure.enabled      true
spark.streaming.backpressure.initialRate  1000
```

## After

The same lines, without effect, and a job that was checked under load.

## Fix safety

There is no fix: settings files are not edited.

## By hand

Run the job under its real load and compare batch sizes and delays. If it falls behind, slow down
what feeds it, or give it more cores.
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
    yield setting_finding(
        rule,
        event,
        "compare batch sizes and delays under the real load; slow down what feeds it if need be",
    )
