"""Sessions from outside in functions of batches.

## What

A function of `foreachBatch` or `foreachRDD` uses a `SparkSession` that was made outside of it.

## Why it matters

Under Spark Connect and serverless Spark the function runs in a process of the server, with a
session of its own; and each batch of a query has a clone of the session, whose temporary views
others do not see.

## Before

```python
def process(batch, batch_id):
    names = spark.table("names")
    batch.join(names, "id").show()
```

## After

```python
def process(batch, batch_id):
    names = batch.sparkSession.table("names")
    batch.join(names, "id").show()
```

## Fix safety

There is no fix.

## By hand

Take the session of the batch: `batch.sparkSession`.
"""

from migrator.model.events import FunctionState
from migrator.model.report import Severity
from migrator.rules.base import Rule

rule = Rule(
    "D854",
    "connect-captured-session",
    Severity.WARNING,
    effort=5,
    asked_only=True,
    task="use the session of the batch",
)
rule.reports(
    FunctionState,
    "session",
    message="`{event.function}` uses the session `{event.name}` from outside, in {event.where}",
    advice="use the session of the batch: batch.sparkSession",
)
