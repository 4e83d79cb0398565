"""Streams declared after getOrCreate.

## What

The context comes from `StreamingContext.getOrCreate` (or `getActiveOrCreate`), and the program
adds streams to it afterwards instead of in the setup function.

## Why it matters

The first run works. After a restart the context comes from the checkpoint with all its streams, and
adding one raises: the job cannot recover, which is what the checkpoint is for. `dstream_compat`
raises like Spark.

## Before

```python
ssc = StreamingContext.getOrCreate(folder, create)
ssc.socketTextStream(host, port).pprint()
```

## After

```python
def create():
    ssc = StreamingContext(sc, 1)
    ssc.checkpoint(folder)
    ssc.socketTextStream(host, port).pprint()
    return ssc

ssc = StreamingContext.getOrCreate(folder, create)
```

## Fix safety

There is no fix: moving the code would move its other effects too.

## By hand

Move everything that declares streams and outputs into the setup function.
"""

from migrator.model.events import LateStream
from migrator.rules.base import Category, Rule, Severity

rule = Rule("D603", "late-streams", Severity.ERROR, effort=30, category=Category.BUG)
rule.reports(
    LateStream,
    message="{event.name}() adds a stream to what getOrCreate() returned: after a restart this "
    "raises",
    advice="declare streams and outputs in the function given to getOrCreate()",
)
