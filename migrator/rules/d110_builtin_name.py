"""Built-in names of Python 2.

## What

The program uses `long`, `unicode`, `xrange`, `raw_input`, `basestring`, `unichr`, `cmp`, `reduce`,
`execfile`, `file`, `reload`, `buffer`, `apply`, `intern`, `coerce` or `StandardError`, and nothing
in the program binds that name: no assignment, import, parameter, or star of another module.

## Why it matters

The file parses as Python 3, and the name raises `NameError` when it is reached. Inside a `try` with
a broad `except`, each record is dropped silently; the message names that line.

## Before

```python
from pyspark.streaming import StreamingContext

def spread(line):
    return [(i, unicode(line)) for i in xrange(2)]

def total(values):
    return reduce(lambda a, b: a + b, values)
```

## After

```python
from functools import reduce
from dstream_compat import StreamingContext

def spread(line):
    return [(i, str(line)) for i in range(2)]

def total(values):
    return reduce(lambda a, b: a + b, values)
```

## Fix safety

Safe where the new name does the same: `range`, `str`, `int`, `input`, `chr`, `open` for a call of
`file`, a call with stars for `apply`, and imports of `reduce`, `reload` and `intern`. Unsafe, with
`--unsafe-fixes` only: `Exception` for `StandardError`, which catches more. There is no fix for
`unicode(x, encoding)`, `cmp`, `coerce`, `buffer`, `execfile`, and none in Python 2 syntax.

Code that asks for the version (`sys.version_info`, `PY2`), for the name (`except NameError`), or
gets it from `six`, `past` or `builtins` is left alone.

## By hand

Do what the advice says. `unicode(x, encoding)` decodes bytes: what a stream of text gives is `str`
already.
"""

from migrator.rules.base import removed_rule

rule = removed_rule("D110", "builtin-name", "builtin", 5, "replace built-ins of Python 2")
