"""Methods that classes of Python have lost.

## What

The program calls `isAlive` of a thread, `tostring` or `fromstring` of an array, `getchildren` or
`getiterator` of an XML element, `readfp` of a parser of configurations, or `get_hex` of a UUID. It
is reported where the class of the object is proven.

## Why it matters

The call raises `AttributeError`.

## Before

```python
import threading
from pyspark.streaming import StreamingContext

worker = threading.Thread(target=print)
if not worker.isAlive():
    worker.start()
```

## After

```python
import threading
from dstream_compat import StreamingContext

worker = threading.Thread(target=print)
if not worker.is_alive():
    worker.start()
```

## Fix safety

Safe: the method of the new name is the same. There is no fix for `getchildren` and `get_hex`.

## By hand

Do what the advice says.
"""

from collections.abc import Iterator

from migrator.model.removed_events import RemovedName
from migrator.model.report import Finding, Safety, Severity
from migrator.rules.base import Rule
from migrator.rules.removed_text import removed_finding

rule = Rule(
    "D117",
    "removed-method",
    Severity.ERROR,
    effort=5,
    safety=Safety.SAFE,
    task="replace removed methods",
)


@rule.on(RemovedName, "method")
def gone(event: RemovedName) -> Iterator[Finding]:
    """A method that a class has lost is called."""
    yield from removed_finding(rule, event)
