"""Asks Kafka for topics and offsets, by the Java consumer of Spark's connector."""

from __future__ import annotations

import logging
import threading
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

from py4j.protocol import Py4JJavaError
from pyspark import SparkContext

from ...exceptions import UnsupportedSourceError
from ...spark.java import JVM_ERRORS
from .connector import connector_package
from .params import EARLIEST

_LOG = logging.getLogger("dstream_compat")
_DESERIALIZER: Final = "org.apache.kafka.common.serialization.ByteArrayDeserializer"
_PROVIDER: Final = "org.apache.spark.sql.kafka010.KafkaSourceProvider"
_TIMEOUT_MS: Final = 20_000

TopicPartition = tuple[str, int]


def require_connector(sc: SparkContext, what: str) -> None:
    """Check that Spark's Kafka connector is there.

    Parameters
    ----------
    sc : SparkContext
        the user's context
    what : str
        what needs it

    Raises
    ------
    UnsupportedSourceError
        with the option that adds it
    """
    jvm: Any = sc._jvm
    try:
        jvm.java.lang.Class.forName(
            _PROVIDER, True, jvm.java.lang.Thread.currentThread().getContextClassLoader()
        )
    except Py4JJavaError as error:
        package = connector_package(sc.version)
        raise UnsupportedSourceError(
            what,
            "Spark's Kafka connector is not on the classpath of this SparkContext, and cannot be "
            "added to one that runs",
            f"Start with: spark-submit --packages {package} (or the setting spark.jars.packages); "
            "`python -m dstream_compat run` and `submit` add it if the script, or a module beside "
            "it that it imports, names pyspark.streaming.kafka",
        ) from error


def consumer_names(sc: SparkContext) -> set[str]:
    """Return the names of the parameters that Kafka consumers of today know."""
    jvm: Any = sc._jvm
    return set(jvm.org.apache.kafka.clients.consumer.ConsumerConfig.configNames())


class KafkaClient:
    """A consumer that reads no records; one thread at a time uses it.

    Parameters
    ----------
    sc : SparkContext
        whose JVM it lives in
    options : mapping
        configuration of the consumer

    Raises
    ------
    ConnectionError
        from every method, if the brokers do not answer
    """

    def __init__(self, sc: SparkContext, options: Mapping[str, str]) -> None:
        jvm: Any = sc._jvm
        self._jvm = jvm
        self._servers = options["bootstrap.servers"]
        config = jvm.java.util.HashMap()
        config.put("default.api.timeout.ms", str(_TIMEOUT_MS))
        for name, value in options.items():
            config.put(name, value)
        for name in ("key.deserializer", "value.deserializer"):
            config.put(name, _DESERIALIZER)
        config.put("enable.auto.commit", "false")
        self._lock = threading.Lock()
        try:
            self._consumer = jvm.org.apache.kafka.clients.consumer.KafkaConsumer(config)
        except Py4JJavaError as error:
            raise self._connection_error(error) from error

    def __enter__(self) -> KafkaClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def partitions(self, topics: Iterable[str]) -> list[TopicPartition]:
        """Return the partitions of topics.

        Raises
        ------
        ValueError
            if a topic does not exist
        """
        pairs: list[TopicPartition] = []
        for topic in topics:
            infos = self._call(lambda topic=topic: self._consumer.partitionsFor(topic))
            if not infos:
                raise ValueError(
                    f"Kafka at {self._servers} has no topic {topic!r}: create it, or correct "
                    "the name"
                )
            pairs += [(topic, int(info.partition())) for info in infos]
        return sorted(pairs)

    def earliest(self, partitions: Collection[TopicPartition]) -> dict[TopicPartition, int]:
        """Return the first offset of each partition."""
        return self._offsets("beginningOffsets", partitions)

    def latest(self, partitions: Collection[TopicPartition]) -> dict[TopicPartition, int]:
        """Return the offset behind the last record of each partition."""
        return self._offsets("endOffsets", partitions)

    def committed_offsets(
        self, partitions: Collection[TopicPartition]
    ) -> dict[TopicPartition, int]:
        """Return where the consumer group stands, in partitions where it ever was."""
        java_partitions = self._jvm.java.util.HashSet(self._java(partitions))
        offsets = self._call(lambda: self._consumer.committed(java_partitions))
        return {
            (entry.getKey().topic(), int(entry.getKey().partition())): int(
                entry.getValue().offset()
            )
            for entry in offsets.entrySet()
            if entry.getValue() is not None
        }

    def commit(self, offsets: Mapping[TopicPartition, int]) -> None:
        """Store where the consumer group stands."""
        consumer = self._jvm.org.apache.kafka.clients.consumer
        java_offsets = self._jvm.java.util.HashMap()
        for partition, java in zip(offsets, self._java(offsets), strict=True):
            java_offsets.put(java, consumer.OffsetAndMetadata(offsets[partition]))
        self._call(lambda: self._consumer.commitSync(java_offsets))

    def close(self) -> None:
        """Free the connections, if they are still there."""
        with self._lock:
            try:
                self._consumer.close()
            except JVM_ERRORS as error:
                _LOG.debug("a consumer of %s was not closed: %s", self._servers, error)

    def _offsets(
        self, method: str, partitions: Collection[TopicPartition]
    ) -> dict[TopicPartition, int]:
        java = self._java(partitions)
        offsets = self._call(lambda: getattr(self._consumer, method)(java))
        return {
            (entry.getKey().topic(), int(entry.getKey().partition())): int(entry.getValue())
            for entry in offsets.entrySet()
        }

    def _java(self, partitions: Iterable[TopicPartition]) -> Any:
        java_list = self._jvm.java.util.ArrayList()
        for topic, partition in partitions:
            java_list.add(self._jvm.org.apache.kafka.common.TopicPartition(topic, partition))
        return java_list

    def _call(self, call: Any) -> Any:
        with self._lock:
            try:
                return call()
            except Py4JJavaError as error:
                raise self._connection_error(error) from error

    def _connection_error(self, error: Py4JJavaError) -> ConnectionError:
        reason = str(error.java_exception)
        cause = error.java_exception.getCause()
        if cause is not None:
            reason = f"{reason}: {cause}"
        return ConnectionError(f"Kafka at {self._servers}: {reason}")


def group_offsets(
    client: KafkaClient,
    label: str,
    partitions: Collection[TopicPartition],
    reset: str,
    stored: Mapping[TopicPartition, int] | None = None,
) -> dict[TopicPartition, int]:
    """Return where a consumer group stands in partitions of topics.

    Parameters
    ----------
    client : KafkaClient
        a consumer of the group
    label : str
        the stream, for warnings
    partitions : collection of (str, int)
        topics and partitions
    reset : str
        ``earliest`` or ``latest``, where the group has no offset, or one that Kafka has not
    stored : mapping, optional
        where it stands, if not Kafka says so
    """
    earliest, latest = client.earliest(partitions), client.latest(partitions)
    start = earliest if reset == EARLIEST else latest
    stands = client.committed_offsets(partitions) if stored is None else stored
    for place, offset in stands.items():
        if place not in earliest:
            _LOG.warning("%s: Kafka has no partition %s-%d any more", label, *place)
        elif earliest[place] <= offset <= latest[place]:
            start[place] = offset
        else:
            _LOG.warning(
                "%s: the group's offset %d of %s-%d is not in Kafka any more; starting "
                "at the %s one",
                label,
                offset,
                *place,
                reset,
            )
    return start
