"""Methods that classes of Python have lost.

## What

The program calls `isAlive` of a thread, `tostring` or `fromstring` of an array, `getchildren` or
`getiterator` of an XML element, `readfp` of a parser of configurations, `get_hex` of a UUID,
`xreadlines` of a file, `next` of a file, generator or iterator, or it reads `func_name` and the
like of a function. It is reported where the class of the object is proven. `message` of what an
`except` of Python's own errors has caught is reported unless the program gives an object a
`message`.

## Why it matters

The call raises `AttributeError`.

## Before

```python
import threading
from pyspark.streaming import StreamingContext

worker = threading.Thread(target=print)
if not worker.isAlive():
    worker.start()
```

## After

```python
import threading
from dstream_compat import StreamingContext

worker = threading.Thread(target=print)
if not worker.is_alive():
    worker.start()
```

## Fix safety

Safe: the method of the new name, or the function, is the same. Unsafe, with `--unsafe-fixes` only,
for `error.message`: `str(error)` has all arguments of the error. There is no fix for `getchildren`
and `get_hex`.

## By hand

Do what the advice says.
"""

from migrator.rules.base import removed_rule

rule = removed_rule("D117", "removed-method", "method", 5, "replace removed methods")
