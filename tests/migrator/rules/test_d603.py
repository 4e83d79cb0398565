"""Streams declared after getOrCreate."""

from __future__ import annotations

import pytest

from tests.support.migrator.reports import codes

STREAM = (
    "from pyspark.streaming import StreamingContext, DStream\n"
    "ssc = StreamingContext(None, 1)\n"
    'lines = ssc.textFileStream("x")\n'
)
RECOVERED = STREAM + (
    "def make():\n    return StreamingContext(None, 1)\n"
    "c = StreamingContext.getOrCreate('x', make)\n"
)
FIRES = [
    RECOVERED + "c.socketTextStream('h', 1).pprint()\n",
    RECOVERED + "def build(x):\n    x.textFileStream('y').pprint()\nbuild(c)\n",
    RECOVERED + "from pyspark.streaming.kafka import KafkaUtils\n"
    "KafkaUtils.createStream(c, 'z', 'g', {}).pprint()\n",
    RECOVERED + "class A:\n    def __init__(self, c):\n        self.c = c\n"
    "    def go(self):\n        self.c.queueStream([]).pprint()\nA(c).go()\n",
    STREAM + "c = StreamingContext.getActiveOrCreate(None, make)\nc.queueStream([]).pprint()\n",
]
SILENT = [
    RECOVERED + "c.start()\nc.awaitTermination()\n",
    RECOVERED + "c.checkpoint('x')\nc.remember(10)\n",
    STREAM + "ssc.socketTextStream('h', 1).pprint()\n",
    STREAM + "def make():\n    c = StreamingContext(None, 1)\n    c.textFileStream('x').pprint()\n"
    "    return c\nc = StreamingContext.getOrCreate('x', make)\nc.start()\n",
    STREAM + "def build(x):\n    x.textFileStream('y').pprint()\ndef make():\n"
    "    c = StreamingContext(None, 1)\n    build(c)\n    return c\n"
    "StreamingContext.getOrCreate('x', make).start()\n",
    STREAM + "from pyspark import SparkContext\nsc = SparkContext.getOrCreate()\n"
    "StreamingContext(sc, 1).textFileStream('x').pprint()\n",
    STREAM + "c = StreamingContext.getActive()\nc.textFileStream('x').pprint()\n",
    "c = Pool.getOrCreate('x', f)\nc.textFileStream('x')  # DStream\n",
]


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D603" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D603" not in [c.partition(":")[2] for c in codes(source)]
