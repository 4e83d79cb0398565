"""Kinesis streams.

## What

`KinesisUtils.createStream` received a Kinesis stream through the Kinesis Client Library, which
kept its position in a DynamoDB table named after the application.

## Why it matters

`dstream_compat.kinesis` has the same call but keeps its position in the checkpoint of the job. It
does not read the old DynamoDB table, so the first start begins at `initialPositionInStream`.

## Before

```python
stream = KinesisUtils.createStream(
    ssc, "app", "clicks", endpoint, "eu-west-1", InitialPositionInStream.LATEST, 10
)
```

## After

The same call, with `dstream_compat.kinesis` imported.

## Fix safety

The import is rewritten (D101). Where to start reading is a decision.

## By hand

Run `pip install dstream-compat[kinesis]`, drop the JVM package (D901), and choose the initial
position so that nothing is lost between the old job and the new one.
"""

from collections.abc import Iterator

from migrator.events import Mention, Use
from migrator.model import Finding, Severity
from migrator.rules.base import Rule

rule = Rule("D205", "kinesis", Severity.WARNING, effort=60)


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
        "KinesisUtils.createStream needs boto3 and does not continue from the old job's "
        "DynamoDB table",
        "pip install dstream-compat[kinesis] and choose initialPositionInStream for the switch",
    )
