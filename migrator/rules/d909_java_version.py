"""A Java that is too old for Spark 4.

## What

`JAVA_HOME` (of a script, a container, an action of Oozie) or another path, a Docker image, a
package of a distribution or of conda, `jdk` in `.travis.yml` or a Jenkinsfile, `java-version` of a
GitHub workflow, or `JavaToolInstaller` of Azure Pipelines names a Java before 17. It is reported
only in projects with DStream code, and not for other programs, such as the image of a Kafka broker.

## Why it matters

Spark 4 runs on Java 17 and later. With an older one the job ends as it starts, with
`UnsupportedClassVersionError`.

## Before

```dockerfile
FROM openjdk:8-slim
RUN apt-get update && apt-get install -y python3-pip && pip3 install pyspark
ENV JAVA_HOME /usr/local/openjdk-8
```

## After

```dockerfile
FROM openjdk:17-slim
RUN apt-get update && apt-get install -y python3-pip && pip3 install pyspark
ENV JAVA_HOME /usr/local/openjdk-17
```

## Fix safety

Safe where the new Java is known to be there, and nothing around it needs the old one: images of
`openjdk` (from `openjdk:8` on, with the same Debian), `eclipse-temurin` and `amazoncorretto`,
`java-version` in workflows, `openjdk` of conda-forge, and Debian's packages in images that have
both. What names the Java in one file, one service of Compose, or one image changes together.

Unsafe, with `--unsafe-fixes` only, for other packages, for `jdk` in `.travis.yml`, for folders of a
package that is installed elsewhere, and beside Kafka, Hadoop, Maven and other programs that may
need their Java. There is none for folders, images and packages whose name with Java 17 is not
known, or for what stands in a variable.

## By hand

Name a Java 17 or 21, on the driver and on all nodes, and see that it is installed there.
"""

from collections.abc import Iterator

from migrator.model.report import Finding, Fix, Safety, Severity
from migrator.model.requirement_events import JavaVersion
from migrator.rules.base import Rule
from migrator.spark.versions import JAVA

rule = Rule(
    "D909",
    "java-version",
    Severity.ERROR,
    effort=10,
    safety=Safety.SAFE,
    other_safety=Safety.UNSAFE,
    task=f"name Java {JAVA}",
    needs_streams=True,
)


@rule.on(JavaVersion)
def version(event: JavaVersion) -> Iterator[Finding]:
    """Report that an old Java is named."""
    yield rule.finding(
        event,
        f"`{event.text}` is Java {event.version}; Spark 4 needs Java {JAVA} or later",
        f"name Java {JAVA} or 21, and install it on the driver and on all nodes",
        fix=fix(event),
    )


def fix(event: JavaVersion) -> Fix | None:
    """Return the new Java is named, together with what belongs to it."""
    if not event.edits:
        return None
    safety = Safety.UNSAFE if event.caveat else Safety.SAFE
    caveat = f"; {event.caveat}" if event.caveat else ""
    return Fix(safety, event.edits, f"`{event.text}` is Java {JAVA} now{caveat}")
