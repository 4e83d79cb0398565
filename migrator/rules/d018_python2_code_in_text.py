"""Code in texts that is Python 2 still.

## What

In a file that was Python 2: `exec`, `execfile`, `eval` and `compile`.

## Why it matters

The code that they run is no part of the file, so it was not converted.

## Before

```python
exec "print total" in names
```

## After

```python
exec("print(total)", names)
```

## Fix safety

There is no fix: what is right is not to be seen in the source.

## By hand

Look at the code that is run, and convert it. In a function, `exec` sets no variables in Python 3:
give it a dict and read that.
"""

from migrator.model.python2_events import Python2Doubt
from migrator.model.report import Severity
from migrator.rules.base import Rule

rule = Rule(
    "D018", "python2-code-in-text", Severity.WARNING, effort=15, task="convert code in texts"
)
rule.reports(
    Python2Doubt,
    "exec",
    message="`{event.text}`: {event.detail}",
    advice="convert the code that it runs by hand",
)
