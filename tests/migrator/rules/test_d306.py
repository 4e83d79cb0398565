"""Kafka offsets of the wrong RDD."""

from __future__ import annotations

import pytest

from tests.support.migrator.reports import codes

STREAM = (
    "from pyspark.streaming import StreamingContext, DStream\n"
    "ssc = StreamingContext(None, 1)\n"
    'lines = ssc.textFileStream("x")\n'
)
KAFKA = STREAM + (
    "from pyspark.streaming.kafka import KafkaUtils\n"
    "stream = KafkaUtils.createDirectStream(ssc, [], {})\n"
)
FIRES = [
    KAFKA + "stream.map(f).foreachRDD(lambda rdd: rdd.offsetRanges())\n",
    KAFKA + "stream.foreachRDD(lambda rdd: rdd.map(f).offsetRanges())\n",
    KAFKA + "def save(time, rdd):\n    rdd.offsetRanges()\nstream.filter(f).foreachRDD(save)\n",
    KAFKA + "lines.foreachRDD(lambda rdd: rdd.offsetRanges())\n",
    KAFKA + "stream.transform(lambda rdd: rdd).foreachRDD(lambda rdd: rdd.offsetRanges())\n",
    KAFKA + "stream.map(f).cache().foreachRDD(lambda rdd: rdd.offsetRanges())\n",
    KAFKA + "stream.cache().map(f).foreachRDD(lambda rdd: rdd.offsetRanges())\n",
    KAFKA + "stream.foreachRDD(lambda rdd: rdd.cache().map(f).offsetRanges())\n",
    KAFKA + "stream.foreachRDD(lambda rdd: rdd.repartition(2).persist().offsetRanges())\n",
    KAFKA + "lines.foreachRDD(lambda rdd: getattr(rdd, 'offsetRanges')())\n",
    KAFKA + "lines.persist(x).foreachRDD(lambda rdd: rdd.cache().offsetRanges())\n",
]
SILENT = [
    KAFKA + "stream.foreachRDD(lambda rdd: rdd.offsetRanges())\n",
    KAFKA + "stream.transform(lambda rdd: rdd.offsetRanges() and rdd).pprint()\n",
    KAFKA + "def save(time, rdd):\n    rdd.offsetRanges()\nstream.foreachRDD(save)\n",
    KAFKA + "def save(rdd):\n    rdd.offsetRanges()\nstream.foreachRDD(save)\n"
    "stream.map(f).foreachRDD(save)\n",
    KAFKA + "x.offsetRanges()\n",
    KAFKA + "def save(rdd):\n    rdd.offsetRanges()\nstream.foreachRDD(lambda rdd: save(rdd))\n",
    KAFKA + "KafkaUtils.createRDD(sc, {}, []).offsetRanges()\n",
    KAFKA + "KafkaUtils.createRDD(sc, {}, []).cache().offsetRanges()\n",
    KAFKA + "stream.cache().foreachRDD(lambda rdd: rdd.offsetRanges())\n",
    KAFKA + "s = stream.persist(x).checkpoint(10)\ns.transform(lambda rdd: rdd.offsetRanges())\n",
    KAFKA + "k = stream\nk = k.cache()\nk.foreachRDD(lambda t, rdd: rdd.offsetRanges())\n",
    KAFKA + "def save(rdd):\n    rdd = rdd.persist()\n    rdd.offsetRanges()\n"
    "stream.foreachRDD(save)\n",
    KAFKA + "stream.foreachRDD(lambda rdd: rdd.cache().offsetRanges())\n",
    KAFKA + "stream.foreachRDD(lambda rdd: rdd.setName('x').persist().offsetRanges())\n",
    KAFKA + "def save(rdd):\n    rdd.persist()\n    rdd.offsetRanges()\n    rdd.unpersist()\n"
    "stream.foreachRDD(save)\n",
    KAFKA + "DStream.cache(stream).foreachRDD(lambda rdd: rdd.offsetRanges())\n",
    KAFKA + "def save(rdd):\n    if hasattr(rdd, 'offsetRanges'):\n        rdd.offsetRanges()\n"
    "lines.foreachRDD(save)\n",
    KAFKA + "def save(rdd):\n    try:\n        rdd.offsetRanges()\n    except AttributeError:\n"
    "        pass\nlines.foreachRDD(save)\n",
    KAFKA + "lines.foreachRDD(lambda rdd: getattr(rdd, 'offsetRanges', list)())\n",
    KAFKA + "stream.foreachRDD(lambda rdd: getattr(rdd, 'offsetRanges')())\n",
    KAFKA + "from pyspark.streaming.kafka import KafkaRDD\ndef save(rdd):\n"
    "    if isinstance(rdd, KafkaRDD):\n        rdd.offsetRanges()\nlines.foreachRDD(save)\n",
    KAFKA + "def save(rdd):\n    rdd = current or rdd\n    rdd.offsetRanges()\n"
    "lines.foreachRDD(save)\n",
    KAFKA + "stream.foreachRDD(lambda rdd: RDD.cache(rdd).offsetRanges())\n",
]


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D306" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D306" not in [c.partition(":")[2] for c in codes(source)]
