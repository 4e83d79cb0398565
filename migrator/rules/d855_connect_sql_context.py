"""`SQLContext` and `HiveContext` on Spark Connect.

## What

The program makes a `SQLContext` or a `HiveContext`.

## Why it matters

They take a `SparkContext`, which Spark Connect and serverless Spark do not have.

## Before

```python
from pyspark.sql import SQLContext

sql = SQLContext(sc)
```

## After

```python
from pyspark.sql import SparkSession

sql = SparkSession.builder.getOrCreate()
```

## Fix safety

There is no fix.

## By hand

Use a `SparkSession`; `enableHiveSupport()` stands for a `HiveContext`.
"""

from migrator.model.events import ConnectBlock
from migrator.model.report import Severity
from migrator.rules.base import Rule

rule = Rule(
    "D855",
    "connect-sql-context",
    Severity.WARNING,
    effort=10,
    asked_only=True,
    task="use a SparkSession",
)
rule.reports(
    ConnectBlock,
    "context",
    message="`{event.text}` needs a SparkContext, and Spark Connect has none",
    advice="use a SparkSession",
)
