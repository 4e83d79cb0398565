"""Types that are one type in Python 3.

## What

In a file that was Python 2: a check for `unicode` or `long` alone, by their names or those of the
module `types`, and `unicode(value, encoding)`. That `types` has lost these names is D114.

## Why it matters

`unicode` is `str` and `long` is `int` in Python 3, so a check that told them apart does not any
more, and `str(text, encoding)` raises a TypeError.

## Before

```python
if isinstance(value, unicode):
    value = value.encode("utf-8")
```

## After

```python
if isinstance(value, bytes):
    value = value.decode("utf-8")
```

## Fix safety

There is no fix: what is right is not to be seen in the source.

## By hand

Decide what the check is for: text, or bytes that have to be decoded.
"""

from migrator.model.python2_events import Python2Doubt
from migrator.model.report import Severity
from migrator.rules.base import Rule

rule = Rule("D022", "python2-types", Severity.WARNING, effort=5, task="choose text or bytes")
rule.reports(
    Python2Doubt,
    "types",
    message="`{event.text}`: {event.detail}",
    advice="decide whether it is about text or about bytes",
)
