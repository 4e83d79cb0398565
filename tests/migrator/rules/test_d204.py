"""MQTT."""

from __future__ import annotations

import pytest

from tests.support.migrator.reports import codes

FIRES = [
    "from pyspark.streaming.mqtt import MQTTUtils\nMQTTUtils.createStream(ssc, b, t)\n",
    "from pyspark.streaming.mqtt import MQTTUtils\nMQTTUtils.createPairedStream(ssc, b, t)\n",
    "from dstream_compat.mqtt import MQTTUtils\nMQTTUtils.createPickleStream(ssc, b, t)\n",
    # Apache Bahir's module
    "from mqtt import MQTTUtils\nMQTTUtils.createStream(ssc, b, t)  # StreamingContext\n",
]
SILENT = [
    "from pyspark.streaming.mqtt import MQTTUtils\n# MQTTUtils.createStream(ssc, b, t)\n",
    "from pyspark.streaming.mqtt import MQTTUtils\n",
    "from paho.mqtt import client\nclient.createStream(ssc)  # StreamingContext\n",
    "from mylib import MQTTUtils\nMQTTUtils.createStream(ssc)\n",
]


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D204" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D204" not in [c.partition(":")[2] for c in codes(source)]


def test_arguments_that_only_a_copy_has() -> None:
    start = "from mqtt import MQTTUtils\nfrom pyspark.streaming import DStream\n"
    found = codes(start + "MQTTUtils.createStream(ssc, b, t, level, 'user', 'password', 400)\n")
    assert [c.partition(":")[2] for c in found].count("D204") == 2
    for more in ("level", "username='user', password='password'", "'u', 'p'", "'u', 'p', level"):
        found = codes(start + f"MQTTUtils.createStream(ssc, b, t, {more})\n")
        assert [c.partition(":")[2] for c in found].count("D204") == 1
