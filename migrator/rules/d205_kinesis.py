"""Kinesis streams need boto3, and do not go on where the old job stopped.

## What

`KinesisUtils.createStream` received a Kinesis stream through the Kinesis Client Library, which
kept its position in a DynamoDB table named after the application.

## Why it matters

`dstream_compat.kinesis` reads the shards with boto3, a Python package that has to be installed, and
keeps its position in the job's checkpoint. Unless a setting asks for it, the table in DynamoDB is
not read: the first start is at `initialPositionInStream`, so records may be read twice
(`TRIM_HORIZON`) or left out (`LATEST`).
What was read can be read again, so no write-ahead log is needed.

## Before

```shell
spark-submit --packages org.apache.spark:spark-streaming-kinesis-asl_2.11:2.4.8 job.py
```

## After

```shell
pip install 'dstream-compat[kinesis]'
python -m dstream_compat submit job.py
```

## Fix safety

There is no fix: packages are installed where the job runs, and the position is a decision.

## By hand

Add `dstream-compat[kinesis]` to what the job has installed, and drop the JVM package (D901). Choose
the initial position for the switch, or set
`spark.streaming.compat.kinesis.positionsFromDynamoDB=true`, which begins behind the positions of
the old job. Give the job a checkpoint folder, so that later starts go on where it stopped.
"""

from migrator.model.events import MentionedName, Use
from migrator.rules.base import Rule, Severity, report_jvm_uses

rule = Rule("D205", "kinesis", Severity.WARNING, effort=15, task="choose where to begin")
report_jvm_uses(rule, "KinesisUtils", "KinesisInputDStream.builder")

for kind in (Use, MentionedName):
    rule.reports(
        kind,
        "KinesisUtils.createStream",
        message="KinesisUtils.createStream does not go on where the old job ended",
        advice="install dstream-compat[kinesis], and choose the initial position for the first "
        "start",
        details=("it works with boto3; the position of the old job is in DynamoDB",),
    )
