"""Iterators that are used as lists.

## What

The result of `map`, `filter`, `zip`, or of `keys()`, `values()`, `items()` of a dict, is used as a
list at once: `map(int, x)[0]`, `len(filter(f, x))`, `zip(a, b).sort()`, `d.keys()[0]`; also
`range(3) + [4]` and `d.items() + e.items()`. What is not proven to be a built-in function or a dict
is not reported.

## Why it matters

Python 3 gives an iterator or a view, which raises `TypeError` or `AttributeError` there.

## Before

```python
from pyspark.streaming import StreamingContext

port = map(int, "1 2".split())[0]
first = {"a": 1}.keys()[0]
```

## After

```python
from dstream_compat import StreamingContext

port = list(map(int, "1 2".split()))[0]
first = list({"a": 1}.keys())[0]
```

## Fix safety

Safe: `list(...)` gives what Python 2 gave. There is no fix for `d.keys().sort()`, which sorts a
list that nothing keeps.

## By hand

Put `list()` around the call, or sort with `sorted()`.
"""

from migrator.rules.base import removed_rule

rule = removed_rule("D116", "iterator-as-list", "list", 5, "wrap iterators in list()", other=None)
