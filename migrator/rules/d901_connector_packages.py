"""Connector packages of Spark Streaming.

## What

A `spark-streaming-*` connector is given by `--packages`, `--jars`, `spark.jars.packages`,
`PYSPARK_SUBMIT_ARGS` or a file of its name. The name alone, which may be that of an image or a
topic, is not reported: it takes a group, a version of Scala, a full version or `.jar`.

## Why it matters

These packages exist for old versions of Spark and Scala only. With Spark 4 the job fails
when it starts, or when the connector is used.

## Before

```shell
spark-submit --packages org.apache.spark:spark-streaming-kafka-0-8_2.11:2.4.8 job.py
```

## After

```shell
spark-submit --packages org.apache.spark:spark-sql-kafka-0-10_2.13:4.3.0 job.py
```

## Fix safety

Safe. Kafka's connector becomes `spark-sql-kafka-0-10` for the Spark of `--spark`, or that of the
installed PySpark, once a command; its jar gives way to that package, with jars of Kafka beside it
(`kafka-clients`, `kafka_2.11`, `zkclient`, `metrics-core`), which the package brings itself; beside
other jars this is done for `--jars` of a command line, or where packages are given already. The
connectors of Flume, MQTT and Kinesis are dropped, with their option if nothing else stays in it.
Continuations, quotes, comments and other variables stay.

It is done in the lists of `--packages`, `--jars`, `spark.jars` and `spark.jars.packages`, in
strings and variables that are such a list, and in the arguments of Airflow's `SparkSubmitOperator`;
not in workflows of Oozie, items of YAML, settings of Dataproc, sentences, names that a program
puts together, `curl` and `COPY`, or builds of Scala and Java. In a command that a program formats,
its fields stay. A command or file that names a class to start (`--class`, `mainClass`) keeps its
packages: its job is Scala or Java. Where the job is not to be seen, all DStream code of
the project has to be Python.

## By hand

Replace or drop the package as the message says. `spark-sql-kafka-0-10` takes the version of your
Spark and of its Scala; `dstream_compat.kafka` and `spark.readStream.format("kafka")` both use it.
`python -m dstream_compat run` and `submit` put it in the place of the old one by themselves.
"""

from migrator.model.events import ConnectorPackage
from migrator.model.projects import ProjectFacts
from migrator.rules.base import Findings, Rule, Safety, Severity
from migrator.rules.package_edits import package_fix
from migrator.spark.connectors import CONNECTORS

rule = Rule(
    "D901",
    "connector-package",
    Severity.ERROR,
    effort=10,
    safety=Safety.SAFE,
    task="replace a connector package",
)


@rule.with_facts(ConnectorPackage)
def package(event: ConnectorPackage, facts: ProjectFacts) -> Findings:
    """Report that a connector package is named; a fix puts Kafka's new one there, or drops it."""
    instead = CONNECTORS[event.connector].format(scala=facts.target.scala)
    why = instead.removeprefix("nothing: ")
    advice = f"use {why}" if why == instead else f"drop it: {why}"
    yield rule.finding(
        event,
        f"{event.text} does not work with a Spark that has Structured Streaming only",
        advice,
        fix=package_fix(event, facts.target, advice.removeprefix("drop it: ")),
    )
