"""The names of ``pyspark.streaming.kafka``, over Structured Streaming's Kafka source."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pyspark import RDD, SparkContext, StorageLevel

from .api.arity import with_time
from .dstream import DStream, TransformedDStream
from .graph.nodes import Node, SourceNode
from .source.kafka import define as kafka_define
from .source.kafka.records import (
    Broker,
    Decoder,
    KafkaMessageAndMetadata,
    OffsetRange,
    TopicAndPartition,
    message_handler,
    no_java,
    utf8_decoder,
)
from .source.kafka.source import DirectSource

if TYPE_CHECKING:
    from .context import StreamingContext

__all__ = [
    "Broker",
    "KafkaMessageAndMetadata",
    "KafkaUtils",
    "OffsetRange",
    "TopicAndPartition",
    "utf8_decoder",
]


class KafkaRDD(RDD[Any]):
    """A batch's RDD that knows which offsets it covers.

    Mirrors ``pyspark.streaming.kafka.KafkaRDD`` of Spark 2.4.
    """

    def __init__(self, jrdd: Any, ctx: SparkContext, jrdd_deserializer: Any) -> None:
        super().__init__(jrdd, ctx, jrdd_deserializer)

    def offsetRanges(self) -> list[OffsetRange]:
        """Return the offsets of each partition of the topics, as a list of `OffsetRange`."""
        return []


class _BatchRDD(KafkaRDD):
    """The RDD of a direct stream's batch, with its offsets.

    What the batch answers in the driver needs no job here either, which would have a task for each
    partition of the topics. Of an RDD that is to be saved, the first job has to be Spark's.
    """

    def __init__(self, rdd: RDD[Any], ranges: Sequence[OffsetRange]) -> None:
        super().__init__(rdd._jrdd, rdd.ctx, rdd._jrdd_deserializer)
        self._batch = rdd
        self._ranges = ranges

    def offsetRanges(self) -> list[OffsetRange]:
        return list(self._ranges)

    def collect(self) -> list[Any]:
        """Return all records."""
        return super().collect() if self._is_saved() else self._batch.collect()

    def take(self, num: int) -> list[Any]:
        """Return the first ``num`` records."""
        return super().take(num) if self._is_saved() else self._batch.take(num)

    def count(self) -> int:
        """Return the number of records."""
        return super().count() if self._is_saved() else self._batch.count()

    def isEmpty(self) -> bool:
        """Return whether there are no records."""
        return super().isEmpty() if self._is_saved() else self._batch.isEmpty()

    def _is_saved(self) -> bool:
        return self.is_cached or self.is_checkpointed


class KafkaDStream(DStream):
    """A direct stream: its own ``foreachRDD`` and ``transform`` give RDDs that know their offsets.

    Mirrors ``pyspark.streaming.kafka.KafkaDStream`` of Spark 2.4.
    """

    def foreachRDD(self, func: Callable[..., Any]) -> None:
        """Call a function with each batch's RDD, a KafkaRDD.

        Parameters
        ----------
        func : callable
            ``func(rdd)`` or ``func(time, rdd)``; runs in the driver, in the user's process

        Raises
        ------
        TypeError
            if it cannot be called
        """
        super().foreachRDD(_with_offsets(self._node, with_time(func, "foreachRDD")))

    def _transform(self, func: Callable[[datetime, RDD[Any]], RDD[Any]]) -> KafkaTransformedDStream:
        return KafkaTransformedDStream(self, func)


class KafkaTransformedDStream(TransformedDStream):
    """What ``transform`` of a direct stream returns.

    Mirrors ``pyspark.streaming.kafka.KafkaTransformedDStream`` of Spark 2.4.

    Parameters
    ----------
    prev : DStream
        the direct stream
    func : callable
        ``func(time, rdd)`` to an RDD; it gets KafkaRDDs
    """

    def __init__(self, prev: DStream, func: Callable[[datetime, RDD[Any]], RDD[Any]]) -> None:
        super().__init__(prev, _with_offsets(prev._node, func))


def _with_offsets(node: Node, func: Callable[..., Any]) -> Callable[..., Any]:
    """Return an RDD function that gives another one KafkaRDDs."""
    while not isinstance(node, SourceNode):
        node = node.parents[0]
    assert isinstance(node.source, DirectSource)
    offsets = node.source.offsets

    def call(time: datetime, rdd: RDD[Any]) -> Any:
        ranges = offsets.of(round(time.timestamp() * 1000))
        return func(time, _BatchRDD(rdd, [OffsetRange(*part) for part in ranges]))

    return call


# Saved graphs have it by this name.
_kafka_rdd = _BatchRDD


class KafkaUtils:
    """Makes streams and RDDs of Kafka's records.

    Mirrors ``pyspark.streaming.kafka.KafkaUtils`` of Spark 2.4. The brokers must be of version
    0.11 or later, and Spark's Kafka connector on the classpath.
    """

    _get_helper = no_java("KafkaUtils._get_helper")
    _printErrorMsg = no_java("KafkaUtils._printErrorMsg")

    @staticmethod
    def createStream(
        ssc: StreamingContext,
        zkQuorum: str,
        groupId: str,
        topics: dict[str, int],
        kafkaParams: dict[str, Any] | None = None,
        storageLevel: StorageLevel = StorageLevel.MEMORY_AND_DISK_2,
        keyDecoder: Decoder = utf8_decoder,
        valueDecoder: Decoder = utf8_decoder,
    ) -> DStream:
        """Return a stream of (key, value) of a consumer group.

        It starts where the group stands, else by ``auto.offset.reset``, and stores in Kafka where
        the group stands after each micro-batch. Streams of one group share its partitions.

        Parameters
        ----------
        ssc : StreamingContext
            where it runs
        zkQuorum : str
            asked once where the group stood, with
            ``spark.streaming.compat.kafka.offsetsFromZooKeeper=true``; the brokers come from
            ``bootstrap.servers`` in ``kafkaParams``, the setting
            ``spark.streaming.compat.kafka.bootstrap.servers`` or the environment variable
            ``DSTREAM_COMPAT_KAFKA_BOOTSTRAP_SERVERS``
        groupId : str
            the consumer group
        topics : dict
            topics to numbers of threads, which have no effect
        kafkaParams : dict, optional
            configuration of the consumers
        storageLevel : StorageLevel
            has no effect
        keyDecoder, valueDecoder : callable
            bytes or None to an object

        Returns
        -------
        DStream

        Raises
        ------
        TypeError
            if ``topics`` is not a dict, or a value of ``kafkaParams`` is not a text
        UnsupportedSourceError
            if nothing names the brokers, or the connector is missing
        """
        if not isinstance(topics, dict):
            raise TypeError("topics should be dict")
        source, decode = kafka_define.receiver(
            ssc._sc, zkQuorum, groupId, list(topics), kafkaParams or {}, keyDecoder, valueDecoder
        )
        stream = ssc._source(source)
        return stream if decode is None else stream.map(decode)

    @staticmethod
    def createDirectStream(
        ssc: StreamingContext,
        topics: list[str],
        kafkaParams: dict[str, Any],
        fromOffsets: dict[TopicAndPartition, int] | str | None = None,
        keyDecoder: Decoder = utf8_decoder,
        valueDecoder: Decoder = utf8_decoder,
        messageHandler: Callable[[KafkaMessageAndMetadata], Any] | None = None,
    ) -> KafkaDStream:
        """Return a stream of (key, value) whose batches have a partition for each of Kafka's.

        Parameters
        ----------
        ssc : StreamingContext
            where it runs
        topics : list of str
            what to read
        kafkaParams : dict
            configuration of the consumers, among it ``metadata.broker.list`` or
            ``bootstrap.servers``
        fromOffsets : dict or str, optional
            TopicAndPartition to the offset to start from, where other partitions are not read; or
            ``"group"``, which starts where the consumer group of ``group.id`` stands; or
            ``"zookeeper"``, which starts where it stands by the ZooKeeper of ``zookeeper.connect``
        keyDecoder, valueDecoder : callable
            bytes or None to an object
        messageHandler : callable, optional
            KafkaMessageAndMetadata to what the stream has instead of (key, value)

        Returns
        -------
        KafkaDStream

        Raises
        ------
        TypeError
            if ``topics`` is not a list, or ``kafkaParams`` not a dict of texts
        ValueError
            if no broker is named, a topic does not exist, ``fromOffsets`` has other topics, or
            ZooKeeper has no offsets of the group
        ConnectionError
            if the brokers, or ZooKeeper, do not answer
        UnsupportedSourceError
            if the connector is missing
        """
        if not isinstance(topics, list):
            raise TypeError("topics should be list")
        if not isinstance(kafkaParams, dict):
            raise TypeError("kafkaParams should be dict")
        starts: dict[tuple[str, int], int] | str
        if not isinstance(fromOffsets, str):
            starts = {(p._topic, p._partition): int(o) for p, o in (fromOffsets or {}).items()}
        elif fromOffsets in (kafka_define.GROUP, kafka_define.FROM_ZOOKEEPER):
            starts = fromOffsets
        else:
            raise ValueError(
                f'fromOffsets={fromOffsets!r} is neither a dict nor "group" nor "zookeeper"'
            )
        handler = messageHandler and message_handler(messageHandler, keyDecoder, valueDecoder)
        source, decode = kafka_define.direct(
            ssc._sc, topics, kafkaParams, starts, keyDecoder, valueDecoder, handler
        )
        stream = ssc._source(source)
        return KafkaDStream((stream if decode is None else stream.map(decode))._node, ssc)

    @staticmethod
    def createRDD(
        sc: SparkContext,
        kafkaParams: dict[str, Any],
        offsetRanges: list[OffsetRange],
        leaders: dict[TopicAndPartition, Broker] | None = None,
        keyDecoder: Decoder = utf8_decoder,
        valueDecoder: Decoder = utf8_decoder,
        messageHandler: Callable[[KafkaMessageAndMetadata], Any] | None = None,
    ) -> KafkaRDD:
        """Return an RDD of the (key, value) of ranges of offsets.

        Parameters
        ----------
        sc : SparkContext
            where to read
        kafkaParams : dict
            configuration of consumers: ``metadata.broker.list`` or ``bootstrap.servers``, others
        offsetRanges : list of OffsetRange
            what to read
        leaders : dict, optional
            has no effect: Kafka says who leads
        keyDecoder, valueDecoder, messageHandler : callable
            see ``createDirectStream``

        Returns
        -------
        KafkaRDD

        Raises
        ------
        TypeError
            if ``offsetRanges`` is not a list, or ``kafkaParams`` not a dict of texts
        """
        if not isinstance(kafkaParams, dict):
            raise TypeError("kafkaParams should be dict")
        if not isinstance(offsetRanges, list):
            raise TypeError("offsetRanges should be list")
        handler = messageHandler and message_handler(messageHandler, keyDecoder, valueDecoder)
        ranges = [(o.topic, o.partition, o.fromOffset, o.untilOffset) for o in offsetRanges]
        rdd = kafka_define.batch(sc, kafkaParams, ranges, keyDecoder, valueDecoder, handler)
        return _BatchRDD(rdd, offsetRanges)
