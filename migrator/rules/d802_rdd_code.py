"""RDD code that has a DataFrame way.

## What

A function given to `foreachRDD` or `transform` works on the RDD of each batch with RDD operations.

## Why it matters

It runs as before: the function gets a real RDD. Structured Streaming hands a DataFrame to
`foreachBatch` instead, so this is what has to change before the job can leave DStreams for good.

## Before

```python
def save(rdd):
    if not rdd.isEmpty():
        rdd.map(lambda x: (x, 1)).toDF(["word", "n"]).write.parquet(path)
```

## After

```python
def save(df, batch_id):
    df.select("word", lit(1).alias("n")).write.parquet(path)
```

## Fix safety

There is no fix.

## By hand

Nothing has to be done to run the job with `dstream_compat`. The advice names the DataFrame way of
each operation.
"""

from migrator.model.events import RddCode
from migrator.rules.base import Category, Findings, Rule, Severity
from migrator.spark.rdd_operations import DATAFRAME_WAY

rule = Rule("D802", "rdd-code", Severity.INFO, effort=30, category=Category.NOTE)


@rule.on(RddCode)
def code(event: RddCode) -> Findings:
    """Report that a function works on the RDD of a batch."""
    names = [name for name in event.operations if name in DATAFRAME_WAY]
    if names:
        yield rule.finding(
            event,
            f"{event.function} works on the RDD of each batch ({', '.join(names)}): it runs as "
            "before",
            "DataFrames can do the same in foreachBatch",
            effort=0,
            details=tuple(f"{name}: {DATAFRAME_WAY[name]}" for name in names),
        )
