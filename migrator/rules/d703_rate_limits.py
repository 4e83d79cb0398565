"""Limits on the rate of sources.

## What

`spark.streaming.receiver.maxRate` and `spark.streaming.kafka.maxRatePerPartition` bounded how many
records a second each receiver or each Kafka partition gave.

## Why it matters

A limit is usually there because something behind the job breaks without it.
`spark.streaming.kafka.minRatePerPartition` has no counterpart.

## Before

```properties
spark.streaming.kafka.maxRatePerPartition  500
```

## After

The same line; the limit counts per batch interval and partition as before.

## Fix safety

There is no fix: settings files are not edited.

## By hand

Check that the first batches after the switch, which may have a backlog to read, stay within what
the systems behind the job can take.
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
    yield setting_finding(rule, event, "check the limit with the first batches after the switch")
