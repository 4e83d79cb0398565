"""`round()`, which rounds halves differently.

## What

In a file that was Python 2: a call of the builtin `round` whose value is not proven to be an int.

## Why it matters

`round(2.5)` is 3.0 in Python 2, and 2 in Python 3, an int.

## Before

```python
bucket = round(value)
```

## After

```python
bucket = math.floor(value + 0.5)
```

## Fix safety

There is no fix: what is right is not to be seen in the source.

## By hand

Leave it if halves do not matter. `decimal` has `ROUND_HALF_UP`.
"""

from migrator.model.python2_events import Python2Doubt
from migrator.model.report import Severity
from migrator.rules.base import Rule

rule = Rule("D017", "python2-round", Severity.WARNING, effort=3, task="check rounding")
rule.reports(
    Python2Doubt,
    "round",
    message="`{event.text}`: {event.detail}",
    advice="leave it if halves do not matter",
)
