"""Jobs without any output.

## What

The job starts its context, but no stream of it is printed, saved or given to `foreachRDD`.

## Why it matters

Starting raises `No output operations registered, so nothing to execute`, with Spark as with
`dstream_compat`: transformations alone do nothing.

## Before

```python
lines.map(parse)
ssc.start()
```

## After

```python
lines.map(parse).foreachRDD(save)
ssc.start()
```

## Fix safety

There is no fix: what was to happen with the data cannot be known.

## By hand

Add an output: `pprint()`, `saveAsTextFiles()` or `foreachRDD()`.
"""

from migrator.model.events import MissingFromJob
from migrator.rules.base import Category, Rule, Severity

rule = Rule("D501", "no-output", Severity.ERROR, effort=20, category=Category.BUG)
rule.reports(
    MissingFromJob,
    "output",
    message="no stream of this job has an output: start() raises",
    advice="add pprint(), saveAsTextFiles() or foreachRDD()",
)
