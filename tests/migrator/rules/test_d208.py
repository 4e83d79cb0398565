"""Receivers of the JVM behind py4j."""

from __future__ import annotations

import pytest

from tests.support.migrator.reports import codes, report

HEAD = (
    "from pyspark import SparkContext\n"
    "from pyspark.streaming import StreamingContext, DStream\n"
    "ssc = StreamingContext(SparkContext(), 1)\n"
)
HUBS = "org.apache.spark.streaming.eventhubs.EventHubsUtils"
FIRES = [
    HEAD + f"ssc._jvm.{HUBS}.createUnionStream(ssc._jssc, p)\n",
    HEAD + f"utils = ssc.sparkContext._jvm.{HUBS}\n",
    HEAD + f"gateway.jvm.{HUBS}.createStream(s, p, '0')\n",
    HEAD + "jvm = ssc._jvm\njvm.com.some.spark.streaming.pubsub.PubsubPythonHelper()\n",
    HEAD + "ssc._jvm.org.apache.spark.streaming.zeromq.ZeroMQUtilsPythonHelper()\n",
    HEAD + "ssc._sc._jvm.com.redhat.spark.streaming.amqp.AMQPUtilsPythonHelper()\n",
    HEAD + "ssc._jvm.com.mine.SensorPythonHelper().createStream(ssc._jssc)\n",
    HEAD + "helper = ssc._jvm.com.mine.SensorPythonHelper()\nhelper.createStream(ssc._jssc)\n",
    HEAD + "utils = sc._jvm.com.mine.AMQPUtils\nlines = utils.createPairStream(ssc._jssc)\n",
    HEAD + "ssc._jvm.EventHubsUtils.createUnionStream(ssc._jssc, p)\n",
    HEAD + f"from py4j.java_gateway import java_import\njava_import(gw.jvm, '{HUBS}')\n",
    HEAD + "loader.loadClass('org.apache.spark.streaming.pubsub.PubsubUtils').newInstance()\n",
]
SILENT = [
    HEAD + "ssc._jvm.org.apache.spark.streaming.kafka.KafkaUtilsPythonHelper()\n",
    HEAD + "ssc._jvm.org.apache.spark.streaming.mqtt.MQTTUtilsPythonHelper()\n",
    HEAD + "ssc._jvm.org.apache.spark.util.Utils.createTempDir()\n",
    HEAD + "ssc._jvm.org.apache.hadoop.util.StringUtils.join(a)\n",
    HEAD + "PubsubUtils.createStream(ssc)\n",
    # the connector for Structured Streaming
    HEAD + "conf = sc._jvm.org.apache.spark.eventhubs.EventHubsUtils.encrypt(c)\n",
    HEAD + "utils = sc._jvm.org.apache.spark.eventhubs.EventHubsUtils\nutils.encrypt(c)\n",
    HEAD + "sc._jvm.org.apache.spark.sql.streaming.pulsar.PulsarUtils.check(c)\n",
    HEAD + 'sc._jvm.com.acme.TwitterUtils.clean("x")\n',
    HEAD + 'sc._jvm.com.acme.TwitterUtils.clean("x")\nmodel.createStream(1)\n',
    HEAD + "sc._jvm.com.acme.ModelPythonHelper().load(p)\n",
    HEAD + "sc._jvm.com.acme.JMSUtils\n",
    HEAD + "mine.EventHubsUtils.read()\n",
    HEAD + f'"""{HUBS}"""\n',
    HEAD + f"# ssc._jvm.{HUBS}\n",
    HEAD + "print('see EventHubsUtils')\n",
]


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    found = [c.partition(":")[2] for c in codes(source)]
    assert found.count("D208") == 1
    # one finding is enough
    assert "D602" not in found


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D208" not in [c.partition(":")[2] for c in codes(source)]


def test_the_way_out_is_named() -> None:
    (finding,) = [f for f in report(FIRES[0]).findings if f.code == "D208"]
    assert finding.message == (
        "`EventHubsUtils` makes a Java DStream of Azure Event Hubs, which dstream_compat has not"
    )
    assert finding.advice.startswith("read its endpoint for Kafka, NAMESPACE.servicebus.windows")
    assert (finding.at.line, finding.at.column) == (4, len(f"ssc._jvm.{HUBS}") - 13)
    (other,) = [f for f in report(FIRES[6]).findings if f.code == "D208"]
    assert other.advice.startswith("let a program of its own write the records to Kafka")


def test_a_package_in_a_variable() -> None:
    source = HEAD + "pkg = ssc._jvm.org.apache.spark.streaming.amqp\npkg.AMQPUtils.new(x)\n"
    assert [c for c in codes(source) if c.endswith(("D208", "D602"))] == ["4:D602", "5:D208"]


def test_other_java_classes_are_still_reported() -> None:
    source = HEAD + f"ssc._jvm.{HUBS}\nssc._jvm.org.apache.spark.streaming.Duration(1)\n"
    assert [c for c in codes(source) if c.endswith(("D208", "D602"))] == ["4:D208", "5:D602"]
