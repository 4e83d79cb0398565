"""Connectors that Spark's Python API never had.

## What

The program imports a connector such as Twitter or ZeroMQ from `pyspark.streaming`. Those existed
for Scala and Java only, or in somebody's fork.

## Why it matters

The import fails with any Spark, old or new.

## Before

```python
from pyspark.streaming.twitter import TwitterUtils
```

## After

```python
lines = ssc.socketTextStream("localhost", 5555)
```

## Fix safety

There is no fix.

## By hand

Put the messages into files or onto a socket, and read those.
"""

from migrator.model.events import PackageUse
from migrator.rules.base import Rule, Severity, report_jvm_uses

rule = Rule(
    "D206",
    "other-connector",
    Severity.ERROR,
    effort=120,
    impossible=True,
    task="replace the connector",
)
report_jvm_uses(rule, "TwitterUtils", "ZeroMQUtils", "AkkaUtils", "PubsubUtils", "PubNubUtils")
rule.reports(
    PackageUse,
    "connector-module",
    message="`{event.detail}` was never part of PySpark",
    advice="bridge the source to files or a socket and read those",
)
