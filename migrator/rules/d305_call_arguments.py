"""Calls whose arguments no version of Spark accepts.

## What

A method of a stream or context is called without an argument that it needs, with too many, or with
a keyword that it does not have, such as `filter()` without a function.

## Why it matters

The call raises `TypeError` when the job is defined, with DStreams as with `dstream_compat`.

## Before

```python
words = lines.filter()
```

## After

```python
words = lines.filter(lambda line: line)
```

## Fix safety

There is no fix: what was meant cannot be known.

## By hand

Give the argument, or remove the call.
"""

from collections.abc import Iterator

from migrator.events import Use
from migrator.model import Confidence, Finding, Severity
from migrator.rules.base import Rule
from migrator.tables.signatures import SIGNATURES, problem

rule = Rule("D305", "call-arguments", Severity.ERROR, effort=15)


@rule.on(Use, *SIGNATURES)
def arguments(event: Use) -> Iterator[Finding]:
    """A method of the API is called."""
    call = event.call
    if call is None or event.confidence is not Confidence.PROVEN:
        return
    # `DStream.map(stream, f)` has one more argument; class methods have not
    if not event.kinds and event.name not in ("getOrCreate", "getActiveOrCreate", "getActive"):
        return
    found = problem(event.key, call)
    if found is not None:
        names = ", ".join(SIGNATURES[event.key].names)
        yield rule.finding(
            event,
            f"{event.name}() {found}: the call raises TypeError",
            f"its parameters are ({names})",
        )
