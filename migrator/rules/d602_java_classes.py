"""Java and Scala classes of Spark Streaming reached through py4j.

## What

The program reaches classes of `org.apache.spark.streaming` through `_jvm`, often to use something
that the Python API does not have.

## Why it matters

Those classes work on Java DStreams, which do not exist under `dstream_compat`, and Spark will
remove them.

## Before

```python
duration = sc._jvm.org.apache.spark.streaming.Duration(1000)
```

## After

```python
batch_seconds = 1
```

## Fix safety

There is no fix.

## By hand

Find the Python way to what the class did. Other Java classes (log4j, Hadoop) go on working.
"""

from migrator.model.events import JavaPath
from migrator.rules.base import Rule, Severity

rule = Rule("D602", "java-class", Severity.ERROR, effort=60, task="replace Java classes")
rule.reports(
    JavaPath,
    message="reaches Java classes of org.apache.spark.streaming, which know nothing of "
    "dstream_compat",
    advice="replace it by the Python API; Java classes outside that package still work",
)
