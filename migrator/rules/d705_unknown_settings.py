"""Keys under `spark.streaming.` that Spark never had.

## What

No version of Spark reads this key: it is misspelt, or it belongs to some other program. A key
that is put together while the program runs is reported as well.

## Why it matters

Spark ignores unknown keys silently, so whoever wrote it believes in a limit or a guarantee that
the job never had.

## Before

```properties
spark.streaming.kafka.maxRatePerPartion  500
```

## After

```properties
spark.streaming.kafka.maxRatePerPartition  500
```

## Fix safety

There is no fix: correcting the key switches something on that was off until now.

## By hand

Correct or remove the key. If you correct it, treat it as a change of behaviour.
"""

import difflib
from collections.abc import Iterator

from migrator.events import Setting
from migrator.model import Finding, Severity
from migrator.rules.base import Rule
from migrator.tables.settings import SETTINGS

rule = Rule("D705", "unknown-setting", Severity.WARNING, effort=10)


@rule.on(Setting, "unknown")
def unknown(event: Setting) -> Iterator[Finding]:
    """Spark has no such key."""
    lowered = {key.lower(): key for key in SETTINGS}
    close = difflib.get_close_matches(event.name.lower(), lowered, n=1, cutoff=0.7)
    advice = "remove it, or check which program reads it"
    if close:
        advice = f"did you mean {lowered[close[0]]}? It was without effect until now"
    yield rule.finding(event, f"{event.name}: no version of Spark has this key", advice)


@rule.on(Setting, "prefix")
def dynamic(event: Setting) -> Iterator[Finding]:
    """The key is made at run time."""
    yield rule.finding(
        event,
        f"a key that starts with {event.name} is put together at run time",
        "check its full names against the rules D701 to D704",
    )
