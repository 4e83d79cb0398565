"""Settings that run a job with Python 2.

## What

`PYSPARK_PYTHON`, `spark.pyspark.python`, a Docker image or the `pythonVersion` of a
Kubernetes application names Python 2. It is reported only in projects with DStream code.

## Why it matters

`dstream_compat` needs Python 3.11, on the driver and on the workers.

## Before

```shell
export PYSPARK_PYTHON=python2.7
```

## After

```shell
export PYSPARK_PYTHON=python3
```

## Fix safety

There is no fix: which Python 3 the machines have is not known.

## By hand

Name a Python of version 3.11 or later. D001 lists the files that are still Python 2.
"""

from collections.abc import Iterator

from migrator.events import Requirement
from migrator.model import Finding, Severity
from migrator.rules.base import Rule

rule = Rule("D906", "python-version", Severity.ERROR, effort=5)


@rule.on(Requirement, "python")
def version(event: Requirement) -> Iterator[Finding]:
    """A job is run with Python 2."""
    yield rule.finding(
        event,
        f"`{event.text}` is Python 2; dstream_compat needs Python 3.11 or later",
        "name a Python 3.11 or later",
    )
