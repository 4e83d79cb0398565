"""Lists of Python 2 that Python 3 computes late.

## What

In a file that was Python 2: `keys()`, `values()` and `items()` of what may be a dict or an RDD,
`filter` of what may be a string or a tuple, and `map` of several values.

## Why it matters

They are lists in Python 2. In Python 3, `keys()` of a dict is a view that changes with it and has
no index, `filter` never gives a string, and `map` ends with the shortest value. Where the receiver
is proven to be a dict, or the value is used as a list, the conversion writes `list(...)` (D010); it
does not guess, because RDDs have `keys()` and `values()` too.

## Before

```python
names = settings.keys()
```

## After

```python
names = list(settings.keys())
```

## Fix safety

There is no fix: what is right is not to be seen in the source.

## By hand

Write `list(...)` around the call if it is about a dict. Leave it if it is an RDD.
"""

from migrator.model.python2_events import Python2Doubt
from migrator.model.report import Severity
from migrator.rules.base import Rule

rule = Rule(
    "D014", "python2-lazy", Severity.WARNING, effort=3, task="check lists that are lazy now"
)
rule.reports(
    Python2Doubt,
    "lazy",
    message="`{event.text}`: {event.detail}",
    advice="write list(...) around it if a list is needed",
)
