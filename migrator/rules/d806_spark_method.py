"""Methods that PySpark has lost.

## What

The program calls a method of a `SQLContext`, a `DataFrame` or a `SparkContext` that PySpark 1.6 to
3.5 had and PySpark 4 lacks: `sqlContext.jsonFile`, `jsonRDD`, `parquetFile`, `load`, `inferSchema`,
`applySchema`, `df.map`, `flatMap`, `mapPartitions`, `save`, `saveAsTable`, `insertInto`,
`saveAsParquetFile`. It is reported where the receiver is proven. `registerTempTable` and
`unionAll` still work.

## Why it matters

The call raises `AttributeError`.

## Before

```python
from pyspark import SparkContext
from pyspark.sql import SQLContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="people")
sqlContext = SQLContext(sc)
people = sqlContext.jsonFile("people.json")
names = people.map(lambda row: row.name)
```

## After

```python
from pyspark import SparkContext
from pyspark.sql import SQLContext
from dstream_compat import StreamingContext

sc = SparkContext(appName="people")
sqlContext = SQLContext(sc)
people = sqlContext.read.json("people.json")
names = people.rdd.map(lambda row: row.name)
```

## Fix safety

Safe where the arguments are given by position and mean the same at the new place, which Spark's own
deprecation names. Unsafe, with `--unsafe-fixes` only: `df.sql_ctx`, which becomes a session.

## By hand

Use what the advice names. An argument `source=` is `format=` there.
"""

from migrator.rules.base import removed_rule

rule = removed_rule(
    "D806", "spark-method", "spark-method", 15, "replace removed methods of PySpark"
)
