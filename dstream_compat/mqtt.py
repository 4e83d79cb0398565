"""The names of ``pyspark.streaming.mqtt``, of Spark 1.x and of Apache Bahir."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pyspark import StorageLevel

from .source.kafka.records import utf8_decoder
from .source.receivers.mqtt import BYTES, PAIRS, TEXT, MQTTSource, client_library

if TYPE_CHECKING:
    from .context import StreamingContext
    from .dstream import DStream

__all__ = ["MQTTUtils", "utf8_decoder"]


class MQTTUtils:
    """Makes streams of the messages that an MQTT broker delivers."""

    @staticmethod
    def createStream(
        ssc: StreamingContext,
        brokerUrl: str,
        topic: str,
        storageLevel: StorageLevel = StorageLevel.MEMORY_AND_DISK_2,
    ) -> DStream:
        """Return a stream of the messages of a topic, as text.

        Parameters
        ----------
        ssc : StreamingContext
            where the stream belongs
        brokerUrl : str
            ``tcp://host:port`` or ``ssl://host:port``
        topic : str
            a filter with wildcards, too
        storageLevel : StorageLevel
            has no effect

        Returns
        -------
        DStream

        Raises
        ------
        MissingDependencyError
            if paho-mqtt is not installed
        ValueError
            if the URL is of another kind
        """
        return _stream(ssc, "createStream", brokerUrl, (topic,), TEXT)

    @staticmethod
    def createPairedStream(
        ssc: StreamingContext,
        brokerUrl: str,
        topics: Sequence[str],
        storageLevel: StorageLevel = StorageLevel.MEMORY_AND_DISK_2,
    ) -> DStream:
        """Return a stream of (topic, message) of several topics.

        Parameters
        ----------
        ssc : StreamingContext
            where the stream belongs
        brokerUrl : str
            ``tcp://host:port`` or ``ssl://host:port``
        topics : list of str
            filters with wildcards, too
        storageLevel : StorageLevel
            has no effect

        Returns
        -------
        DStream

        Raises
        ------
        MissingDependencyError
            if paho-mqtt is not installed
        ValueError
            if the URL is of another kind, or there is no topic
        """
        if isinstance(topics, str) or not topics:
            raise ValueError(f"createPairedStream needs a list of topics, not {topics!r}")
        return _stream(ssc, "createPairedStream", brokerUrl, topics, PAIRS)

    @staticmethod
    def createPickleStream(
        ssc: StreamingContext,
        brokerUrl: str,
        topic: str,
        storageLevel: StorageLevel = StorageLevel.MEMORY_AND_DISK_2,
    ) -> DStream:
        """Return a stream of the objects whose pickles are the messages of a topic.

        Parameters
        ----------
        ssc : StreamingContext
            where the stream belongs
        brokerUrl : str
            ``tcp://host:port`` or ``ssl://host:port``; whoever may publish there can run code here
        topic : str
            a filter with wildcards, too
        storageLevel : StorageLevel
            has no effect

        Returns
        -------
        DStream

        Raises
        ------
        MissingDependencyError
            if paho-mqtt is not installed
        ValueError
            if the URL is of another kind
        """
        return _stream(ssc, "createPickleStream", brokerUrl, (topic,), BYTES).map(pickle.loads)


def _stream(
    ssc: StreamingContext, name: str, url: str, topics: Sequence[Any], elements: str
) -> DStream:
    client_library()
    label = f"MQTTUtils.{name}({url}, {', '.join(map(str, topics))})"
    partitions = ssc.sparkContext.defaultParallelism
    return ssc._source(MQTTSource(label, url, topics, elements, partitions))
