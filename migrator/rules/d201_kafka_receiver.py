"""`KafkaUtils.createStream`: the receiver that read Kafka through ZooKeeper.

## What

The receiver took the address of ZooKeeper, a consumer group, and a number of threads for each
topic. Kafka 4 has no ZooKeeper, and no Spark since 3.0 has the receiver.

## Why it matters

The name can be imported from `dstream_compat.kafka`, but the call raises
`UnsupportedSourceError`: this version reads no Kafka yet. Nor could the call know where the brokers
are, because the address it has is ZooKeeper's.

## Before

```python
stream = KafkaUtils.createStream(ssc, "zookeeper:2181", "my-group", {"clicks": 2})
```

## After

```python
clicks = (
    spark.readStream.format("kafka")
    .option("kafka.bootstrap.servers", "broker:9092")
    .option("subscribe", "clicks")
    .load()
)
```

## Fix safety

Display only: the addresses of the brokers and the offsets to start from are not in the code.

## By hand

Keep the job on its old Spark for now, or write this part of it with Structured Streaming as above;
that stream is a DataFrame with the columns `key` and `value`, in bytes. The receiver started where
its group had stopped according to ZooKeeper; the new source starts at `startingOffsets`, the latest
ones if that is not set. Union of several receivers is no longer needed: the source reads all
partitions in parallel.
"""

import ast
from collections.abc import Iterator

from migrator.events import Mention, Use
from migrator.model import Finding, Safety, Severity
from migrator.rules.base import Rule
from migrator.tables.pending import RAISES, SOURCES

rule = Rule("D201", "kafka-receiver", Severity.ERROR, effort=30, safety=Safety.DISPLAY)

_DIRECT = "KafkaUtils.createDirectStream"
_MESSAGE = "KafkaUtils.createStream reads Kafka through ZooKeeper, which no longer exists"


@rule.on(Use, "KafkaUtils.createStream")
def receiver(event: Use) -> Iterator[Finding]:
    """The receiver is created."""
    quorum = event.argument(1, "zkQuorum")
    shown = "" if quorum is None else f" (here {ast.unparse(quorum)})"
    yield rule.finding(event, f"{_MESSAGE}{shown}{_raises()}", _instead(event))


@rule.on(Mention, "KafkaUtils.createStream")
def mention(event: Mention) -> Iterator[Finding]:
    """The receiver is mentioned in a file that does not parse."""
    yield rule.finding(event, _MESSAGE + _raises(), _instead(event))


def _raises() -> str:
    return f"; {RAISES} the call raises" if _DIRECT in SOURCES else ""


def _instead(event: Use | Mention) -> str:
    """What to write: the direct stream as far as the code shows it, if there is one."""
    if _DIRECT not in SOURCES:
        shown = _direct(event) if isinstance(event, Use) else f"use {_DIRECT}"
        return f"name the brokers: {shown}"
    topics = _topics(event) if isinstance(event, Use) else "<topics>"
    return (
        f"{SOURCES['KafkaUtils.createStream']}"
        '.option("kafka.bootstrap.servers", "<broker:9092>")'
        f'.option("subscribe", "{topics}")'
    )


def _topics(event: Use) -> str:
    """The topics as an option, if the code shows them all."""
    match event.argument(3, "topics"):
        case ast.Dict(keys=keys) if keys and all(
            isinstance(key, ast.Constant) and isinstance(key.value, str) for key in keys
        ):
            return ",".join(key.value for key in keys)  # type: ignore[union-attr]
        case _:
            return "<topics>"


def _direct(event: Use) -> str:
    """The call of the direct stream that takes its place, as far as the code shows it."""
    topics = event.argument(3, "topics")
    match topics:
        case ast.Dict(keys=keys) if all(key is not None for key in keys):
            listed = "[" + ", ".join(ast.unparse(k) for k in keys if k is not None) + "]"
        case None:
            listed = "[<topics>]"
        case _:
            listed = f"list({ast.unparse(topics)})"
    context = event.argument(0, "ssc")
    group = event.argument(2, "groupId")
    named = "" if group is None else f', "group.id": {ast.unparse(group)}'
    return (
        f"KafkaUtils.createDirectStream({'ssc' if context is None else ast.unparse(context)}, "
        f'{listed}, {{"bootstrap.servers": "<broker:9092>"{named}}})'
    )
