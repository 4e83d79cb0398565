"""Variables that outlived their block in Python 2.

## What

In a file that was Python 2: the variable of a list comprehension, or the name behind `except`, is
read behind it.

## Why it matters

In Python 3 both end with their block: NameError, or the value that the variable had before.

## Before

```python
try:
    run()
except IOError, e:
    pass
print e
```

## After

```python
error = None
try:
    run()
except IOError as e:
    error = e
print(error)
```

## Fix safety

There is no fix: what is right is not to be seen in the source.

## By hand

Give the value a name of its own in the block.
"""

from migrator.model.python2_events import Python2Doubt
from migrator.model.report import Severity
from migrator.rules.base import Rule

rule = Rule(
    "D020", "python2-scope", Severity.WARNING, effort=5, task="rename variables in inner blocks"
)
rule.reports(
    Python2Doubt,
    "scope",
    message="`{event.text}`: {event.detail}",
    advice="give the value another name inside",
)
