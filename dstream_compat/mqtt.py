"""The names of ``pyspark.streaming.mqtt`` of Spark 1.x, and of the ``mqtt.py`` of Apache Bahir.

User name and password are those of Bahir's Scala API; copies of ``mqtt.py`` have them, too.
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pyspark import StorageLevel

from .source.kafka.records import utf8_decoder
from .source.receivers.mqtt import BYTES, PAIRS, TEXT, MQTTSource
from .source.receivers.mqtt_connection import client_library

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
        *,
        username: str | None = None,
        password: str | None = None,
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
        username, password : str, optional
            for a broker that asks for them; a checkpoint keeps them

        Returns
        -------
        DStream

        Raises
        ------
        MissingDependencyError
            if paho-mqtt is not installed
        ValueError
            if the URL is of another kind, or there is a password without a username
        """
        return _stream(ssc, "createStream", brokerUrl, (topic,), TEXT, username, password)

    @staticmethod
    def createPairedStream(
        ssc: StreamingContext,
        brokerUrl: str,
        topics: Sequence[str],
        storageLevel: StorageLevel = StorageLevel.MEMORY_AND_DISK_2,
        *,
        username: str | None = None,
        password: str | None = None,
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
        username, password : str, optional
            for a broker that asks for them; a checkpoint keeps them

        Returns
        -------
        DStream

        Raises
        ------
        MissingDependencyError
            if paho-mqtt is not installed
        ValueError
            if the URL is of another kind, there is no topic, or a password without a username
        """
        if isinstance(topics, str) or not topics:
            raise ValueError(f"createPairedStream needs a list of topics, not {topics!r}")
        return _stream(ssc, "createPairedStream", brokerUrl, topics, PAIRS, username, password)

    @staticmethod
    def createPickleStream(
        ssc: StreamingContext,
        brokerUrl: str,
        topic: str,
        storageLevel: StorageLevel = StorageLevel.MEMORY_AND_DISK_2,
        *,
        username: str | None = None,
        password: str | None = None,
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
        username, password : str, optional
            for a broker that asks for them; a checkpoint keeps them

        Returns
        -------
        DStream

        Raises
        ------
        MissingDependencyError
            if paho-mqtt is not installed
        ValueError
            if the URL is of another kind, or there is a password without a username
        """
        stream = _stream(ssc, "createPickleStream", brokerUrl, (topic,), BYTES, username, password)
        return stream.map(pickle.loads)


def _stream(
    ssc: StreamingContext,
    name: str,
    url: str,
    topics: Sequence[Any],
    elements: str,
    username: str | None,
    password: str | None,
) -> DStream:
    client_library()
    label = f"MQTTUtils.{name}({url}, {', '.join(map(str, topics))})"
    if password is not None and username is None:
        raise ValueError(f"{name} has a password, but no username")
    login = None if username is None else (username, password)
    partitions = ssc.sparkContext.defaultParallelism
    return ssc._source(MQTTSource(label, url, tuple(topics), elements, partitions, login))
