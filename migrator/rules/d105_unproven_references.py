"""Paths through a module that cannot be proven or is changed by the program.

## What

A path such as `pyspark.streaming.StreamingContext` starts at a name that may be something other
than the module or that reaches the module through another one, or the program assigns to an
attribute of the module.

`import pyspark.streaming` is reported as well where other code can see the name `pyspark`: the name
is global, belongs to a class or is used as a value, another file reads `.streaming` through it, or
`.streaming` is read from something that may be the module.

## Why it matters

Rewriting it could change what the program does. Everything that the same import binds is left as
it is.

`import pyspark.streaming` also fills the package `pyspark`. If it went, whatever still reads
`.streaming` of the package would fail.

## Before

```python
import pyspark
pyspark = wrap(pyspark)
ssc = pyspark.streaming.StreamingContext(sc, 1)
```

## After

```python
from dstream_compat import StreamingContext
ssc = StreamingContext(sc, 1)
```

## Fix safety

There is no fix.

## By hand

Import the class by name from `dstream_compat`, also where the module is used as a value. Patch
classes of `dstream_compat` instead of attributes of the module.
"""

from migrator.model.events import PackageUse
from migrator.rules.base import Rule, Severity

rule = Rule("D105", "unproven-reference", Severity.ERROR, effort=15, task="import classes by name")
rule.reports(
    PackageUse,
    "ambiguous",
    "indirect",
    "patched",
    message="`{event.path}` was not rewritten: {event.detail}",
    advice="import the class by name from dstream_compat",
)
rule.reports(
    PackageUse,
    "visible",
    message="`{event.before}` was not rewritten: {event.detail}",
    advice="import the classes by name from dstream_compat wherever the module is used",
    details=("what reads `.streaming` of it needs this import",),
)
