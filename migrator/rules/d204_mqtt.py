"""MQTT streams.

## What

`MQTTUtils` came with Spark 1.x and later with Apache Bahir. `dstream_compat.mqtt` has the same
calls; it subscribes with the `paho-mqtt` client instead of the JVM connector.

## Why it matters

The client has to be installed, and what the broker delivers while the job is down is kept only as
far as the broker keeps it.

## Before

```python
from mqtt import MQTTUtils
lines = MQTTUtils.createStream(ssc, "tcp://broker:1883", "sensors")
```

## After

```python
from dstream_compat.mqtt import MQTTUtils
lines = MQTTUtils.createStream(ssc, "tcp://broker:1883", "sensors")
```

## Fix safety

The import is rewritten (D101); the rest is installation.

## By hand

Run `pip install dstream-compat[mqtt]`, drop the JVM package (D901), and check the delivery you
need (QoS, client id) against the documentation of `dstream_compat.mqtt`.
"""

from collections.abc import Iterator

from migrator.events import Mention, Use
from migrator.model import Finding, Severity
from migrator.rules.base import Rule

rule = Rule("D204", "mqtt", Severity.WARNING, effort=30)

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
        f"MQTTUtils.{name} needs the paho-mqtt client instead of the JVM connector",
        "pip install dstream-compat[mqtt] and check the delivery guarantees you rely on",
    )
