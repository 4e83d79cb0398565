"""Calls that no version of Spark accepts."""

from __future__ import annotations

import pytest

from tests.support.migrator.reports import codes

STREAM = (
    "from pyspark.streaming import StreamingContext, DStream\n"
    "ssc = StreamingContext(None, 1)\n"
    'lines = ssc.textFileStream("x")\n'
)
KAFKA = STREAM + "from pyspark.streaming.kafka import KafkaUtils\n"
FIRES = [
    KAFKA + "KafkaUtils.createDirectStream(ssc, 'topic', {}).pprint()\n",
    KAFKA + "KafkaUtils.createDirectStream(ssc, f'{topic}', {}).pprint()\n",
    KAFKA + "KafkaUtils.createDirectStream(ssc, ('topic',), {}).pprint()\n",
    KAFKA + "KafkaUtils.createDirectStream(ssc, topics={'topic': 1}, kafkaParams={}).pprint()\n",
    KAFKA + "t = {'topic': 1}\nKafkaUtils.createDirectStream(ssc, t, {}).pprint()\n",
    KAFKA + "KafkaUtils.createDirectStream(ssc, ['topic'], 'broker:9092').pprint()\n",
    KAFKA + "KafkaUtils.createStream(ssc, 'zk', 'group', ['topic']).pprint()\n",
    KAFKA + "KafkaUtils.createStream(ssc, 'zk', 'group', 'topic').pprint()\n",
    KAFKA + "t = ['topic']\nKafkaUtils.createStream(ssc, 'zk', 'g', t).pprint()\n",
    STREAM + "ssc.union([lines, lines]).pprint()\n",
    STREAM + "ssc.union([s for s in (lines, lines)]).pprint()\n",
    STREAM + "streams = [lines]\nstreams.append(lines)\nssc.union(streams).pprint()\n",
    STREAM + "d = {'a': lines}\nssc.union(d.values()).pprint()\n",
    STREAM + "lines.union([lines]).pprint()\n",
    STREAM + "lines.filter().pprint()\n",
    STREAM + "lines.map().pprint()\n",
    STREAM + "lines.count(1).pprint()\n",
    STREAM + "lines.window().pprint()\n",
    STREAM + "lines.reduceByKey(function=f).pprint()\n",
    STREAM + "lines.map(f, f=g).pprint()\n",
    STREAM + "lines.reduceByKeyAndWindow(f, 30).pprint()\n",
    STREAM + "ssc.socketTextStream('host').pprint()\n",
    STREAM + "ssc.awaitTerminationOrTimeout()\n",
    STREAM + "StreamingContext.getOrCreate('x')\n",
    STREAM + "def f(s):\n    s.union()\nf(lines)\n",
]
SILENT = [
    STREAM + "lines.filter(f).pprint()\n",
    STREAM + "lines.filter(f=g).pprint(num=3)\n",
    STREAM + "lines.filter(*args).pprint()\n",
    STREAM + "lines.filter(**given).pprint()\n",
    STREAM + "lines.map(f, True).pprint()\n",
    STREAM + "lines.window(30, slideDuration=10).pprint()\n",
    STREAM + "lines.reduceByKeyAndWindow(f, None, 30).pprint()\n",
    STREAM + "ssc.union(lines, lines, lines).pprint()\n",
    STREAM + "ssc.union().pprint()\n",
    STREAM + "streams = [lines]\nssc.union(*streams).pprint()\n",
    STREAM + "ssc.union(*[s for s in (lines, lines)]).pprint()\n",
    STREAM + "ssc.union(lines, other).pprint()\n",
    STREAM + "ssc.union(given).pprint()\n",
    STREAM + "s = [lines] if x else lines\nssc.union(s).pprint()\n",
    STREAM + "lines.union(other).pprint()\n",
    STREAM + "ssc.sparkContext.union([rdd, rdd]).collect()\n",
    KAFKA + "KafkaUtils.createDirectStream(ssc, ['topic'], {}).pprint()\n",
    KAFKA + "KafkaUtils.createDirectStream(ssc, list(topics), dict(a=1)).pprint()\n",
    KAFKA + "KafkaUtils.createDirectStream(ssc, 'a,b'.split(','), {}).pprint()\n",
    KAFKA + "KafkaUtils.createDirectStream(ssc, [t for t in x], params).pprint()\n",
    KAFKA + "topics = ['a']\nKafkaUtils.createDirectStream(ssc, topics, {}).pprint()\n",
    KAFKA + "KafkaUtils.createDirectStream(ssc, topics, {}).pprint()\n",
    KAFKA + "KafkaUtils.createDirectStream(*args).pprint()\n",
    KAFKA + "KafkaUtils.createDirectStream(ssc, topics=t, kafkaParams=p).pprint()\n",
    KAFKA + "KafkaUtils.createStream(ssc, 'zk', 'g', {'topic': 1}).pprint()\n",
    KAFKA + "KafkaUtils.createStream(ssc, 'zk', 'g', {t: 1 for t in x}).pprint()\n",
    KAFKA + "KafkaUtils.createStream(ssc, 'zk', 'g', dict.fromkeys(x, 1)).pprint()\n",
    KAFKA + "t = {}\nt['a'] = 1\nKafkaUtils.createStream(ssc, 'zk', 'g', t).pprint()\n",
    "from lib import KafkaUtils\nKafkaUtils.createDirectStream(ssc, 'topic', {})  # DStream\n",
    STREAM + "ssc.stop(True, True)\n",
    STREAM + "DStream.filter(lines, f).pprint()\n",
    STREAM + "StreamingContext.getOrCreate('x', f)\n",
    STREAM + "StreamingContext.socketTextStream(ssc, 'h', 1)\n",
    STREAM + "lines.foreachRDD(lambda rdd: rdd.filter())\n",
    STREAM + "class S(DStream):\n    def map(self): pass\nS().map()\n",
    "def f(s):\n    s.updateStateByKey()  # DStream\n",
    "class Q:\n    def filter(self): pass\nQ().filter()  # DStream\n",
    "filter()  # DStream\n",
]


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D305" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D305" not in [c.partition(":")[2] for c in codes(source)]
