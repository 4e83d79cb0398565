"""Sessions kept in globals().

## What

A `SparkSession` or `SQLContext` is kept in `globals()`, the way Spark's old guide showed for
`foreachRDD`.

## Why it matters

It works as before: the functions run in the driver, and there is one session. It is no longer
needed, because `SparkSession.builder.getOrCreate()` returns the existing session by itself.

## Before

```python
if "session" not in globals():
    globals()["session"] = SparkSession.builder.config(conf=conf).getOrCreate()
df = globals()["session"].createDataFrame(rdd)
```

## After

```python
df = SparkSession.builder.getOrCreate().createDataFrame(rdd)
```

## Fix safety

There is no fix: other code may read the global name.

## By hand

Nothing has to be done. To simplify, call `SparkSession.builder.getOrCreate()` where it is used.
"""

from migrator.model.events import SessionSingleton
from migrator.rules.base import Category, Rule, Severity

rule = Rule("D801", "session-singleton", Severity.INFO, effort=5, category=Category.NOTE)
rule.reports(
    SessionSingleton,
    message="`{event.text}` keeps a session: it works as before",
    advice="SparkSession.builder.getOrCreate() alone does the same",
    effort=0,
)
