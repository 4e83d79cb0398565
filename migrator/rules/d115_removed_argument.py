"""Arguments that functions no longer take.

## What

`json.loads`, `load`, `dumps`, `dump`, `JSONDecoder` or `JSONEncoder` of the standard library is
given `encoding`, `sorted` a function to compare with, or `open`, `io.open` or `codecs.open` a mode
with `U`. The same goes for `s.translate(None, chars)`, `s.encode("hex")` and other codecs of bytes,
and `pickle.load` or `dump` with a file that is opened as text in the call.

## Why it matters

The call raises `TypeError`, for a mode `ValueError`, for a codec `LookupError`. Jobs often parse
each record inside `try` with `except`: then every record is dropped, and the job runs on without a
word. The message names the `except`.

## Before

```python
import json
from pyspark.streaming import StreamingContext

def parse(line):
    try:
        return json.loads(line, encoding="utf-8")
    except Exception:
        return None
```

## After

```python
import json
from dstream_compat import StreamingContext

def parse(line):
    try:
        return json.loads(line)
    except Exception:
        return None
```

## Fix safety

Safe for UTF-8 and ASCII, which `json` finds out by itself, for `cmp`, which becomes
`key=cmp_to_key(...)`, for the mode of a pickle, which becomes `"rb"` or `"wb"`, and for the `U` of
a text file, which has no effect since Python 3.0. Unsafe, with `--unsafe-fixes` only, for other
encodings and for those that are not constant: bytes in them have to be decoded before; and for
`translate` of what may be bytes. There is no fix for codecs of bytes, nor for the `U` of a binary
file, whose line ends Python 2 changed.

## By hand

Leave the argument out. Decode bytes that are not UTF-8: `json.loads(line.decode("latin-1"))`.
"""

from migrator.rules.base import removed_rule

rule = removed_rule("D115", "removed-argument", "argument", 5, "drop removed arguments")
