"""Modules of `pyspark.streaming` named in strings.

## What

A string names `pyspark.streaming` or something in it: an argument of `importlib.import_module`,
of `mock.patch`, a key of `sys.modules`, a quoted annotation.

## Why it matters

The import it leads to is not rewritten, so the program may use two packages at once.

## Before

```python
import importlib

streaming = importlib.import_module("pyspark.streaming")
```

## After

```python
import importlib

streaming = importlib.import_module("dstream_compat")
```

## Fix safety

Safe, where the string is proven to be an import path and `dstream_compat` has what it names:

- the module of `importlib.import_module`, and of `__import__` with a list of names;
- the target of `patch` and `patch.multiple` of `unittest.mock` and `mock`, also through the
  fixtures `mocker` and `monkeypatch` of a test;
- a key of `sys.modules` that is read, set or deleted, or that `patch.dict` or
  `monkeypatch.setitem` sets.

A patch and a key of `sys.modules` have to fit the code that they are meant for: they are rewritten
only if there are imports of `pyspark.streaming` and all of them move in the same run. Names of
loggers, which are no modules, are not reported. Everything else stays, such as quoted annotations,
`getattr(pyspark, "streaming")` and paths in configuration.

## By hand

Replace the name in the string, or call `dstream_compat.install()` before it is used: then
`pyspark.streaming` is `dstream_compat` for the whole process.
"""

from migrator.model.events import ModuleString
from migrator.rules.base import Findings, Fix, Rule, Safety, Severity

rule = Rule(
    "D102",
    "module-string",
    Severity.WARNING,
    effort=5,
    safety=Safety.SAFE,
    task="name dstream_compat",
)


@rule.on(ModuleString)
def string(event: ModuleString) -> Findings:
    """Report that a string names a module."""
    moved = event.text.replace("pyspark.streaming", "dstream_compat", 1)
    yield rule.finding(
        event,
        f'the module is named by the string "{event.text}"',
        f'use "{moved}", or call dstream_compat.install() first',
        fix=fix(event),
    )


def fix(event: ModuleString) -> Fix | None:
    """Return the string names the module of dstream_compat."""
    if event.edit is None:
        return None
    summary = f'"{event.edit.old}" becomes "{event.edit.new}"'
    return Fix(Safety.SAFE, (event.edit,), summary, follows_imports=event.use != "import")
