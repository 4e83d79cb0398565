"""Imports of modules in the same package without a dot.

## What

In a file that was Python 2 and lies in a package: an import of a module of the same folder by its
name alone.

## Why it matters

Python 2 looks into the package of the file first. Python 3 does not: the import fails, unless the
file is run as a script, whose folder is on the path.

## Before

```python
import helpers
```

## After

```python
from . import helpers
```

## Fix safety

There is no fix: what is right is not to be seen in the source.

## By hand

Write `from . import helpers` if the file is imported as a part of its package. Leave it if it is
run as a script.
"""

from migrator.model.python2_events import Python2Doubt
from migrator.model.report import Severity
from migrator.rules.base import Rule

rule = Rule(
    "D019",
    "python2-relative-import",
    Severity.WARNING,
    effort=5,
    task="check imports of the same package",
)
rule.reports(
    Python2Doubt,
    "relative-import",
    message="`{event.text}`: {event.detail}",
    advice="write a dot if the file is imported as a part of its package",
)
