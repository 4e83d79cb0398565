"""MQTT streams need paho-mqtt, and lose what was received when the job dies.

## What

`MQTTUtils` came with Spark 1.x and later with Apache Bahir, as a receiver in the JVM. Bahir's
Python module is called `mqtt`: its jar has it, and many projects bring a copy.

## Why it matters

`dstream_compat.mqtt` has the same functions over paho-mqtt, a Python package that has to be
installed in the driver. A broker does not send a message twice: what was received and is in no
batch yet is lost when the process dies, unless `spark.streaming.receiver.writeAheadLog.enable` is
set and the job has a checkpoint folder (D701). Structured Streaming has no MQTT source at all.

Copies of Bahir's module often got a user name and a password behind the topic, before or behind the
storage level. `dstream_compat.mqtt` takes both, by position, too, and refuses what else a copy may
have, such as `keepAlive`: a call with more than six arguments by position raises `TypeError`.

## Before

```shell
spark-submit --packages org.apache.bahir:spark-streaming-mqtt_2.11:2.4.0 job.py
```

## After

```shell
pip install 'dstream-compat[mqtt]'
python -m dstream_compat submit job.py
```

## Fix safety

There is no fix: packages are installed where the job runs. `from mqtt import MQTTUtils` moves with
D101; a copy of Bahir's module stays as it is, and is imported no more.

## By hand

Add `dstream-compat[mqtt]` to what the driver has installed, and drop the JVM package (D901). Decide
whether messages may be lost; if not, switch the log on. Remove arguments that only a copy has.
"""

from migrator.model.events import Event, MentionedName, Use
from migrator.rules.base import Findings, Rule, Severity, report_jvm_uses

rule = Rule("D204", "mqtt", Severity.WARNING, effort=10, task="install the extra mqtt")
report_jvm_uses(rule, "MQTTUtils")

_POSITIONS = 6
_KEYS = (
    *("MQTTUtils.createStream", "MQTTUtils.createPairedStream"),
    "MQTTUtils.createPickleStream",
)


@rule.on(Use, *_KEYS)
def report_creation(event: Use) -> Findings:
    """Report that an MQTT stream is created."""
    if event.call is not None and len(event.call.args) > _POSITIONS:
        yield rule.finding(
            event,
            f"MQTTUtils.{event.name} takes {_POSITIONS} arguments by position, the last three are "
            "user name, password and storage level; a copy of Bahir's module took more",
            "remove the others",
            severity=Severity.ERROR,
            task="remove the arguments",
        )
    yield from report_mqtt(event)


def report_mqtt(event: Event) -> Findings:
    """Report an MQTT stream, also in a file that does not parse."""
    yield rule.finding(
        event,
        f"{event.key} uses paho-mqtt; a crash may lose messages",
        "install dstream-compat[mqtt]; use a write-ahead log if no message may be lost",
        details=(
            "without a log, messages that are in no batch yet are lost when the job dies",
            "the log needs spark.streaming.receiver.writeAheadLog.enable and a checkpoint folder; "
            "the package belongs into the driver's environment",
        ),
    )


rule.on(MentionedName, *_KEYS)(report_mqtt)
