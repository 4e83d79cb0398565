"""Modules of `pyspark.streaming` named in strings.

## What

A string names `pyspark.streaming` or something in it: an argument of `importlib.import_module`,
of `mock.patch`, a key of `sys.modules`, a quoted annotation.

## Why it matters

The import it leads to is not rewritten, so the program may use two packages at once.

## Before

```python
streaming = importlib.import_module("pyspark.streaming")
```

## After

```python
streaming = importlib.import_module("dstream_compat")
```

## Fix safety

There is no fix: what the string is used for cannot be proven.

## By hand

Replace the name in the string, or call `dstream_compat.install()` before it is used: then
`pyspark.streaming` is `dstream_compat` for the whole process.
"""

from collections.abc import Iterator

from migrator.model.events import ModuleString
from migrator.model.report import Finding, Severity
from migrator.rules.base import Rule

rule = Rule("D102", "module-string", Severity.WARNING, effort=5)


@rule.on(ModuleString)
def string(event: ModuleString) -> Iterator[Finding]:
    """A string names a module."""
    moved = event.text.replace("pyspark.streaming", "dstream_compat", 1)
    yield rule.finding(
        event,
        f'the module is named by the string "{event.text}", which is not rewritten',
        f'use "{moved}", or call dstream_compat.install() first',
    )
