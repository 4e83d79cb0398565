"""Global names that functions change where the driver does not see it.

## What

A function that runs elsewhere than the driver sets a global name: one given to `foreachBatch`, or
to an operation whose functions run on executors.

## Why it matters

Executors change a copy of their own. Under Spark Connect and serverless Spark a function of
`foreachBatch` runs in a process of the server, too, so the program never sees the change. On
classic Spark it does.

## Before

```python
total = 0

def add(batch, batch_id):
    global total
    total += batch.count()

query = stream.writeStream.foreachBatch(add).start()
```

## After

```python
def add(batch, batch_id):
    batch.groupBy().count().write.mode("append").saveAsTable("counts")

query = stream.writeStream.foreachBatch(add).start()
```

## Fix safety

There is no fix.

## By hand

Keep what batches leave in a table, a file or the state of the query, and read it there.
"""

from migrator.model.events import FunctionState
from migrator.model.report import Severity
from migrator.rules.base import Rule

rule = Rule(
    "D853",
    "connect-global",
    Severity.WARNING,
    effort=20,
    asked_only=True,
    task="keep what functions change elsewhere",
)
rule.reports(
    FunctionState,
    "global",
    message="`{event.function}` sets `{event.name}` in {event.where}: the driver does not see it",
    advice="keep it in a table, a file or the state of the query",
)
