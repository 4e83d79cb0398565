"""Imports of `pyspark.streaming` become imports of `dstream_compat`.

## What

Every import of `pyspark.streaming` and of its modules, and every dotted path through them, is
rewritten to the same name in `dstream_compat`. Comments, strings and layout stay as they are.

## Why it matters

`pyspark.streaming` is deprecated, and its Kafka module left Spark in version 3.0.
`dstream_compat` has the same modules and classes. What of them does not work yet is reported where
it is used (D201 to D205, D302).

## Before

```python
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils
```

## After

```python
from dstream_compat import StreamingContext
from dstream_compat.kafka import KafkaUtils
```

## Fix safety

Safe: a name is rewritten only where inference proves that it is the module, only names that
`dstream_compat` has are imported from it, and what one import binds moves as a whole or not at
all. An import that stays is reported with the reason.

## By hand

Scala and Java sources are reported (with the extra `jvm`) and never rewritten: move such a job to
Structured Streaming, or write it in Python.

Where an import was not rewritten, remove what the message names (see also D103, D104 and D105),
or replace `pyspark.streaming` by `dstream_compat` yourself.
"""

from migrator.model.events import PackageUse
from migrator.rules.base import Findings, Rule, Safety, Severity

rule = Rule(
    "D101", "import", Severity.ERROR, effort=5, safety=Safety.SAFE, task="rewrite the imports"
)


@rule.on(PackageUse, "rewritten")
def report_rewriting(event: PackageUse) -> Findings:
    """Report that the import or path was rewritten."""
    before = event.path if event.use == "reference" else event.before
    yield rule.finding(event, f"`{before}` becomes `{event.after}`", "", fixed=True)


rule.reports(
    PackageUse,
    "jvm",
    message="`{event.path}` is imported by {event.detail}, which is reported but never rewritten",
    advice="move the job to Structured Streaming, or write it in Python with dstream_compat",
    task="leave Scala and Java",
)
rule.reports(
    PackageUse,
    "blocked",
    message="`{event.path}` was not rewritten: {event.detail}",
    advice="solve that first, then run migrate again",
)
