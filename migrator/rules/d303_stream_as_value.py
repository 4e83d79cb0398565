"""DStreams used like the data in them.

## What

A DStream stands where a number, a text, a condition or a collection belongs, as in
`print(stream.count())` or `if stream.count() > 0:`.

## Why it matters

`count()` and `reduce()` give another DStream: it stands for the results of all batches to come, and
has no value when the line runs. Printing shows an object, a condition is always true, arithmetic
and iteration raise `TypeError`; with DStreams as with `dstream_compat`.

## Before

```python
print("records:", stream.count())
```

## After

```python
stream.foreachRDD(lambda rdd: print("records:", rdd.count()))
```

## Fix safety

There is no fix: what was meant to happen in each batch cannot be known.

## By hand

Use `pprint()` to see a stream, and `foreachRDD` to decide or calculate with the data of each batch.
"""

from migrator.model.events import StreamValue
from migrator.rules.base import Category, Rule, Severity

rule = Rule("D303", "stream-as-value", Severity.WARNING, effort=20, category=Category.BUG)

_ADVICE = "look at each batch: stream.foreachRDD(lambda rdd: ... rdd.count() ...)"
rule.reports(
    StreamValue,
    "text",
    message="`{event.text}` is a DStream: this shows an object, not data",
    advice="use pprint(), or stream.foreachRDD(lambda rdd: print(rdd.count()))",
)
for role, problem in {
    "number": "is a DStream, not a number: this raises TypeError or compares an object",
    "condition": "is a DStream: the condition is always true, whatever the data",
    "collection": "is a DStream, which has no length or items: this raises TypeError",
}.items():
    rule.reports(StreamValue, role, message=f"`{{event.text}}` {problem}", advice=_ADVICE)
