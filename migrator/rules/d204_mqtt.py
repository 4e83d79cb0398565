"""MQTT streams.

## What

`MQTTUtils` came with Spark 1.x and later with Apache Bahir. `dstream_compat.mqtt` has the name, so
that imports work.

## Why it matters

This version of `dstream_compat` reads no MQTT yet: `createStream` raises `UnsupportedSourceError`,
and `createPairedStream` does not exist.

## Before

```python
lines = MQTTUtils.createStream(ssc, "tcp://broker:1883", "sensors")
```

## After

```python
lines = ssc.textFileStream("/data/sensors")
```

## Fix safety

There is no fix: where the messages can be read instead is a decision.

## By hand

Keep the job on its old Spark for now, or bridge the topic to files or to a socket with a client of
your own. Drop the JVM package (D901).
"""

from collections.abc import Iterator

from migrator.events import Mention, Use
from migrator.model import Finding, Severity
from migrator.rules.base import Rule
from migrator.tables.pending import SOURCES

rule = Rule("D204", "mqtt", Severity.ERROR, effort=60)

_KEYS = ("MQTTUtils.createStream", "MQTTUtils.createPairedStream")


@rule.on(Use, *_KEYS)
def used(event: Use) -> Iterator[Finding]:
    """An MQTT stream is created."""
    yield _finding(event, event.name)


@rule.on(Mention, *_KEYS)
def mentioned(event: Mention) -> Iterator[Finding]:
    """An MQTT stream is mentioned in a file that does not parse."""
    yield _finding(event, event.name.rpartition(".")[2])


def _finding(event: Use | Mention, name: str) -> Finding:
    return rule.finding(
        event,
        f"MQTTUtils.{name} raises: this version of dstream_compat reads no MQTT yet",
        SOURCES[f"MQTTUtils.{name}"],
    )
