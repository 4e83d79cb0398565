"""Functions of Python 2 that compare for sorting.

## What

In a file that was Python 2: `cmp`, and `sorted` or `sort` with a function that compares, where the
conversion cannot write a key: there is a key as well, or it is not known to be such a function.

## Why it matters

Python 3 has no `cmp`, and sorting takes a key only: NameError or TypeError.

## Before

```python
rows.sort(compare_rows, key=first)
```

## After

```python
rows.sort(key=lambda row: functools.cmp_to_key(compare_rows)(first(row)))
```

## Fix safety

There is no fix: what is right is not to be seen in the source.

## By hand

Sort by a key. `functools.cmp_to_key` makes a key of a function that compares.
"""

from migrator.model.python2_events import Python2Doubt
from migrator.model.report import Severity
from migrator.rules.base import Rule

rule = Rule("D015", "python2-cmp", Severity.WARNING, effort=10, task="replace cmp functions")
rule.reports(
    Python2Doubt,
    "cmp",
    message="`{event.text}`: {event.detail}",
    advice="sort by a key, or use functools.cmp_to_key",
)
