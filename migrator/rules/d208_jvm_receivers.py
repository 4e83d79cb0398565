"""Receivers in Scala or Java that a Python program reaches through py4j.

## What

The program makes a stream with a connector of the JVM, such as `EventHubsUtils` or
`PubsubPythonHelper`, through `_jvm` or by the name of its class. Such connectors had no module in
PySpark.

## Why it matters

Their receivers belong to Java DStreams, which do not exist under `dstream_compat`: the call raises
an error. No setting brings them back, but most of these systems can be read in another way.

## Before

```python
helper = ssc._jvm.org.apache.spark.streaming.eventhubs.EventHubsUtils
stream = DStream(helper.createUnionStream(ssc._jssc, params), ssc, NoOpSerializer())
```

## After

```python
stream = KafkaUtils.createDirectStream(
    ssc,
    ["<event hub>"],
    {
        "bootstrap.servers": "<namespace>.servicebus.windows.net:9093",
        "security.protocol": "SASL_SSL",
        "sasl.mechanism": "PLAIN",
        "sasl.jaas.config": "<with $ConnectionString as user>",
    },
)
```

## Fix safety

There is no fix: addresses and credentials of the other way are not in the code.

## By hand

| system | other way |
|---|---|
| Azure Event Hubs | its endpoint for Kafka, with `KafkaUtils`; the Basic tier has none |
| Google Pub/Sub, PubNub | a client that writes to Kafka, or files for `textFileStream` |
| AMQP, RabbitMQ, ActiveMQ, JMS, Solace | MQTT, if the broker speaks it; or a bridge to Kafka |
| Apache Pulsar | its protocol handler for Kafka |
| ZeroMQ, Akka, Twitter, others | a program that writes to Kafka, to files or onto a socket |

Records that the old receiver has acknowledged are not read again, and the new way begins at a
position of its own: stop the one before the other starts.
"""

from migrator.model.events import JvmReceiver
from migrator.rules.base import Rule, Severity

rule = Rule(
    "D208", "jvm-receiver", Severity.ERROR, effort=120, task="read the source in another way"
)
rule.reports(
    JvmReceiver,
    message="`{event.name}` makes a Java DStream of {event.system}, which dstream_compat has not",
    advice="{event.way}",
)
