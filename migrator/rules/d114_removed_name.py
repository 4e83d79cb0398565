"""Names that modules of Python have lost.

## What

The program takes a name from a module that no longer has it: `string.letters`, `string.join`,
`time.clock`, `urllib.urlencode`, `itertools.izip`, `sys.maxint`, `collections.Mapping`,
`inspect.getargspec`, `base64.encodestring` and many others. The table is made by asking Python 2.7
to 3.13 for their names. Names that only Python 3.12 or 3.13 lack are a warning.

## Why it matters

The name raises `AttributeError` when it is reached, or `ImportError` at the start. Inside a `try`
with a broad `except`, each record is dropped silently; the message names that line.

## Before

```python
import string
import time
import urllib
from itertools import izip
from pyspark.streaming import StreamingContext

started = time.clock()
query = urllib.urlencode({"q": string.upper("a")})
```

## After

```python
import string
import time
import urllib.parse
from builtins import zip as izip
from dstream_compat import StreamingContext

started = time.process_time()
query = urllib.parse.urlencode({"q": "a".upper()})
```

## Fix safety

Safe where the new name does the same. `time.clock()` becomes `time.process_time()`, the CPU time
that it gave on Linux and macOS; on Windows it gave the time that has passed, as
`time.perf_counter()` does. Unsafe, with `--unsafe-fixes` only, where something differs, which the
message says: `urllib.urlopen` and `base64.encodestring` work with bytes, `fractions.gcd` takes
integers only, the table of `string.maketrans` deletes nothing. There is no fix where nothing does
the same, and none for what a conversion of Python 2 handles.

## By hand

Do what the advice says. To measure how long something takes, use `time.perf_counter()`.
"""

from migrator.rules.base import removed_rule

rule = removed_rule("D114", "removed-name", "name", 10, "replace removed names")
