"""Direct streams against a real broker."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest
from pyspark import SparkContext

from dstream_compat.exceptions import BatchFailedError
from dstream_compat.kafka import KafkaMessageAndMetadata, KafkaUtils, OffsetRange, TopicAndPartition
from dstream_compat.listener import StreamingListener
from dstream_compat.settings import KAFKA_COMMITS
from dstream_compat.spark import sessions
from tests.support.components.kafka import Broker
from tests.support.streaming.kafka_fixtures import *  # noqa: F403
from tests.support.streaming.kafka_params import params
from tests.support.streaming.settings import setting
from tests.support.streaming.stepwise import Run

pytestmark = pytest.mark.slow


def test_batches_offsets_and_partitions(kafka_sc: SparkContext, broker: Broker, topic: str) -> None:
    with Run(kafka_sc) as run:
        stream = KafkaUtils.createDirectStream(run.ssc, [topic], params(broker))
        run.keep("all", stream)
        run.keep("sizes", stream.glom(), lambda rdd: [len(part) for part in rdd.collect()])
        run.keep("offsets", stream.transform(lambda rdd: noted(rdd)))
        run.keep("own", stream, lambda rdd: rdd.offsetRanges())
        run.keep("words", stream.map(lambda x: (x[1], 1)).reduceByKey(lambda a, b: a + b))
        seen: list[list[OffsetRange]] = []

        def noted(rdd: Any) -> Any:
            seen.append(rdd.offsetRanges())
            return rdd.map(lambda record: record[1])

        run.start()
        broker.send(topic, [(b"a", "ä".encode(), 0), (None, b"x", 0), (b"c", None, 1)])
        run.advance()
        run.advance()
        broker.send(topic, [(b"k", b"v%d" % number, 1) for number in range(3)])
        run.advance()
        assert run.batches("sizes") == [[2, 1], [0, 0], [0, 3]]
        assert [sorted(map(repr, batch)) for batch in run.batches("all")] == [
            sorted(map(repr, [("a", "ä"), (None, "x"), ("c", None)])),
            [],
            sorted(map(repr, [("k", "v0"), ("k", "v1"), ("k", "v2")])),
        ]
        assert run.batches("words")[2] == [("v0", 1), ("v1", 1), ("v2", 1)]
        expected = [
            [OffsetRange(topic, 0, 0, 2), OffsetRange(topic, 1, 0, 1)],
            [OffsetRange(topic, 0, 2, 2), OffsetRange(topic, 1, 1, 1)],
            [OffsetRange(topic, 0, 2, 2), OffsetRange(topic, 1, 1, 4)],
        ]
        assert run.batches("own") == seen == expected


def test_offsets_are_stored_in_the_group_if_asked(
    kafka_sc: SparkContext, broker: Broker, topic: str
) -> None:
    group = f"lag-of-{topic}"
    for stored in (False, True):
        with setting(kafka_sc, KAFKA_COMMITS.name, str(stored)), Run(kafka_sc) as run:
            given = {**params(broker), "group.id": group}
            run.keep("all", KafkaUtils.createDirectStream(run.ssc, [topic], given))
            run.start()
            broker.send(topic, [(None, b"a", 0), (None, b"b", 0), (None, b"c", 1)])
            run.advance()
            run.advance()  # so the batch before is committed
        # each round begins at the first offset, and sends three more records
        assert broker.group(group, topic) == ({0: 4, 1: 2} if stored else {})


def test_storing_offsets_needs_a_group(kafka_sc: SparkContext, broker: Broker, topic: str) -> None:
    with setting(kafka_sc, KAFKA_COMMITS.name, "true"), Run(kafka_sc) as run:
        run.keep("all", KafkaUtils.createDirectStream(run.ssc, [topic], params(broker)))
        with pytest.raises(ValueError, match=r"needs group\.id in kafkaParams"):
            run.start()


def test_late_intervals_go_by_the_time_of_each_record(
    kafka_sc: SparkContext, broker: Broker, topic: str
) -> None:
    with Run(kafka_sc) as run:
        stream = KafkaUtils.createDirectStream(run.ssc, [topic], params(broker))
        run.keep("values", stream.map(lambda x: x[1]))
        run.keep("sizes", stream.glom(), lambda rdd: [len(part) for part in rdd.collect()])
        run.keep("offsets", stream, lambda rdd: [o.untilOffset for o in rdd.offsetRanges()])
        run.start()
        run.advance()
        # milliseconds; the last two are before and behind what is due
        records = [(1500, 0), (3000, 0), (3001, 0), (2999, 0), (4100, 1), (9, 1), (99_999, 1)]
        broker.send(topic, [(None, str(at).encode(), part, at) for at, part in records])
        run.advance(4)
        assert run.batches("values") == [
            [],
            ["1500"],
            ["3000"],
            ["2999", "3001"],  # a partition's records stay in their order
            ["4100", "9", "99999"],
        ]
        assert run.batches("sizes") == [[0, 0], [1, 0], [1, 0], [2, 0], [0, 3]]
        assert run.batches("offsets") == [[0, 0], [1, 0], [2, 0], [4, 0], [4, 3]]


def test_largest_is_where_kafka_is_at_the_definition(
    kafka_sc: SparkContext, broker: Broker, topic: str
) -> None:
    broker.send(topic, [(None, b"before", 0)])
    with Run(kafka_sc) as run:
        stream = KafkaUtils.createDirectStream(
            run.ssc, [topic], {"bootstrap.servers": broker.address}
        )
        run.keep("values", stream.map(lambda x: x[1]))
        broker.send(topic, [(None, b"between", 1)])
        run.start()
        broker.send(topic, [(None, b"after", 0)])
        run.advance()
        assert run.batches("values") == [["after", "between"]]


def test_message_handler_and_decoders(kafka_sc: SparkContext, broker: Broker, topic: str) -> None:
    broker.send(topic, [(b"\xff", b"1", 0), (b"b", b"2", 1)])

    def handle(message: KafkaMessageAndMetadata) -> Any:
        return message.topic, message.partition, message.offset, message.key, message.message

    with Run(kafka_sc) as run:
        handled = KafkaUtils.createDirectStream(
            run.ssc,
            [topic],
            params(broker),
            keyDecoder=lambda k: None if k is None else k.hex(),
            valueDecoder=int,
            messageHandler=handle,
        )
        raw = KafkaUtils.createDirectStream(
            run.ssc, [topic], params(broker), None, lambda k: k, lambda v: int(v)
        )
        run.keep("handled", handled)
        run.keep("offsets", handled, lambda rdd: [o.untilOffset for o in rdd.offsetRanges()])
        run.keep("raw", raw)
        run.start().advance()
        assert run.batches("handled") == [[(topic, 0, 0, "ff", 1), (topic, 1, 0, "62", 2)]]
        assert run.batches("offsets") == [[1, 1]]
        assert run.batches("raw") == [[(b"\xff", 1), (b"b", 2)]]


def test_what_is_not_utf8_fails_its_batch_only(
    kafka_sc: SparkContext, broker: Broker, topic: str
) -> None:
    with Run(kafka_sc) as run:
        stream = KafkaUtils.createDirectStream(run.ssc, [topic], params(broker))
        run.keep("values", stream.map(lambda x: x[1]))
        run.start()
        broker.send(topic, [(None, b"good", 0), (None, b"\xff\xfe", 0)])
        run.advance()
        with pytest.raises(BatchFailedError, match="UnicodeDecodeError"):
            run.ssc.awaitTerminationOrTimeout(60)
        broker.send(topic, [(None, b"next", 0)])
        run.advance()
        assert run.batches("values") == [None, ["next"]]


def test_offsets_of_the_user(kafka_sc: SparkContext, broker: Broker, topic: str) -> None:
    broker.send(topic, [(None, b"%d" % number, number % 2) for number in range(10)])
    saved: dict[TopicAndPartition, int] = {}

    def save(rdd: Any) -> None:
        for known in rdd.offsetRanges():
            saved[TopicAndPartition(known.topic, known.partition)] = known.untilOffset

    given = {TopicAndPartition(topic, 0): 3, TopicAndPartition(topic, 1): 5}
    with Run(kafka_sc) as run:
        stream = KafkaUtils.createDirectStream(run.ssc, [topic], params(broker), fromOffsets=given)
        run.keep("values", stream.map(lambda x: x[1]))
        stream.foreachRDD(save)
        run.start().advance()
        assert run.batches("values") == [["6", "8"]]
    broker.send(topic, [(None, b"later", 1)])
    with Run(kafka_sc) as run:
        stream = KafkaUtils.createDirectStream(run.ssc, [topic], params(broker), saved)
        run.keep("values", stream.map(lambda x: x[1]))
        run.start().advance()
        assert run.batches("values") == [["later"]]
    with Run(kafka_sc) as run, pytest.raises(ValueError, match="fromOffsets"):
        KafkaUtils.createDirectStream(run.ssc, ["other"], params(broker), saved)


def test_a_topic_gets_more_partitions(kafka_sc: SparkContext, broker: Broker, topic: str) -> None:
    with Run(kafka_sc) as run:
        stream = KafkaUtils.createDirectStream(
            run.ssc, [topic], params(broker, **{"metadata.max.age.ms": "500"})
        )
        run.keep("values", stream.map(lambda x: x[1]))
        run.keep("parts", stream, lambda rdd: rdd.getNumPartitions())
        run.start()
        broker.send(topic, [(None, b"old", 0)])
        run.advance()
        broker.grow(topic, 4)
        broker.send(topic, [(None, b"new", 3)])
        for _ in range(100):
            run.advance()
            if run.batches("values")[-1]:
                break
        assert run.batches("values")[-1] == ["new"]
        assert (run.batches("parts")[0], run.batches("parts")[-1]) == (2, 4)


def test_broker_restarts(kafka_sc: SparkContext, broker: Broker, topic: str) -> None:
    with Run(kafka_sc) as run:
        stream = KafkaUtils.createDirectStream(run.ssc, [topic], params(broker))
        run.keep("values", stream.map(lambda x: x[1]))
        run.start()
        broker.send(topic, [(None, b"before", 0)])
        run.advance()
        broker.stop()
        broker.start()
        broker.send(topic, [(None, b"after", 0)])
        run.advance()
        assert run.batches("values") == [["before"], ["after"]]


def test_listeners_are_told_how_many_records(
    kafka_sc: SparkContext, broker: Broker, topic: str
) -> None:
    class Counter(StreamingListener):
        counts: ClassVar[list[int]] = []

        def onBatchCompleted(self, batchCompleted: Any) -> None:
            self.counts.append(batchCompleted.batchInfo().numRecords())

    with Run(kafka_sc) as run:
        stream = KafkaUtils.createDirectStream(run.ssc, [topic], params(broker))
        run.keep("count", stream, lambda rdd: rdd.count())
        run.ssc.addStreamingListener(Counter())
        run.start()
        broker.send(topic, [(None, b"x", number % 2, number * 1000) for number in range(7)])
        run.advance(2)
        run.advance()
    assert Counter.counts == run.batches("count") == [2, 5, 0]


def test_an_rdd_of_offsets(kafka_sc: SparkContext, broker: Broker, topic: str) -> None:
    broker.send(topic, [(b"k", b"%d" % number, 0) for number in range(9)])
    broker.send(topic, [(b"k", b"other", 1)])
    ranges = [
        OffsetRange(topic, 0, 6, 8),
        OffsetRange(topic, 1, 0, 0),
        OffsetRange(topic, 1, 0, 1),
        OffsetRange(topic, 0, 1, 3),
    ]
    values = [["6", "7"], [], ["other"], ["1", "2"]]
    for places in ((0, 1, 2, 3), (0, 2), (2, 0), (1,), ()):
        chosen = [ranges[place] for place in places]
        rdd = KafkaUtils.createRDD(kafka_sc, params(broker), chosen)
        found = [[value for _, value in part] for part in rdd.glom().collect()]
        assert found == [values[place] for place in places], "partition i has range i"
        assert rdd.offsetRanges() == chosen
    handled = KafkaUtils.createRDD(
        kafka_sc, params(broker), ranges[3:], None, messageHandler=lambda m: (m.offset, m.message)
    )
    assert sorted(handled.collect()) == [(1, "1"), (2, "2")]
    decoded = KafkaUtils.createRDD(
        kafka_sc, params(broker), ranges[3:], None, lambda key: key.hex(), lambda value: int(value)
    )
    assert sorted(decoded.collect()) == [("6b", 1), ("6b", 2)]
    with pytest.raises(TypeError, match="offsetRanges should be list"):
        KafkaUtils.createRDD(kafka_sc, params(broker), ranges[0])  # type: ignore[arg-type]
    session = sessions._reading
    KafkaUtils.createRDD(kafka_sc, params(broker), ranges)
    assert session is not None and session is sessions._reading, "Spark never frees one"
