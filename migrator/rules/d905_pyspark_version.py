"""Requirements that let no PySpark in that `dstream_compat` works with.

## What

A requirements file, `pyproject.toml`, `setup.py`, a Dockerfile, a command, or the `sparkVersion` of
a Kubernetes application asks for an older PySpark; or an older Spark is downloaded, comes in an
image such as `bitnami/spark:2.4.5` or `jupyter/pyspark-notebook:spark-2.4.5`, or with a release of
EMR (`emr-5.29.0`), Databricks (`spark_version: 6.4.x-scala2.11`), Dataproc (`1.4-debian9`) or Glue.
It is reported only in projects with DStream code.

## Why it matters

`dstream_compat` needs PySpark 4.1 or newer. With an older one its import fails. With
`--target structured --spark 3.5`, PySpark 3.5 is new enough.

## Before

```text
pyspark==2.4.8
```

## After

```text
pyspark>=4.1,<5
```

## Fix safety

Safe, since nothing else can be installed with `dstream_compat`: in requirements, `pyproject.toml`,
`setup.py`, `setup.cfg`, a Pipfile, environments of conda, and commands (where it is `~=4.1`, which
needs no quotes). A requirement with hashes, a marker or a build, one whose version is in a
variable, downloads, images, releases of platforms, and `sparkVersion`, which has to be that of the
image, stay.

## By hand

Ask for `pyspark>=4.1,<5` and `dstream-compat`, in the images and clusters of the job as well.
"""

from migrator.model.events import Requirement
from migrator.model.projects import ProjectFacts
from migrator.rules.base import Findings, Rule, Safety, Severity
from migrator.rules.package_edits import pyspark_fix
from migrator.spark.versions import excludes

rule = Rule(
    "D905",
    "pyspark-version",
    Severity.ERROR,
    effort=10,
    safety=Safety.SAFE,
    task="ask for PySpark 4.1",
)


@rule.with_facts(Requirement, "pyspark")
def version(event: Requirement, facts: ProjectFacts) -> Findings:
    """Report that a version of PySpark is required."""
    target = facts.target
    if facts.programs and excludes(event.version, target.spark):
        packages = "and dstream-compat" if target.runs_compat else "or the one of your platform"
        yield rule.finding(
            event,
            f"`{event.text}` lets no PySpark {target.spark_name} in, "
            f"which {target.what_needs_it} needs",
            f"ask for pyspark>={target.spark_name},<5 {packages}",
            fix=pyspark_fix(event, target),
            task=f"ask for PySpark {target.spark_name}",
        )


@rule.with_facts(Requirement, "spark")
def spark(event: Requirement, facts: ProjectFacts) -> Findings:
    """Report that a Spark is downloaded, or comes in an image or with a platform."""
    target = facts.target
    if facts.programs and excludes(event.version, target.spark):
        oldest = target.spark_name
        yield rule.finding(
            event,
            f"`{event.text}` has Spark {event.version}; "
            f"{target.what_needs_it} needs Spark {oldest} or later",
            f"use a Spark {oldest} or later of the version of the installed PySpark, or only that",
        )
