"""MQTT."""

from __future__ import annotations

import pytest

from tests.support.migrator.reports import codes

FIRES = [
    "from pyspark.streaming.mqtt import MQTTUtils\nMQTTUtils.createStream(ssc, b, t)\n",
    "from pyspark.streaming.mqtt import MQTTUtils\nMQTTUtils.createPairedStream(ssc, b, t)\n",
    "from dstream_compat.mqtt import MQTTUtils\nMQTTUtils.createPickleStream(ssc, b, t)\n",
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
