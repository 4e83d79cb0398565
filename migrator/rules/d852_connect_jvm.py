"""The JVM on Spark Connect.

## What

The program reaches into the JVM: `_jvm`, `_jsc`, `_gateway`, `_jdf` and their like.

## Why it matters

Under Spark Connect and serverless Spark the program has no JVM: the attribute does not exist.

## Before

```python
version = spark.sparkContext._jvm.java.lang.System.getProperty("java.version")
```

## After

```python
call = "java_method('java.lang.System', 'getProperty', 'java.version')"
version = spark.range(1).selectExpr(call).first()[0]
```

## Fix safety

There is no fix.

## By hand

Use the Python API, a function of SQL, or a library of Python; files are reached with `fsspec` or
the client of the store.
"""

from migrator.model.events import ConnectBlock
from migrator.model.report import Severity
from migrator.rules.base import Rule

rule = Rule(
    "D852", "connect-jvm", Severity.WARNING, effort=60, asked_only=True, task="replace Java classes"
)
rule.reports(
    ConnectBlock,
    "jvm",
    message="`{event.text}` is of the JVM, and a client of Spark Connect has none",
    advice="use the Python API, SQL, or a library of Python",
)
