"""JVM packages for another Scala.

## What

A JVM package is built for Scala 2.10, 2.11 or 2.12, as the suffix of its name says. Coordinates
and jars count; folders, archives and images do not, such as `kafka_2.12-2.5.0.tgz`.
It is reported only in projects with DStream code.

## Why it matters

Spark 4 runs on Scala 2.13 only, a Spark 3 that `--spark` names mostly on 2.12. With the wrong
package the job fails with `NoSuchMethodError` or `NoClassDefFoundError` when a class of it is first
used.

## Before

```shell
spark-submit --packages com.databricks:spark-avro_2.11:4.0.0 job.py
```

## After

```shell
spark-submit --packages org.apache.spark:spark-avro_2.13:4.3.0 job.py
```

## Fix safety

Safe for Spark's own packages, such as `org.apache.spark:spark-avro_2.12:3.5.0`, and for
`com.databricks:spark-avro`, which is one of them now: they take Scala 2.13 and the version of the
installed PySpark, or those of `--spark`. Unsafe, with `--unsafe-fixes` only, for packages of
others: `_2.11` becomes `_2.13` (`_2.12` for a Spark before 4.0), but there may be no build of this
version for it, and then the job does not start. Jars and the packages of Scala and Java jobs are
not changed: see D901.

## By hand

Look for the package with `_2.13`, in a version for your Spark.
"""

from migrator.model.events import ScalaPackage
from migrator.model.projects import ProjectFacts
from migrator.rules.base import Findings, Rule, Safety, Severity
from migrator.rules.package_edits import package_fix

rule = Rule(
    "D902",
    "scala-version",
    Severity.WARNING,
    effort=15,
    safety=Safety.SAFE,
    other_safety=Safety.UNSAFE,
    task="find a build for Scala 2.13",
    needs_streams=True,
)


@rule.with_facts(ScalaPackage)
def package(event: ScalaPackage, facts: ProjectFacts) -> Findings:
    """Report that a package is built for another Scala, or for another Spark."""
    target = facts.target
    fix = package_fix(event, target)
    spark = f"Spark {target.spark[0]}"
    problem = f"built for Scala {event.version}; {spark} runs on Scala {target.scala}"
    if event.version == target.scala:
        if fix is None:
            return
        problem = f"not of Spark {target.spark_name}"
    yield rule.finding(
        event,
        f"{event.text} is {problem}",
        f"use a build of it for Scala {target.scala} and your Spark, or remove it",
        fix=fix,
        task=f"find a build for Scala {target.scala}",
    )
