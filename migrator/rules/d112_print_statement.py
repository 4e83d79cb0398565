"""`print` statements that parse as Python 3.

## What

A statement begins with `print` and is an expression to Python 3: `print >>f, x`,
`print ("%s") % x`, `print ("a"), b`.

## Why it matters

`print >>f` and `print (...) % x` raise `TypeError`. `print ("a"), b` prints the first part only,
which is a warning; it is not reported where the rest is a call, or with
`from __future__ import print_function`.

## Before

```python
import sys
from pyspark.streaming import StreamingContext

print >>sys.stderr, "usage: job.py HOST PORT"
print ("starting %s") % sys.argv[0]
```

## After

```python
import sys
from dstream_compat import StreamingContext

print("usage: job.py HOST PORT", file=sys.stderr)
print(("starting %s") % sys.argv[0])
```

## Fix safety

Safe. A comma at the end, which keeps the line open, becomes `end=" "`. Unsafe, with
`--unsafe-fixes` only, for `print ("a"), b`: the program prints less with Python 3 today. There is
no fix where `print` is a name of the program, with a comment inside the statement, or in
parentheses.

## By hand

Call `print()` with everything that is to be printed, and with `file=` for another stream.
"""

from migrator.rules.base import removed_rule

rule = removed_rule("D112", "print-statement", "print", 5, "replace print statements")
