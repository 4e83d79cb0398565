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

from collections.abc import Iterator

from migrator.model.connect_events import ConnectBlock
from migrator.model.report import Finding, Severity
from migrator.rules.base import Rule

rule = Rule(
    "D856",
    "connect-context-setting",
    Severity.WARNING,
    effort=5,
    asked_only=True,
    task="set the server, not the context",
)


@rule.on(ConnectBlock, "setting")
def block(event: ConnectBlock) -> Iterator[Finding]:
    """Report that the context is set."""
    yield rule.finding(
        event,
        f"`{event.text}` needs a SparkContext, and Spark Connect has none",
        "drop it, or set it where the server is started",
    )
