"""Requirements that let no PySpark in that `dstream_compat` works with.

## What

A requirements file, `pyproject.toml`, `setup.py`, a Dockerfile, a command, or the `sparkVersion` of
a Kubernetes application asks for an older PySpark. It is reported only in projects with DStream
code.

## Why it matters

`dstream_compat` needs PySpark 4.1 or newer. With an older one its import fails.

## Before

```text
pyspark==2.4.8
```

## After

```text
pyspark>=4.1,<5
dstream-compat
```

## Fix safety

There is no fix: moving to another version of Spark is more than this line.

## By hand

Ask for `pyspark>=4.1,<5` and `dstream-compat`, in the images and clusters of the job as well.
"""

from collections.abc import Iterator

from migrator.model.events import Requirement
from migrator.model.report import Finding, Severity
from migrator.rules.base import Rule
from migrator.spark.versions import excludes_spark

rule = Rule("D905", "pyspark-version", Severity.ERROR, effort=10)


@rule.on(Requirement, "pyspark")
def version(event: Requirement) -> Iterator[Finding]:
    """A version of PySpark is required."""
    if event.has_streams and excludes_spark(event.version):
        yield rule.finding(
            event,
            f"`{event.text}` lets no PySpark 4.1 in, which dstream_compat needs",
            "ask for pyspark>=4.1,<5 and dstream-compat",
        )
