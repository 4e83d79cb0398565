"""A Java that is too old for Spark 4.

## What

`JAVA_HOME` (of a script, a program, a container, an action of Oozie) or `java-version` of a GitHub
workflow, a Docker image, or a package of a distribution, of conda or in `.travis.yml` names a Java
before 17. It is reported only in projects with DStream code, and not for other programs, such as
the image of a Kafka broker.

## Why it matters

Spark 4 runs on Java 17 and later, a Spark 3 that `--spark` names on 8, 11 and 17. With an older one
the job ends as it starts, with `UnsupportedClassVersionError`.

## Before

```dockerfile
FROM openjdk:8-slim
RUN apt-get update && apt-get install -y python3-pip && pip3 install pyspark
ENV JAVA_HOME /usr/local/openjdk-8
```

## After

```dockerfile
FROM eclipse-temurin:17
RUN apt-get update && apt-get install -y python3-pip && pip3 install pyspark
ENV JAVA_HOME /opt/java/openjdk
```

## Fix safety

There is no fix: which Java an image, a cluster or a repository of packages has is not to be seen.

## By hand

Name a Java 17 or 21, on the driver and on all nodes, and see that it is installed there.
"""

from migrator.model.events import Requirement
from migrator.model.projects import ProjectFacts
from migrator.rules.base import Findings, Rule, Severity
from migrator.spark.versions import JAVA

rule = Rule(
    "D909", "java-version", Severity.ERROR, effort=10, task=f"name Java {JAVA}", needs_streams=True
)


@rule.with_facts(Requirement, "java")
def version(event: Requirement, facts: ProjectFacts) -> Findings:
    """Report that a version of Java is named."""
    target = facts.target
    if int(event.version) >= target.java:
        return
    newer = 21 if target.spark >= (4, 0) else 11
    yield rule.finding(
        event,
        f"`{event.text}` is Java {event.version}; Spark {target.spark[0]} needs Java "
        f"{target.java} or later",
        f"name Java {JAVA} or {newer}, and install it on the driver and on all nodes",
    )
