"""`KafkaUtils.createDirectStream` and `createRDD`: they need Spark's Kafka connector.

## What

The program reads Kafka through the direct API. It is reported once for a project, at the first use.

## Why it matters

`dstream_compat.kafka` reads through Structured Streaming's Kafka source, whose package belongs to
your version of Spark: `spark-sql-kafka-0-10` in place of `spark-streaming-kafka-0-8`. Offsets,
`fromOffsets`, decoders, `messageHandler` and `rdd.offsetRanges()` work as before. The brokers have
to be of version 0.11 or later. Parameters that current consumers do not know are named in a
warning when the job starts.

The checkpoint of the old job is not read: without `fromOffsets` the first start begins where
`auto.offset.reset` says, which is the end of the topics by default, and what has arrived since the
old job stopped is skipped.

## Before

```python
from pyspark.streaming.kafka import KafkaUtils

stream = KafkaUtils.createDirectStream(
    ssc, ["clicks"], {"metadata.broker.list": "broker:9092"}
)
```

## After

```python
from dstream_compat.kafka import KafkaUtils

stream = KafkaUtils.createDirectStream(
    ssc, ["clicks"], {"metadata.broker.list": "broker:9092"}
)
```

## Fix safety

There is no fix, and none is needed: the imports move with D101.

## By hand

`python -m dstream_compat run` and `submit` add the connector by themselves. Where you start the job
in another way, give `--packages org.apache.spark:spark-sql-kafka-0-10_2.13:<your Spark version>`.

If the job must miss nothing, let the old one print its last `rdd.offsetRanges()`, and give their
`untilOffset`s to the first start of the new one as `fromOffsets`.
"""

from migrator.model.events import Event, MentionedName, Use
from migrator.model.projects import DIRECT_KAFKA, ProjectFacts
from migrator.rules.base import Category, Findings, Rule, Severity, report_jvm_uses

rule = Rule("D202", "kafka-direct", Severity.INFO, effort=0, category=Category.NOTE)
report_jvm_uses(rule, *DIRECT_KAFKA, "new OffsetRange", "OffsetRange.create", "OffsetRange.apply")


def direct(event: Event, facts: ProjectFacts) -> Findings:
    """Report that the direct API is used or named; what it takes is told once."""
    if event is not facts.direct_kafka:
        return
    more = f" ({facts.direct_uses} uses in this project)" if facts.direct_uses > 1 else ""
    yield rule.finding(
        event,
        f"{event.key} reads through Spark's Kafka source, spark-sql-kafka-0-10{more}",
        "`python -m dstream_compat run` and `submit` add its package by themselves",
    )


for kind in (Use, MentionedName):
    rule.with_facts(kind, *DIRECT_KAFKA)(direct)
