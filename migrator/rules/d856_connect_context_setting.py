"""Settings of the `SparkContext` on Spark Connect.

## What

The program calls `setLogLevel`, `setCheckpointDir`, `setLocalProperty`, `setJobGroup` or
`setJobDescription` of its `SparkContext`.

## Why it matters

Spark Connect and serverless Spark have no `SparkContext`: the call raises an error.

## Before

```python
spark.sparkContext.setLogLevel("ERROR")
```

## After

```python
# the log level is set where the server is started
```

## Fix safety

There is no fix.

## By hand

Leave log levels to the configuration of the server, give a streaming query its
`checkpointLocation`, and use tags of the session (`spark.addTag`) instead of job groups.
"""

from migrator.model.events import ConnectBlock
from migrator.model.report import Severity
from migrator.rules.base import Rule

rule = Rule(
    "D856",
    "connect-context-setting",
    Severity.WARNING,
    effort=5,
    asked_only=True,
    task="set the server, not the context",
)
rule.reports(
    ConnectBlock,
    "setting",
    message="`{event.text}` needs a SparkContext, and Spark Connect has none",
    advice="drop it, or set it where the server is started",
)
