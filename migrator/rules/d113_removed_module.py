"""Modules that Python has lost.

## What

The program imports a module that Python 3.11 lacks, such as `urllib2`, `urlparse`, `ConfigParser`,
`Queue`, `cPickle`, `StringIO` or `commands`. A module of the project with that name, and an import
inside `try` with `except ImportError`, are not reported. Modules that only Python 3.12 or 3.13 lack
(`imp`, `distutils`, `cgi`) are a warning.

## Why it matters

The import raises `ImportError` before the job starts.

## Before

```python
import ConfigParser
import Queue
from urlparse import urlparse, parse_qs
from pyspark.streaming import StreamingContext
```

## After

```python
import configparser as ConfigParser
import queue as Queue
from urllib.parse import urlparse, parse_qs
from dstream_compat import StreamingContext
```

## Fix safety

Safe where the module has only moved: the name that the program uses stays, so nothing else changes.
Unsafe, with `--unsafe-fixes` only, where the new module does something in another way: `urllib2`,
`httplib` and the servers read and send bytes, `StringIO` holds `str` only, `commands` gives other
exit codes. There is no fix if the program uses a name that the new module lacks.

## By hand

Import what the advice names. Where bytes come back, decode them: `urlopen(url).read().decode()`.
"""

from migrator.rules.base import removed_rule

rule = removed_rule("D113", "removed-module", "module", 15, "replace modules of Python 2")
