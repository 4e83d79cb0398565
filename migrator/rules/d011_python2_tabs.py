"""Tabs and spaces that indent one block of Python 2.

## What

The indentation of this line fits its block only if a tab is as wide as 8 columns, as Python 2 takes
it. The tabs of its block become spaces.

## Why it matters

Python 3 does not guess the width of a tab: TabError.

## Before

```python
from pyspark.streaming import DStream

for word in words:
␉count(word)
        show(word)
```

## After

```python
from dstream_compat import DStream

for word in words:
        count(word)
        show(word)
```

## Fix safety

Safe: as many spaces as Python 2 took the tab for keep each line in the block that it is in.
Strings, continued lines and comments are not changed, nor are blocks that Python 3 accepts.

## By hand

If the file cannot be converted, replace the tabs of its indentation by 8
columns: `expand --initial --tabs=8 FILE`.
"""

from migrator.model.events import Python2Change
from migrator.rules.base import Rule, Safety, Severity

rule = Rule(
    "D011", "python2-tabs", Severity.ERROR, effort=5, safety=Safety.SAFE, task="indent with spaces"
)
rule.reports(
    Python2Change,
    "tabs",
    message="tabs and spaces are mixed in its indentation: {event.text}",
    advice="",
    fixed=True,
)
