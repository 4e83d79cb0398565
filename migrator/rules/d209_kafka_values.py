"""Values of `kafkaParams` that are no strings.

## What

A value in the `kafkaParams` of `createDirectStream`, `createStream` or `createRDD` is a list, a
number, `True` or `None`, such as a list of brokers.

## Why it matters

Consumers of Kafka were configured by strings only: with Spark 2.4, direct streams ended in a
`ClassCastException`, and receivers could not read the parameter. `dstream_compat` raises a
`TypeError` that names each of them when the stream is made.

## Before

```python
from pyspark.streaming.kafka import KafkaUtils

stream = KafkaUtils.createDirectStream(
    ssc, ["clicks"], {"metadata.broker.list": ["broker-1:9092", "broker-2:9092"]}
)
```

## After

```python
from dstream_compat.kafka import KafkaUtils

stream = KafkaUtils.createDirectStream(
    ssc, ["clicks"], {"metadata.broker.list": "broker-1:9092,broker-2:9092"}
)
```

## Fix safety

Safe where the value is written in the call, or in a dict that nothing but such calls gets: a list
of strings is joined by commas, a number or a truth value becomes the string that Kafka reads. Other
values are only reported.

## By hand

Write the string: `",".join(brokers)` for a list of brokers, `str(number)` for a number. Leave out
what is `None`.
"""

from migrator.model.events import KafkaValue
from migrator.rules.base import Findings, Fix, Rule, Safety, Severity

rule = Rule(
    "D209",
    "kafka-values",
    Severity.ERROR,
    effort=5,
    safety=Safety.SAFE,
    task="give kafkaParams strings only",
)


@rule.on(KafkaValue)
def value(event: KafkaValue) -> Findings:
    """Report that a value is no string."""
    yield rule.finding(
        event,
        f"kafkaParams: `{event.name}` is of type {event.given}, where Kafka takes strings only: "
        "the call raises TypeError",
        _advice(event),
        fix=fix(event),
    )


def fix(event: KafkaValue) -> Fix | None:
    """Return the value is written as a string."""
    if event.edit is None:
        return None
    return Fix(Safety.SAFE, (event.edit,), f'`{event.name}` of kafkaParams becomes "{event.text}"')


def _advice(event: KafkaValue) -> str:
    if event.text is not None:
        return f'write "{event.text}"'
    if event.given == "NoneType":
        return "leave it out"
    if event.given in ("list", "tuple", "set", "generator"):
        return 'join it by commas, as in ",".join(brokers)'
    return "write a string"
