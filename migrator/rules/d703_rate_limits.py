"""Limits on the rate of sources.

## What

`spark.streaming.receiver.maxRate` and `spark.streaming.kafka.maxRatePerPartition` bounded how many
records a second each receiver or each Kafka partition gave.

## Why it matters

`dstream_compat` honours both. A micro-batch that carries several late intervals may take several
times as much. The remaining keys (`kafka.minRatePerPartition`, `raw.maxBlockSizeBytes`) have no
effect: those are the ones that ask for a decision.

## Before

```properties
spark.streaming.receiver.maxRate           500
spark.streaming.kafka.minRatePerPartition  10
```

## After

```properties
spark.streaming.receiver.maxRate           500
```

## Fix safety

There is no fix: settings files are not edited.

## By hand

Remove keys without effect. Watch the first batches after the switch, which may have a backlog to
read.
"""

from migrator.rules.base import Rule, Severity, report_settings

rule = Rule("D703", "rate-limit", Severity.WARNING, effort=10, task="bound the rate elsewhere")
report_settings(
    rule,
    "rate-limit",
    "check that the job does without; bound the rate where the records come from",
)
