"""Special methods that Python 3 does not call.

## What

In a class of a file that was Python 2: `__cmp__`, `__div__`, `__unicode__`, `__getslice__` and its
like, `__metaclass__`, and `__eq__` without `__hash__`.

## Why it matters

Nothing fails where the class is defined: its objects are compared, divided or shown in another way.
A class with `__eq__` alone has no hash in Python 3, so its objects cannot be keys of an RDD.

## Before

```python
class Version(object):
    def __cmp__(self, other):
        return cmp(self.number, other.number)
```

## After

```python
@functools.total_ordering
class Version(object):
    def __eq__(self, other):
        return self.number == other.number

    def __lt__(self, other):
        return self.number < other.number

    def __hash__(self):
        return hash(self.number)
```

## Fix safety

There is no fix: what is right is not to be seen in the source.

## By hand

Define what the message names.
"""

from migrator.model.python2_events import Python2Doubt
from migrator.model.report import Severity
from migrator.rules.base import Rule

rule = Rule(
    "D023",
    "python2-special-method",
    Severity.WARNING,
    effort=10,
    task="define the methods of Python 3",
)
rule.reports(
    Python2Doubt,
    "methods",
    message="`{event.text}`: {event.detail}",
    advice="define what Python 3 calls instead",
)
