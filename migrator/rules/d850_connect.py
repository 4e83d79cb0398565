"""Code that Spark Connect and serverless Spark cannot run.

## What

The program needs what a client of Spark Connect does not have:

- D850: RDDs, of `sc.parallelize`, `sc.textFile` and their like, or of `df.rdd`.
- D851: `broadcast` or `accumulator` of its `SparkContext`.
- D852: the JVM: `_jvm`, `_jsc`, `_gateway`, `_jdf` and their like.
- D853: a global name that a function sets where the driver does not see it: one given to
  `foreachBatch`, or to an operation whose functions run on executors.
- D854: a `SparkSession` that a function of `foreachBatch` or `foreachRDD` uses, and that was made
  outside of it.
- D855: a `SQLContext` or a `HiveContext`.
- D856: `setLogLevel`, `setCheckpointDir`, `setLocalProperty`, `setJobGroup` or `setJobDescription`
  of its `SparkContext`.
- D857: `addFile`, `addPyFile` or `addArchive` of its `SparkContext`.

## Why it matters

Under Spark Connect and serverless Spark the program is a client: it has no `SparkContext`, no RDDs
and no JVM, so the call raises an error, or the attribute does not exist. A function of
`foreachBatch` runs in a process of the server, with a session of its own, so the program never sees
what it changes. On classic Spark it does, while executors change a copy of their own there, too;
and each batch of a query has a clone of the session, whose temporary views others do not see.

## Before

```python
from pyspark.sql import SparkSession, SQLContext

spark = SparkSession.builder.getOrCreate()
spark.sparkContext.setLogLevel("ERROR")
spark.sparkContext.addPyFile("helpers.py")
sql = SQLContext(spark.sparkContext)
lines = spark.sparkContext.textFile("names.txt")
table = spark.sparkContext.broadcast(load_table())
version = spark.sparkContext._jvm.java.lang.System.getProperty("java.version")
total = 0

def process(batch, batch_id):
    global total
    total += batch.count()
    batch.join(spark.table("names"), "id").show()

query = stream.writeStream.foreachBatch(process).start()
```

## After

```python
from pyspark.sql import SparkSession

# the log level is set where the server is started
spark = SparkSession.builder.getOrCreate()
spark.addArtifacts("helpers.py", pyfile=True)
lines = spark.read.text("names.txt")
table = load_table()
call = "java_method('java.lang.System', 'getProperty', 'java.version')"
version = spark.range(1).selectExpr(call).first()[0]

def process(batch, batch_id):
    batch.groupBy().count().write.mode("append").saveAsTable("counts")
    batch.join(batch.sparkSession.table("names"), "id").show()

query = stream.writeStream.foreachBatch(process).start()
```

## Fix safety

There is no fix.

## By hand

- D850: read files with `spark.read`, make frames with `spark.createDataFrame`, and work on columns;
  what has to be Python becomes `mapInPandas` or a user-defined function.
- D851: let the function refer to the value: it is sent with the function. Join a large table as a
  frame, with the hint `broadcast` of `pyspark.sql.functions`. Instead of an accumulator, count with
  an aggregation or with `df.observe`.
- D852: use the Python API, a function of SQL, or a library of Python; files are reached with
  `fsspec` or the client of the store.
- D853: keep what batches leave in a table, a file or the state of the query, and read it there.
- D854: take the session of the batch: `batch.sparkSession`.
- D855: use a `SparkSession`; `enableHiveSupport()` stands for a `HiveContext`.
- D856: leave log levels to the configuration of the server, give a streaming query its
  `checkpointLocation`, and use tags of the session (`spark.addTag`) instead of job groups.
- D857: use `spark.addArtifacts(path, file=True)` for files, `pyfile=True` for modules,
  `archive=True` for archives.
"""

from migrator.model.events import ConnectBlock, Event, FunctionState
from migrator.rules.base import Rule, Severity

SUBJECT = "Spark Connect"
_NO_CONTEXT = "`{event.text}` needs a SparkContext, and Spark Connect has none"


def _rule(
    code: str, name: str, effort: int, task: str, kind: str, advice: str, message: str = _NO_CONTEXT
) -> Rule:
    rule = Rule(code, f"connect-{name}", Severity.WARNING, effort, asked_only=True, task=task)
    event: type[Event] = FunctionState if kind in ("global", "session") else ConnectBlock
    rule.reports(event, kind, message=message, advice=advice)
    return rule


rules = (
    _rule(
        *("D850", "rdd", 30, "replace RDDs", "rdd"),
        "use spark.read or spark.createDataFrame, and columns",
        "`{event.text}` makes an RDD, and Spark Connect has none",
    ),
    _rule(
        *("D851", "shared-variable", 20, "replace shared variables", "shared"),
        "use the value itself or a join; instead of an accumulator, an aggregation or df.observe",
    ),
    _rule(
        *("D852", "jvm", 60, "replace Java classes", "jvm"),
        "use the Python API, SQL, or a library of Python",
        "`{event.text}` is of the JVM, and a client of Spark Connect has none",
    ),
    _rule(
        *("D853", "global", 20, "keep what functions change elsewhere", "global"),
        "keep it in a table, a file or the state of the query",
        "`{event.function}` sets `{event.name}` in {event.where}: the driver does not see it",
    ),
    _rule(
        *("D854", "captured-session", 5, "use the session of the batch", "session"),
        "use the session of the batch: batch.sparkSession",
        "`{event.function}` uses the session `{event.name}` from outside, in {event.where}",
    ),
    _rule("D855", "sql-context", 10, "use a SparkSession", "context", "use a SparkSession"),
    _rule(
        *("D856", "context-setting", 5, "set the server, not the context", "setting"),
        "drop it, or set it where the server is started",
    ),
    _rule(
        *("D857", "files", 10, "send files with addArtifacts", "file"),
        "use addArtifacts of the session",
    ),
)
