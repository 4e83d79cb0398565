"""Kinesis streams.

## What

`KinesisUtils.createStream` received a Kinesis stream through the Kinesis Client Library, which
kept its position in a DynamoDB table named after the application.

## Why it matters

`dstream_compat.kinesis` has the same names, so that imports work, but this version of
`dstream_compat` reads no Kinesis streams yet: the call raises `UnsupportedSourceError`.

## Before

```python
stream = KinesisUtils.createStream(
    ssc, "app", "clicks", endpoint, "eu-west-1", InitialPositionInStream.LATEST, 10
)
```

## After

```python
lines = ssc.textFileStream("s3a://bucket/clicks")
```

## Fix safety

There is no fix: where the records can be read instead is a decision.

## By hand

Keep the job on its old Spark for now, or let Firehose or a client of your own write the records to
files, and read those. Drop the JVM package (D901).
"""

from collections.abc import Iterator

from migrator.events import Mention, Use
from migrator.model import Finding, Severity
from migrator.rules.base import Rule
from migrator.tables.pending import SOURCES

rule = Rule("D205", "kinesis", Severity.ERROR, effort=60)


@rule.on(Use, "KinesisUtils.createStream")
def used(event: Use) -> Iterator[Finding]:
    """A Kinesis stream is created."""
    yield _finding(event)


@rule.on(Mention, "KinesisUtils.createStream")
def mentioned(event: Mention) -> Iterator[Finding]:
    """A Kinesis stream is mentioned in a file that does not parse."""
    yield _finding(event)


def _finding(event: Use | Mention) -> Finding:
    return rule.finding(
        event,
        "KinesisUtils.createStream raises: this version of dstream_compat reads no Kinesis streams "
        "yet",
        SOURCES["KinesisUtils.createStream"],
    )
