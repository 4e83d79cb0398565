"""Python sources that Python 3 does not parse.

## What

The file, or a cell of a notebook, is not Python 3: it is Python 2, or it is broken.

With the extra `python2` (`pip install 'dstream-compat[python2]'`) Python 2 is read through
`fissix` and converted to Python 3 (D010). It stays Python 2 if the message says why it cannot be
converted: it is analysed then, but for what only Python 2 has, and its imports stay, too. Without
the extra, and in a broken file, nothing is rewritten: the top-level statements that parse are
analysed, and of the others only settings, connectors and a few telling names are reported.

A cell of a notebook that does not parse, such as an exercise with blanks, is a note if it has no
streaming code itself and no cell with streaming code needs a name that it binds.

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

There is no fix: D010 is the conversion.

## By hand

Install the extra. Where `migrate` cannot convert a file, use
`fissix` alone (`pip install fissix`, `python -m fissix -w file.py`). Repair other errors at the
line shown, then run `migrate` again.
"""

from migrator.model.events import FileProblem
from migrator.rules.base import Category, Rule, Severity

rule = Rule("D001", "syntax-error", Severity.ERROR, effort=30, task="repair the source")

_BY_HAND = "convert it by hand: pip install fissix; python -m fissix -w FILE"
rule.reports(
    FileProblem,
    "syntax",
    message="does not parse as Python 3: {event.detail}; it is not rewritten, and read in part "
    "only",
    advice="repair the source, then run migrate again",
)
rule.reports(
    FileProblem,
    "unneeded",
    message="does not parse: {event.detail}; no cell with streaming code needs it",
    advice="nothing to do for the migration",
    severity=Severity.INFO,
    effort=0,
    category=Category.NOTE,
)
rule.reports(
    FileProblem,
    "python2",
    message="does not parse; it looks like Python 2: {event.detail}; it is not rewritten",
    advice="install dstream-compat[python2] and run migrate again, which converts it then",
    task="convert it to Python 3",
)
rule.reports(
    FileProblem,
    "unconverted",
    message="is Python 2 and stays it: {event.detail}; its imports stay, too",
    advice=f"repair that and run migrate again, or {_BY_HAND}",
    task="convert it to Python 3",
)
