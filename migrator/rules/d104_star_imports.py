"""Star imports that cannot be rewritten.

## What

`from pyspark.streaming import *` is rewritten (D101) where the star brings the same names from
`dstream_compat`. This one would not: `dstream_compat` exports a name (`State`, `StateSpec`,
`install`) that means something else in the file, or in a file that the star gets to because it
imports a star from this one; or the module has no list of public names.

## Why it matters

A name of the program would silently become another thing.

## Before

```python
from pyspark.streaming.util import *
```

## After

```python
from dstream_compat.util import rddToFileName
```

## Fix safety

There is no fix.

## By hand

Name what you import, then run `migrate` again.
"""

from migrator.model.events import PackageUse
from migrator.rules.base import Rule, Severity

rule = Rule("D104", "star-import", Severity.ERROR, effort=10, task="import names one by one")
rule.reports(
    PackageUse,
    "star",
    message="`{event.before}` was not rewritten: {event.detail}",
    advice="import the names you use one by one, then run migrate again",
)
