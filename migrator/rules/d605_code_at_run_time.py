"""Code near streams that is made at run time.

## What

A method of a stream or context is chosen by `getattr` with a name that is not constant, or `eval`
or `exec` stands in a function that works with streams.

## Why it matters

What runs cannot be seen here, so nothing of it was checked or rewritten: it may call methods that
never existed, or import `pyspark.streaming` itself.

## Before

```python
stream = getattr(stream, step["op"])(eval(step["function"]))
```

## After

```python
OPERATORS = {"map": DStream.map, "filter": DStream.filter}
stream = OPERATORS[step["op"]](stream, FUNCTIONS[step["function"]])
```

## Fix safety

There is no fix.

## By hand

Look up the names that occur (in the configuration, say) in the list of supported methods, and texts
that are evaluated for imports and private names.
"""

from migrator.model.events import RuntimeCode
from migrator.rules.base import Rule, Severity

rule = Rule(
    "D605", "code-at-run-time", Severity.WARNING, effort=20, task="check names chosen at run time"
)
rule.reports(
    RuntimeCode,
    "getattr",
    message="`{event.text}` chooses what to use of a streaming object at run time",
    advice="check every name that can occur there",
)
rule.reports(
    RuntimeCode,
    "eval",
    "exec",
    message="`{event.text}` runs text as code beside streams: it was neither checked nor rewritten",
    advice="look through the texts that can occur there",
)
