"""Broadcast variables and accumulators on Spark Connect.

## What

The program calls `broadcast` or `accumulator` of its `SparkContext`.

## Why it matters

Spark Connect and serverless Spark have no `SparkContext`: the call raises an error.

## Before

```python
table = spark.sparkContext.broadcast(load_table())
```

## After

```python
table = load_table()
```

## Fix safety

There is no fix.

## By hand

Let the function refer to the value: it is sent with the function. Join a large table as a frame,
with the hint `broadcast` of `pyspark.sql.functions`. Instead of an accumulator, count with an
aggregation or with `df.observe`.
"""

from migrator.model.events import ConnectBlock
from migrator.model.report import Severity
from migrator.rules.base import Rule

rule = Rule(
    "D851",
    "connect-shared-variable",
    Severity.WARNING,
    effort=20,
    asked_only=True,
    task="replace shared variables",
)
rule.reports(
    ConnectBlock,
    "shared",
    message="`{event.text}` needs a SparkContext, and Spark Connect has none",
    advice="use the value itself or a join; instead of an accumulator, an aggregation or "
    "df.observe",
)
