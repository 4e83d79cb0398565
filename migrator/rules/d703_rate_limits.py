"""Limits on the rate of sources.

## What

`spark.streaming.receiver.maxRate` and `spark.streaming.kafka.maxRatePerPartition` bounded how many
records a second each receiver or each Kafka partition gave.

## Why it matters

A limit is usually there because something behind the job breaks without it, and this version of
`dstream_compat` applies none yet: a batch takes all that arrived in its interval.

## Before

```properties
spark.streaming.receiver.maxRate  500
```

## After

The same line, without effect, and a limit where the records come from.

## Fix safety

There is no fix: settings files are not edited.

## By hand

Bound the rate where the records come from, or let the function of `foreachRDD` wait for the systems
behind the job. Watch the first batches after the switch, which may have a backlog to read.
"""

from collections.abc import Iterator

from migrator.events import Setting
from migrator.model import Finding, Severity
from migrator.rules.base import Rule
from migrator.rules.settings_text import setting_finding

rule = Rule("D703", "rate-limit", Severity.WARNING, effort=10)


@rule.on(Setting, "rate-limit")
def setting(event: Setting) -> Iterator[Finding]:
    """A rate limit is set."""
    yield setting_finding(
        rule, event, "bound the rate where the records come from, or wait in foreachRDD()"
    )
