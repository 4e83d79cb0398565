"""`print` statements that end with a comma.

## What

`print x,` in a file that was Python 2, which has become `print(x, end=' ')`.

## Why it matters

Python 2 writes the space in front of what is printed next, and none at the start of a line. The
output may have a blank more at the end of a line.

## Before

```python
print word,
print
```

## After

```python
print(word)
```

## Fix safety

There is no fix: what is right is not to be seen in the source.

## By hand

Leave it if blanks at the ends of lines do not matter.
"""

from migrator.model.python2_events import Python2Doubt
from migrator.model.report import Severity
from migrator.rules.base import Rule

rule = Rule(
    "D024", "python2-print-space", Severity.WARNING, effort=1, task="check blanks that print writes"
)
rule.reports(
    Python2Doubt,
    "space",
    message="`{event.text}` became `end=' '`: {event.detail}",
    advice="leave it if a blank at the end of a line does not matter",
)
