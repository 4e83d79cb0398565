"""Python sources that Python 3 does not parse.

## What

The file, or a cell of a notebook, is not Python 3: it is Python 2, or it is broken. Nothing in it
was rewritten. Settings and connectors that its text mentions are still reported.

## Why it matters

`dstream_compat` needs Python 3.11. Nothing else is known about the file: more may need a change.

## Before

```python
print "starting", app_name
counts = pairs.map(lambda (word, n): (n, word))
```

## After

```python
print("starting", app_name)
counts = pairs.map(lambda kv: (kv[1], kv[0]))
```

## Fix safety

There is no fix. A converter cannot know every place where Python 2 and 3 divide or compare
differently, so a person should read what it did.

## By hand

Convert Python 2 with `fissix` (`pip install fissix`, `fissix-2to3 -w file.py`), repair other
errors at the line shown, then run `migrate` again.
"""

from collections.abc import Iterator

from migrator.events import FileProblem
from migrator.model import Finding, Severity
from migrator.rules.base import Rule

rule = Rule("D001", "syntax-error", Severity.ERROR, effort=30)


@rule.on(FileProblem, "syntax")
def broken(event: FileProblem) -> Iterator[Finding]:
    """The source is broken."""
    yield rule.finding(
        event,
        f"does not parse as Python 3: {event.detail}; nothing in it was rewritten",
        "repair the source, then run migrate again",
    )


@rule.on(FileProblem, "python2")
def python2(event: FileProblem) -> Iterator[Finding]:
    """The source looks like Python 2."""
    yield rule.finding(
        event,
        f"does not parse as Python 3, it looks like Python 2: {event.detail}; "
        "nothing in it was rewritten",
        "convert it first (pip install fissix; fissix-2to3 -w FILE), then run migrate again",
    )
