"""Methods of dicts of Python 2.

## What

The program calls `iteritems`, `itervalues`, `iterkeys`, `viewitems`, `viewvalues`, `viewkeys` or
`has_key` on a dict, or on something that is not known. It is not reported where a class of the
program has such a method, behind `hasattr`, or for functions of that name (`six.iteritems(d)`).

## Why it matters

The call raises `AttributeError`. Inside a `try` with a broad `except`, each record is dropped
silently; the message names that line.

## Before

```python
from pyspark.streaming import StreamingContext

limits = {"a": 1}
for name, limit in limits.iteritems():
    print(name, limit)
if not limits.has_key("b"):
    print("no limit")
```

## After

```python
from dstream_compat import StreamingContext

limits = {"a": 1}
for name, limit in limits.items():
    print(name, limit)
if "b" not in limits:
    print("no limit")
```

## Fix safety

Safe on what is proven to be a dict. Unsafe, with `--unsafe-fixes` only, on anything else: it may be
an object that has a method of its own.

## By hand

Call `items()`, `values()` or `keys()`, and write `key in d` for `d.has_key(key)`.
"""

from migrator.rules.base import removed_rule

rule = removed_rule("D111", "dict-method", "dict-method", 5, "replace dict methods of Python 2")
