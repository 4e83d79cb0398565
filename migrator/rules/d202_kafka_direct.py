"""`KafkaUtils.createDirectStream` and `createRDD` raise in this version.

## What

The program reads Kafka through the direct API, or makes one of its helpers (`TopicAndPartition`,
`OffsetRange`, `Broker`).

## Why it matters

`dstream_compat.kafka` has these names, so that imports work, but this version of `dstream_compat`
reads no Kafka yet: the call raises `UnsupportedSourceError` when the job is defined.

## Before

```python
stream = KafkaUtils.createDirectStream(
    ssc, ["clicks"], {"metadata.broker.list": "broker:9092"}
)
```

## After

```python
clicks = (
    spark.readStream.format("kafka")
    .option("kafka.bootstrap.servers", "broker:9092")
    .option("subscribe", "clicks")
    .load()
)
```

## Fix safety

There is no fix: the stream of Structured Streaming is a DataFrame, not a DStream.

## By hand

Keep the job on its old Spark for now, or write this part of it with Structured Streaming. That
needs the connector package of your Spark where the job is started (D901).
"""

from collections.abc import Iterator

from migrator.events import Mention, Use
from migrator.model import Finding, Severity
from migrator.rules.base import Rule
from migrator.tables.pending import RAISES, SOURCES

rule = Rule("D202", "kafka-direct", Severity.ERROR, effort=120)

_CALLS = ("KafkaUtils.createDirectStream", "KafkaUtils.createRDD")
_CLASSES = (
    *("class.Broker", "class.KafkaMessageAndMetadata", "class.OffsetRange"),
    "class.TopicAndPartition",
)


@rule.on(Use, *_CALLS)
def direct(event: Use) -> Iterator[Finding]:
    """The direct API is used."""
    yield from _finding(event, event.key)


@rule.on(Use, *_CLASSES)
def helper(event: Use) -> Iterator[Finding]:
    """One of its helpers is made."""
    if event.use == "construct":
        yield from _finding(event, event.key)


@rule.on(Mention, *_CALLS)
def mentioned(event: Mention) -> Iterator[Finding]:
    """The direct API is mentioned in a file that does not parse."""
    yield from _finding(event, event.name)


def _finding(event: Use | Mention, key: str) -> Iterator[Finding]:
    if key in SOURCES:
        name = key.removeprefix("class.")
        yield rule.finding(
            event,
            f"{name}: {RAISES} it reads no Kafka yet, and the call raises",
            SOURCES[key],
            effort=10 if name != key else None,
        )
