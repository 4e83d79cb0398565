"""Divisions of Python 2 that may have rounded down.

## What

`/` in a file that was Python 2, where neither value is proven to be a float. The message says which
of both is known to be an int. Where both are, the conversion writes `//` (D010).

## Why it matters

Between two ints Python 2 rounds down: `404 / 100` is 4 there, and 4.04 in Python 3. A comparison
such as `code / 100 == 4` is never true then, and nothing fails.

## Before

```python
is_error = code / 100 == 4
```

## After

```python
is_error = code // 100 == 4
```

## Fix safety

There is no fix: what is right is not to be seen in the source.

## By hand

Write `//` if both values are ints, and `float(a) / b` if they are not always floats. With
`from __future__ import division` in the file, nothing is reported.
"""

from migrator.model.python2_events import Python2Doubt
from migrator.model.report import Severity
from migrator.rules.base import Rule

rule = Rule("D012", "python2-division", Severity.WARNING, effort=5, task="choose / or //")
rule.reports(
    Python2Doubt,
    "division",
    message="`{event.text}` rounds down in Python 2 if both values are ints: {event.detail}",
    advice="write // for ints; leave / for floats",
)
