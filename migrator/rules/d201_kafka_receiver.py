"""`KafkaUtils.createStream`: the receiver that read Kafka through ZooKeeper.

## What

The receiver took the address of ZooKeeper, a consumer group, and a number of threads for each
topic. Kafka 4 has no ZooKeeper, and no Spark since 3.0 has the receiver.

## Why it matters

The call cannot know where the brokers are: the address it has is ZooKeeper's. The job stops at
this call until a person names the brokers.

## Before

```python
stream = KafkaUtils.createStream(ssc, "zookeeper:2181", "my-group", {"clicks": 2})
```

## After

```python
stream = KafkaUtils.createDirectStream(
    ssc, ["clicks"], {"bootstrap.servers": "broker:9092", "group.id": "my-group"}
)
```

## Fix safety

Display only: the addresses of the brokers and the offsets to start from are not in the code.

## By hand

Write the call as above. Both streams give `(key, value)` pairs. The receiver started where its
group had stopped according to ZooKeeper; the direct stream starts at the latest offset, at
`auto.offset.reset`, or at `fromOffsets`. Union of several receivers is no longer needed: the
direct stream reads all partitions in parallel.
"""

import ast
from collections.abc import Iterator

from migrator.events import Mention, Use
from migrator.model import Finding, Safety, Severity
from migrator.rules.base import Rule

rule = Rule("D201", "kafka-receiver", Severity.ERROR, effort=30, safety=Safety.DISPLAY)

_MESSAGE = "KafkaUtils.createStream reads Kafka through ZooKeeper, which no longer exists"


@rule.on(Use, "KafkaUtils.createStream")
def receiver(event: Use) -> Iterator[Finding]:
    """The receiver is created."""
    quorum = event.argument(1, "zkQuorum")
    shown = "" if quorum is None else f" (here {ast.unparse(quorum)})"
    yield rule.finding(event, f"{_MESSAGE}{shown}", f"name the brokers: {_direct(event)}")


@rule.on(Mention, "KafkaUtils.createStream")
def mention(event: Mention) -> Iterator[Finding]:
    """The receiver is mentioned in a file that does not parse."""
    yield rule.finding(event, _MESSAGE, "name the brokers: use KafkaUtils.createDirectStream")


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
