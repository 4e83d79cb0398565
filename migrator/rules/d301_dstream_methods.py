"""Methods that DStreams never had.

## What

The program calls a method on a DStream that RDDs or DataFrames have and DStreams do not, such as
`toDF`, `sortByKey` or `collect`.

## Why it matters

The call raises `AttributeError` with any Spark, so this part of the job never worked. Methods that
the package `pyspark_cassandra` adds did work, and are migration work: they need the Java objects of
DStreams.

## Before

```python
counts.toDF(["word", "n"]).write.parquet("out")
```

## After

```python
def save(rdd):
    if not rdd.isEmpty():
        rdd.toDF(["word", "n"]).write.mode("append").parquet("out")

counts.foreachRDD(save)
```

## Fix safety

There is no fix: what was meant cannot be known.

## By hand

Use `foreachRDD` for outputs and `transform` for anything an RDD can do. Write a DataFrame of each
batch with the connector of Cassandra for your Spark, in the format
`org.apache.spark.sql.cassandra`.
"""

import difflib
from functools import cache

from migrator.model.events import Use
from migrator.rules.base import Category, Findings, Rule, Severity
from migrator.spark import api
from migrator.spark.names import METHODS

rule = Rule("D301", "dstream-method", Severity.ERROR, effort=30, category=Category.BUG)

_OUTPUTS = {"toDF", "collect", "take", "first", "top", "takeOrdered", "isEmpty", "show", "write"}
_OUTPUTS |= {"foreachPartition", "saveAsTextFile", "writeStream", "collectAsMap", "toPandas"}
_INSTEAD = {
    "unpersist": "remove the call: the RDDs of old batches are let go by themselves",
    "ctx": "use stream.context().sparkContext",
}
# methods that other packages add
_ADDED = dict.fromkeys(("saveToCassandra", "joinWithCassandraTable"), "pyspark_cassandra")
# what raises by itself is no advice
_KNOWN = {name.lower(): name for name in api.DSTREAM if f"DStream.{name}" not in METHODS}


@rule.on(Use, "DStream.?")
def report_unknown_method(event: Use) -> Findings:
    """Report that a DStream has no such method."""
    name = event.name
    if name.startswith("_"):
        return
    if name in _ADDED:
        yield rule.finding(
            event,
            f"`{name}` of {_ADDED[name]} needs the Java objects of DStreams, which dstream_compat "
            "does not have",
            "use DataFrames of the connector of Cassandra in foreachRDD()",
            category=Category.MIGRATION,
            task="replace pyspark_cassandra",
        )
        return
    yield rule.finding(
        event, f"DStreams never had `{name}`: the call raises AttributeError", _advice(name)
    )


@cache
def _advice(name: str) -> str:
    if name in _INSTEAD:
        return _INSTEAD[name]
    if name.lower() in _KNOWN:
        return f"did you mean {_KNOWN[name.lower()]}?"
    if name in _OUTPUTS:
        return f"call it on each batch: stream.foreachRDD(lambda rdd: ... rdd.{name} ...)"
    if name in api.RDD:
        return f"call it on each batch: stream.transform(lambda rdd: rdd.{name}(...))"
    for close in difflib.get_close_matches(name.lower(), _KNOWN, n=1, cutoff=0.8):
        return f"did you mean {_KNOWN[close]}?"
    return "use transform() or foreachRDD() to reach the RDD of each batch"
