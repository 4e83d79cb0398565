"""Methods that `StreamingContext` never had in Python.

## What

The program calls a method of the streaming context that exists in Scala only, such as
`fileStream` or `receiverStream`, or that never existed.

## Why it matters

The call raises `AttributeError` with any Spark, so the job never worked as written.

## Before

```python
lines = ssc.fileStream("/data/in")
```

## After

```python
lines = ssc.textFileStream("/data/in")
```

## Fix safety

There is no fix: what was meant cannot be known.

## By hand

Use one of the sources that the Python API has: `socketTextStream`, `textFileStream`,
`binaryRecordsStream` or `queueStream`.
"""

import difflib

from migrator.model.events import Use
from migrator.rules.base import Findings, Rule, Severity, report_jvm_uses
from migrator.spark import api
from migrator.spark.names import NAMES

rule = Rule(
    "D207", "context-method", Severity.ERROR, effort=30, task="replace a method of the context"
)
report_jvm_uses(
    rule,
    "StreamingContext.receiverStream",
    "StreamingContext.actorStream",
    "StreamingContext.fileStream",
    "StreamingContext.rawSocketStream",
)

_SCALA_ONLY = {
    "fileStream": "use textFileStream or binaryRecordsStream",
    "receiverStream": "bridge what it receives to a socket or to files",
    "actorStream": "bridge the actor to a socket or to files",
    "rawSocketStream": "use socketTextStream",
    "socketStream": "use socketTextStream and split or decode in map()",
    "awaitTerminationOrTimeOut": "the name is awaitTerminationOrTimeout",
}
_STOPPED = "awaitTerminationOrTimeout(0) is true once the context has stopped"
_INSTEAD = {
    **_SCALA_ONLY,
    **dict.fromkeys(("getState", "isStopped", "isActive", "isRunning"), _STOPPED),
    "sc": "use ssc.sparkContext",
    "conf": "use ssc.sparkContext.getConf()",
    "close": "use stop()",
    "textFile": "use textFileStream() for a stream, ssc.sparkContext.textFile() for an RDD",
    **{name: f"use ssc.sparkContext.{name}" for name in NAMES - {"textFile"}},
}
_PUBLIC = {name.lower(): name for name in api.STREAMING_CONTEXT if not name.startswith("_")}


@rule.on(Use, "StreamingContext.?")
def report_unknown_method(event: Use) -> Findings:
    """Report that the context has no such method."""
    if event.name.startswith("_"):
        return
    close = difflib.get_close_matches(event.name.lower(), _PUBLIC, n=1, cutoff=0.75)
    advice = _INSTEAD.get(event.name) or (
        f"did you mean {_PUBLIC[close[0]]}?" if close else "remove the call: it never worked"
    )
    yield rule.finding(
        event, f"StreamingContext never had `{event.name}` in Python: the call raises", advice
    )
