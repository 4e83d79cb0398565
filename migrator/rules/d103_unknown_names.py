"""Names that `dstream_compat` does not have.

## What

The program imports or uses a name of `pyspark.streaming` that is private, that Spark's Python API
never had there, or that this version of `dstream_compat` lacks.

## Why it matters

`dstream_compat` has the public names only, and not all of those yet. The whole statement is left as
it is, so that no import dangles.

## Before

```python
from pyspark.streaming.context import StreamingContext, StorageLevel
```

## After

```python
from pyspark import StorageLevel
from dstream_compat.context import StreamingContext
```

## Fix safety

There is no fix: what the program wants with the name cannot be known.

## By hand

Import the name from where it is defined, or remove its use; then run `migrate` again.
"""

from migrator.model.events import PackageUse
from migrator.rules.base import Findings, Rule, Severity
from migrator.spark import api
from migrator.spark.names import LACKING, STAR

rule = Rule("D103", "unknown-name", Severity.ERROR, effort=15, task="replace a missing name")

_ELSEWHERE = {
    "StorageLevel": "pyspark",
    "SparkContext": "pyspark",
    "SparkConf": "pyspark",
    "RDD": "pyspark",
    "StreamingContext": "dstream_compat",
    "DStream": "dstream_compat",
    "StreamingListener": "dstream_compat",
    "rddToFileName": "dstream_compat.util",
    "KafkaUtils": "dstream_compat.kafka",
    "TopicAndPartition": "dstream_compat.kafka",
    "OffsetRange": "dstream_compat.kafka",
    "KinesisUtils": "dstream_compat.kinesis",
    "FlumeUtils": "dstream_compat.flume",
    "MQTTUtils": "dstream_compat.mqtt",
}


@rule.on(PackageUse, "unknown-name")
def name(event: PackageUse) -> Findings:
    """Report that the module has no such public name."""
    inside = event.detail.removeprefix(f"{api.ROOT}.")
    if inside in LACKING:
        yield rule.finding(
            event,
            f"this version of dstream_compat has no `{inside}`; this import is not rewritten",
            f"{LACKING[inside]}, then run migrate again",
        )
        return
    short = event.detail.rpartition(".")[2]
    private = "is private" if short.startswith("_") else "is not part of its public API"
    home = _ELSEWHERE.get(short)
    where = f"import it from {home}" if home else "remove its use"
    yield rule.finding(
        event,
        f"`{event.detail}` {private}, so dstream_compat has none; this import is not rewritten",
        f"{where}, then run migrate again",
    )


@rule.on(PackageUse, "unknown-module")
def module(event: PackageUse) -> Findings:
    """Report that there is no such module."""
    names = ", ".join(sorted(name for name in STAR if name))
    yield rule.finding(
        event,
        f"`{event.detail}` is not a module of Spark's public Python API",
        f"use one of {names}, or remove it",
    )
