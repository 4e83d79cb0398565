"""Files and modules that are sent to executors on Spark Connect.

## What

The program calls `addFile`, `addPyFile` or `addArchive` of its `SparkContext`.

## Why it matters

Spark Connect and serverless Spark have no `SparkContext`: the call raises an error.

## Before

```python
spark.sparkContext.addPyFile("helpers.py")
```

## After

```python
spark.addArtifacts("helpers.py", pyfile=True)
```

## Fix safety

There is no fix.

## By hand

Use `spark.addArtifacts(path, file=True)` for files, `pyfile=True` for modules, `archive=True` for
archives.
"""

from migrator.model.events import ConnectBlock
from migrator.model.report import Severity
from migrator.rules.base import Rule

rule = Rule(
    "D857",
    "connect-files",
    Severity.WARNING,
    effort=10,
    asked_only=True,
    task="send files with addArtifacts",
)
rule.reports(
    ConnectBlock,
    "file",
    message="`{event.text}` needs a SparkContext, and Spark Connect has none",
    advice="use addArtifacts of the session",
)
