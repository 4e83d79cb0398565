"""Kafka offsets asked of an RDD that does not know them.

## What

`offsetRanges()` is called on an RDD that is not the one a direct Kafka stream hands out: behind a
`map` or another operator, or of a stream that never came from Kafka.

## Why it matters

Only the first RDD of a direct stream knows its offsets. Any other has no such method, so the call
raised `AttributeError` in every batch.

## Before

```python
stream.map(lambda x: x[1]).foreachRDD(lambda rdd: save(rdd.offsetRanges()))
```

## After

```python
stream.foreachRDD(lambda rdd: save(rdd.offsetRanges()))
```

## Fix safety

There is no fix: what else the code does with the mapped records is not known.

## By hand

Call `offsetRanges()` first thing in a `transform` or `foreachRDD` directly on the stream that
`createDirectStream` returns, and keep the result in a variable.
"""

from migrator.model.events import LostOffsets
from migrator.rules.base import Rule, Severity

rule = Rule(
    "D306", "offset-ranges", Severity.ERROR, effort=20, task="ask for offsets at their stream"
)
rule.reports(
    LostOffsets,
    message="only the RDD that a direct Kafka stream itself hands out has offsetRanges(); this "
    "one raises AttributeError",
    advice="ask in a transform() or foreachRDD() directly behind createDirectStream()",
)
