"""Makes sources of the arguments of KafkaUtils, and checks all that can be checked at once."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from pyspark import RDD, SparkContext
from pyspark.sql import DataFrame

from ...settings import KAFKA_FAILS_ON_LOSS, KAFKA_FROM_ZOOKEEPER
from ...spark.conf import conf_of
from ...spark.sessions import reading_session
from .client import KafkaClient, TopicPartition, consumer_names, group_offsets, require_connector
from .offsets import BatchOffsets
from .params import (
    EARLIEST,
    ZOOKEEPER,
    brokers,
    brokers_of_receiver,
    consumer_options,
    offset_reset,
    offsets_json,
    partitions_json,
    source_options,
)
from .records import Decoder, utf8_decoder
from .source import DirectSource, DirectTable, ReceiverSource, ReceiverTable
from .texts import check_params
from .zookeeper import zookeeper_offsets

_LOG = logging.getLogger("dstream_compat")
GROUP: Final = "group"
FROM_ZOOKEEPER: Final = "zookeeper"

Offsets = tuple[str, int, int, int]
"""A topic, its partition, and offsets: the first one, and the one behind the last."""

Handler = Callable[[tuple[Any, ...]], Any]


def receiver(
    sc: SparkContext,
    quorum: str,
    group: str,
    topics: Sequence[str],
    params: Mapping[str, Any],
    key: Decoder,
    value: Decoder,
) -> tuple[ReceiverSource, Handler | None]:
    """Return the source of a consumer group, and what decodes its records if it does not itself.

    Parameters
    ----------
    sc : SparkContext
        the user's context
    quorum, group, topics : str, str, sequence of str
        see ``KafkaUtils.createStream``
    params, key, value : mapping of str to object, Decoder, Decoder
        likewise
    """
    label = f"KafkaUtils.createStream({', '.join(sorted(topics))})"
    check_params(params, label)
    servers = brokers_of_receiver(sc, params, quorum)
    reset = offset_reset(params)
    require_connector(sc, label)
    own = {**_without_zookeeper(params), "group.id": group}
    consumer = consumer_options(own, servers, consumer_names(sc), label)
    if KAFKA_FROM_ZOOKEEPER.read(conf_of(sc)):
        _copy_offsets(sc, quorum, consumer, topics, label)
    decoded = key is utf8_decoder, value is utf8_decoder
    table = ReceiverTable(tuple(sorted(consumer.items())), tuple(sorted(topics)), reset, decoded)
    return ReceiverSource(table), _decoder_of(key, value, decoded)


def _copy_offsets(
    sc: SparkContext, quorum: str, consumer: Mapping[str, str], topics: Sequence[str], label: str
) -> None:
    """Let a group that was never in Kafka stand there where it stands by ZooKeeper."""
    with KafkaClient(sc, consumer) as client:
        if client.committed_offsets(client.partitions(dict.fromkeys(topics))):
            return  # it was copied before, or the group is one of Kafka's
        offsets = zookeeper_offsets(sc, quorum, consumer["group.id"], topics)
        client.commit(offsets)
    _LOG.warning(
        "%s: starting at the offsets stored in ZooKeeper: %s", label, _offsets_text(offsets)
    )


def _offsets_text(offsets: Mapping[TopicPartition, int]) -> str:
    return ", ".join(f"{topic}-{part}: {at}" for (topic, part), at in sorted(offsets.items()))


def _without_zookeeper(params: Mapping[str, Any]) -> dict[str, Any]:
    return {name: given for name, given in params.items() if name != ZOOKEEPER}


def direct(
    sc: SparkContext,
    topics: Sequence[str],
    params: Mapping[str, Any],
    starts: Mapping[TopicPartition, int] | str,
    key: Decoder,
    value: Decoder,
    handler: Handler | None,
) -> tuple[DirectSource, Handler | None]:
    """Return the source of a direct stream, and what turns its records into the user's.

    Parameters
    ----------
    sc : SparkContext
        the user's context
    topics, params, key, value : sequence of str, mapping of str to object, Decoder, Decoder
        see ``KafkaUtils.createDirectStream``
    starts : mapping or str
        ``fromOffsets``; ``GROUP`` or ``FROM_ZOOKEEPER`` begins where the consumer group stands
    handler : callable, optional
        gets (topic, partition, offset, key, value)
    """
    label = f"KafkaUtils.createDirectStream({', '.join(topics)})"
    check_params(params, label)
    reset = offset_reset(params)
    if isinstance(starts, str):
        needed = ("group.id",) if starts == GROUP else ("group.id", ZOOKEEPER)
        missing = [name for name in needed if not params.get(name)]
        if missing:
            names = " and ".join(missing)
            raise ValueError(f'{label}: fromOffsets="{starts}" needs {names} in kafkaParams')
    is_old = starts == FROM_ZOOKEEPER
    consumer = _consumer(sc, _without_zookeeper(params) if is_old else params, label)
    named = set() if isinstance(starts, str) else {topic for topic, _ in starts}
    if named and named != set(topics):
        raise ValueError(
            f"The topics {sorted(set(topics))} are not those of fromOffsets, {sorted(named)}"
        )
    start = {} if isinstance(starts, str) else dict(starts)
    if not start:
        # As with DStreams, the first batch begins where Kafka is now.
        with KafkaClient(sc, consumer) as client:
            partitions = client.partitions(dict.fromkeys(topics))
            if isinstance(starts, str):
                stored = None
                if is_old:
                    stored = zookeeper_offsets(sc, params[ZOOKEEPER], consumer["group.id"], topics)
                start = group_offsets(client, label, partitions, reset, stored)
            else:
                start = (
                    client.earliest(partitions) if reset == EARLIEST else client.latest(partitions)
                )
    alone = handler is None
    decoded = alone and key is utf8_decoder, alone and value is utf8_decoder
    table = DirectTable(label, consumer, start, bool(named), handler is not None, decoded)
    return DirectSource(table, BatchOffsets(label)), handler or _decoder_of(key, value, decoded)


def batch(
    sc: SparkContext,
    params: Mapping[str, Any],
    ranges: Sequence[tuple[str, int, int, int]],
    key: Decoder,
    value: Decoder,
    handler: Handler | None,
) -> RDD[Any]:
    """Return an RDD of ranges of offsets (topic, partition, from, until).

    Parameters
    ----------
    sc : SparkContext
        the user's context
    ranges : sequence
        a partition of a topic may come several times
    params, key, value, handler : mapping of str to object, Decoder, Decoder, Handler or None
        see ``direct``
    """
    label = "KafkaUtils.createRDD"
    check_params(params, label)
    options = source_options(_consumer(sc, params, label))
    options["failOnDataLoss"] = str(KAFKA_FAILS_ON_LOSS.read(conf_of(sc))).lower()
    rows = _rows(sc, options, ranges)

    def turn(row: Any) -> Any:
        fields = row[0], row[1], row[2], _bytes(row[3]), _bytes(row[4])
        return (key(fields[3]), value(fields[4])) if handler is None else handler(fields)

    return rows.map(turn)


def _rows(sc: SparkContext, options: Mapping[str, str], ranges: Sequence[Offsets]) -> RDD[Any]:
    """Return the rows of ranges: partition i has those of range i, as with DStreams."""
    if not ranges:
        return sc.emptyRDD()
    # Spark's newer reader says which partition reads what
    with reading_session(sc, {"spark.sql.sources.useV1SourceList": ""}) as session:

        def read(chosen: Sequence[Offsets]) -> DataFrame:
            reader = session.read.format("kafka").options(**options)
            reader = reader.option("assign", partitions_json([part[:2] for part in chosen]))
            begins = {(topic, part): begin for topic, part, begin, _ in chosen}
            ends = {(topic, part): end for topic, part, _, end in chosen}
            reader = reader.option("startingOffsets", offsets_json(begins))
            frame = reader.option("endingOffsets", offsets_json(ends)).load()
            return frame.select("topic", "partition", "offset", "key", "value")

        if len({part[:2] for part in ranges}) == len(ranges):  # as Spark can read at once
            frame = read(ranges)
            if _places(frame) == [part[:2] for part in ranges]:
                return frame.rdd
        parts = [read([part]).rdd if part[2] < part[3] else _nothing(sc) for part in ranges]
    return sc.union(parts)


def _places(frame: DataFrame) -> list[TopicPartition]:
    """Return what each partition of a DataFrame of Kafka reads; Spark leaves empty ranges out."""
    jdf: Any = frame._jdf
    tasks = jdf.queryExecution().executedPlan().collectLeaves().apply(0).inputPartitions()
    read = (tasks.apply(number).offsetRange() for number in range(tasks.size()))
    places = (part.topicPartition() for part in read)
    return [(place.topic(), int(place.partition())) for place in places]


def _nothing(sc: SparkContext) -> RDD[Any]:
    return sc.parallelize([], 1)


def _bytes(data: bytearray | bytes | None) -> bytes | None:
    return None if data is None else bytes(data)


def _consumer(sc: SparkContext, params: Mapping[str, Any], label: str) -> dict[str, str]:
    servers = brokers(params)
    if not servers:
        raise ValueError(
            f"{label}: kafkaParams must name the brokers, as metadata.broker.list or "
            "bootstrap.servers"
        )
    require_connector(sc, label)
    return consumer_options(params, str(servers), consumer_names(sc), label)


def _decoder_of(key: Decoder, value: Decoder, decoded: tuple[bool, bool]) -> Handler | None:
    """Return what the source does not decode itself."""
    if all(decoded):
        return None

    def decode(record: tuple[Any, ...]) -> Any:
        k, v = record
        return k if decoded[0] else key(k), v if decoded[1] else value(v)

    return decode
