"""`toDF` of RDDs in a program that makes no session.

## What

The program calls `rdd.toDF()`, makes a `SparkContext` of its own, and neither it nor a module of
the project names `SparkSession`, `SQLContext` or `HiveContext`. Notebooks and shells, which have a
session, are not reported.

## Why it matters

RDDs get `toDF` when a session is made. Without one the call fails in each batch, on DStreams and on
`dstream_compat`, whose own sessions are not the program's.

## Before

```python
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="words")
ssc = StreamingContext(sc, 1)
rows = ssc.socketTextStream("localhost", 9999).map(lambda line: (line,))

def show(rdd):
    rdd.toDF(["line"]).show()

rows.foreachRDD(show)
```

## After

```python
from pyspark.sql import SparkSession
from pyspark import SparkContext
from dstream_compat import StreamingContext

sc = SparkContext(appName="words")
ssc = StreamingContext(sc, 1)
rows = ssc.socketTextStream("localhost", 9999).map(lambda line: (line,))

def show(rdd):
    SparkSession.builder.getOrCreate().createDataFrame(rdd, ["line"]).show()

rows.foreachRDD(show)
```

## Fix safety

Safe: `toDF` is a call of `createDataFrame` of the session, and `getOrCreate()` takes the running
context.

## By hand

Make a session where the program starts: `spark = SparkSession(sc)`.
"""

from migrator.model.events import LostSession
from migrator.rules.base import Category, Fix, Rule, Safety, Severity

rule = Rule(
    "D807",
    "todf-without-session",
    Severity.ERROR,
    effort=5,
    safety=Safety.SAFE,
    category=Category.BUG,
    task="make a session",
)


def _fix(event: LostSession) -> Fix | None:
    """Return the fix: the session is asked to make the DataFrame."""
    summary = f"`{event.text}` becomes `SparkSession.builder.getOrCreate().createDataFrame`"
    return Fix(Safety.SAFE, event.edits, summary) if event.edits else None


rule.reports(
    LostSession,
    message="`{event.text}` needs a session, and the program makes none: each batch fails",
    advice="make one at the start: SparkSession(sc)",
    fix=_fix,
)
