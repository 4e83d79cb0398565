"""RDDs on Spark Connect.

## What

The program makes RDDs: `sc.parallelize`, `sc.textFile` and their like, or `df.rdd`.

## Why it matters

Spark Connect and serverless Spark have no `SparkContext` and no RDDs: the call raises an error.

## Before

```python
from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
lines = spark.sparkContext.textFile("names.txt")
```

## After

```python
from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
lines = spark.read.text("names.txt")
```

## Fix safety

There is no fix.

## By hand

Read files with `spark.read`, make frames with `spark.createDataFrame`, and work on columns; what
has to be Python becomes `mapInPandas` or a user-defined function.
"""

from migrator.model.events import ConnectBlock
from migrator.model.report import Severity
from migrator.rules.base import Rule

rule = Rule(
    "D850", "connect-rdd", Severity.WARNING, effort=30, asked_only=True, task="replace RDDs"
)
rule.reports(
    ConnectBlock,
    "rdd",
    message="`{event.text}` makes an RDD, and Spark Connect has none",
    advice="use spark.read or spark.createDataFrame, and columns",
)
