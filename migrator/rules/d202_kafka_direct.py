"""`KafkaUtils.createDirectStream` and `createRDD` run through `dstream_compat.kafka`.

## What

The call is kept. `dstream_compat.kafka` reads the topics with Structured Streaming's Kafka source
and gives the same pairs and the same `offsetRanges()`.

## Why it matters

The job needs another connector package than before (D901), and it needs one at all: without it
Spark says `Failed to find data source: kafka`.

## Before

```shell
spark-submit --packages org.apache.spark:spark-streaming-kafka-0-8_2.11:2.4.8 job.py
```

## After

```shell
spark-submit --packages org.apache.spark:spark-sql-kafka-0-10_2.13:4.3.0 job.py
```

## Fix safety

There is nothing to fix in the code.

## By hand

Give the connector package of your Spark version where the job is started.
"""

from collections.abc import Iterator

from migrator.events import Use
from migrator.model import Finding, Severity
from migrator.rules.base import Rule

rule = Rule("D202", "kafka-direct", Severity.INFO, effort=5)


@rule.on(Use, "KafkaUtils.createDirectStream", "KafkaUtils.createRDD")
def direct(event: Use) -> Iterator[Finding]:
    """The direct API is used."""
    yield rule.finding(
        event,
        f"KafkaUtils.{event.name} runs through Structured Streaming's Kafka source",
        "start the job with --packages org.apache.spark:spark-sql-kafka-0-10_2.13:<Spark version>",
    )
