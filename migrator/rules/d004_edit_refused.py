"""Files whose edits could not be proven right.

## What

Edits were planned for the file, but the edited text failed a check: it has to parse to the old
program with exactly those edits, keep every comment, and keep every other line byte for byte.

## Why it matters

The file is left as it was, so its imports still name `pyspark.streaming`.

## Before

```python
from pyspark import (
    streaming,  # a comment on the name that would go away
    SparkContext,
)
```

## After

```python
from pyspark import SparkContext

import dstream_compat as streaming  # the comment, where you want it
```

## Fix safety

There is no fix: this finding is a fix that was withdrawn.

## By hand

Make the change that the message names, then run `migrate` again.
"""

from migrator.model.events import FileProblem
from migrator.rules.base import Rule, Severity

rule = Rule("D004", "edit-refused", Severity.ERROR, effort=10, task="rewrite the imports by hand")
rule.reports(
    FileProblem,
    "edit",
    message="its imports were not rewritten: {event.detail}",
    advice="replace pyspark.streaming by dstream_compat in its imports by hand",
)
