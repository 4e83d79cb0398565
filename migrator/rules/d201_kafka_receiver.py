"""`KafkaUtils.createStream`: the receiver that read Kafka through ZooKeeper.

## What

The receiver took the address of ZooKeeper, a consumer group, and a number of threads for each
topic. Kafka 4 has no ZooKeeper, and no Spark since 3.0 has the receiver.

## Why it matters

With `dstream_compat.kafka` the call reads through Spark's Kafka source, which asks the brokers, not
ZooKeeper. Their addresses come from `bootstrap.servers` or `metadata.broker.list` in `kafkaParams`,
from the setting `spark.streaming.compat.kafka.bootstrap.servers`, or from the environment variable
`DSTREAM_COMPAT_KAFKA_BOOTSTRAP_SERVERS`; without any of them the call raises
`UnsupportedSourceError`. The stream starts where its group stands in Kafka, else by
`auto.offset.reset` (the latest records): what an old consumer has stored in ZooKeeper is read only
with `spark.streaming.compat.kafka.offsetsFromZooKeeper=true`.

## Before

```python
from pyspark.streaming.kafka import KafkaUtils

stream = KafkaUtils.createStream(
    ssc, "zookeeper:2181", "group", {"clicks": 2}
)
```

## After

```python
from dstream_compat.kafka import KafkaUtils

stream = KafkaUtils.createStream(
    ssc, "zookeeper:2181", "group", {"clicks": 2}, kafkaParams={"bootstrap.servers": "broker:9092"}
)
```

## Fix safety

Safe, with `--kafka-brokers HOST:9092,...` or `kafka-brokers` in `[tool.migrate]`: these addresses
are written into each call that is proven to be the receiver's, as `kafkaParams` or into the dict
that stands there; of a variable that only ever holds one literal dict, `{**params,
"bootstrap.servers": ...}` is made. Without them the fix is only shown, since they are not in the
code. Calls with `*args`, `**kwargs` or other variables stay. What is decided once is one finding
for each project, which lists the calls: where the brokers are, and once they are written, whether
the offsets in ZooKeeper are taken over.

## By hand

Name the brokers, with `--kafka-brokers`, in the code or where the job is started. If the old job
kept its offsets in ZooKeeper, set `spark.streaming.compat.kafka.offsetsFromZooKeeper=true` for the
first start: they are copied into the consumer group in Kafka. Where ZooKeeper cannot be reached,
copy them with `kafka-consumer-groups.sh --reset-offsets`, or process what is left with the old job.
Union of several receivers still works. One direct stream reads all partitions in parallel, too; it
begins where its `fromOffsets` say, else at the end or the beginning of the topics, wherever a group
stands.
Spark's connector has to be on the classpath (D901).
"""

import ast

from migrator.model.events import MentionedName, Use
from migrator.rules.base import Findings, Fix, Rule, Safety, Severity, report_jvm_uses
from migrator.spark.connectors import BROKERS

rule = Rule(
    "D201",
    "kafka-receiver",
    Severity.ERROR,
    effort=15,
    safety=Safety.SAFE,
    option="--kafka-brokers",
    task="name the Kafka brokers",
)
report_jvm_uses(rule, "KafkaUtils.createStream")

_CALL = "KafkaUtils.createStream"
_OFFSETS = (
    f"{_CALL} takes offsets from ZooKeeper only if it is told to",
    "decide once whether the first start takes over what ZooKeeper has, or begins anew",
)
_GROUP = (
    "with spark.streaming.compat.kafka.offsetsFromZooKeeper=true they are copied into the group in "
    "Kafka",
    "without it a stream starts where its group stands in Kafka, else by auto.offset.reset",
)
_COPY = "decide about offsets in ZooKeeper"
_BROKERS = "give migrate the brokers, --kafka-brokers HOST:9092, or name them in the job"
_WAYS = (
    "a job names them as 'bootstrap.servers' in kafkaParams, in the setting "
    "spark.streaming.compat.kafka.bootstrap.servers, or in the environment variable "
    "DSTREAM_COMPAT_KAFKA_BOOTSTRAP_SERVERS"
)


@rule.on(Use, _CALL)
def receiver(event: Use) -> Findings:
    """Report that the receiver is created."""
    if _names_brokers(event.argument("kafkaParams")):
        yield rule.finding(event, *_OFFSETS, severity=Severity.WARNING, task=_COPY, details=_GROUP)
        return
    quorum = event.argument("zkQuorum")
    shown = "" if quorum is None else f" (here {ast.unparse(quorum)})"
    yield rule.finding(
        event,
        f"{_CALL} asks ZooKeeper{shown}, which no longer exists: without the brokers it raises",
        _BROKERS,
        fix=fix(event),
        details=(_WAYS, f"or it reads directly: {_direct(event)}"),
    )


def fix(event: Use) -> Fix | None:
    """Return the brokers that the user names are written into the call."""
    if event.brokers is None:
        return None
    summary = f'{_CALL} gets {{"bootstrap.servers": "\0"}}'
    reminder = rule.finding(event, *_OFFSETS, severity=Severity.WARNING, task=_COPY, details=_GROUP)
    return Fix(Safety.SAFE, (event.brokers,), summary, asks="kafka-brokers", reminder=reminder)


@rule.on(MentionedName, _CALL)
def mention(event: MentionedName) -> Findings:
    """Report that the receiver is mentioned in a file that does not parse."""
    yield rule.finding(
        event,
        f"{_CALL} asks ZooKeeper, which no longer exists: without the brokers it raises",
        _BROKERS,
        details=(_WAYS,),
    )


def _names_brokers(params: ast.expr | None) -> bool:
    """Return whether the parameters of the consumer show where the brokers are."""
    match params:
        case ast.Dict(keys=keys):
            return any(isinstance(k, ast.Constant) and k.value in BROKERS for k in keys)
        case _:
            return False


def _direct(event: Use) -> str:
    """Return the call of the direct stream that takes its place, as far as the code shows it."""
    topics = event.argument("topics")
    match topics:
        case ast.Dict(keys=keys) if all(key is not None for key in keys):
            listed = "[" + ", ".join(ast.unparse(k) for k in keys if k is not None) + "]"
        case None:
            listed = "[<topics>]"
        case _:
            listed = f"list({ast.unparse(topics)})"
    context = event.argument("ssc")
    return (
        f"KafkaUtils.createDirectStream({'ssc' if context is None else ast.unparse(context)}, "
        f'{listed}, {{"bootstrap.servers": "<broker:9092>"}}, fromOffsets=<where to begin>)'
    )
