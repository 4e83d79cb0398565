"""JVM packages for another Scala.

## What

A JVM package is built for Scala 2.10, 2.11 or 2.12, as the suffix of its name says. Coordinates
and jars count; folders, archives and images do not, such as `kafka_2.12-2.5.0.tgz`.
It is reported only in projects with DStream code.

## Why it matters

Spark 4 runs on Scala 2.13 only. With the wrong package the job fails with `NoSuchMethodError` or
`NoClassDefFoundError` when a class of it is first used.

## Before

```shell
spark-submit --packages com.databricks:spark-avro_2.11:4.0.0 job.py
```

## After

```shell
spark-submit --packages org.apache.spark:spark-avro_2.13:4.3.0 job.py
```

## Fix safety

There is no fix: the version to use is not known, and some packages have no successor.

## By hand

Look for the package with `_2.13`, in a version for your Spark.
"""

from collections.abc import Iterator

from migrator.model.job_events import ScalaPackage
from migrator.model.report import Finding, Severity
from migrator.rules.base import Rule

rule = Rule("D902", "scala-version", Severity.WARNING, effort=15)


@rule.on(ScalaPackage)
def package(event: ScalaPackage) -> Iterator[Finding]:
    """A package names its Scala."""
    if not event.has_streams:
        return
    yield rule.finding(
        event,
        f"{event.text} is built for Scala {event.version}; Spark 4 runs on Scala 2.13",
        "use a build of it for Scala 2.13 and your Spark, or remove it",
    )
