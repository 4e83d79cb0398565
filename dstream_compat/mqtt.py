"""The names of ``pyspark.streaming.mqtt`` of Spark 1.x, and of the ``mqtt.py`` of Apache Bahir.

User name and password are those of Bahir's Scala API. Copies of ``mqtt.py`` have them, too, by
position, before or behind the storage level.
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pyspark import StorageLevel

from .source.kafka.records import utf8_decoder
from .source.receivers.mqtt import BYTES, PAIRS, TEXT, MQTTSource
from .source.receivers.mqtt_connection import client_library
from .wire.secret import Secret

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
        *places: StorageLevel | str,
        storageLevel: StorageLevel | None = None,
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
        places : StorageLevel or str
            the storage level, or username and password before or behind it
        storageLevel : StorageLevel, optional
            has no effect
        username, password : str, optional
            for a broker that asks for them; a checkpoint has the password's value unless an
            environment variable gives it, see the page Security

        Returns
        -------
        DStream

        Raises
        ------
        MissingDependencyError
            if paho-mqtt is not installed
        TypeError
            if what stands behind the topic is something else
        ValueError
            if the URL is of another kind, or there is a password without a username
        """
        login = _login("createStream", places, storageLevel, username, password)
        return _stream(ssc, "createStream", brokerUrl, (topic,), TEXT, login)

    @staticmethod
    def createPairedStream(
        ssc: StreamingContext,
        brokerUrl: str,
        topics: Sequence[str],
        *places: StorageLevel | str,
        storageLevel: StorageLevel | None = None,
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
        places : StorageLevel or str
            the storage level, or username and password before or behind it
        storageLevel : StorageLevel, optional
            has no effect
        username, password : str, optional
            for a broker that asks for them; a checkpoint has the password's value unless an
            environment variable gives it, see the page Security

        Returns
        -------
        DStream

        Raises
        ------
        MissingDependencyError
            if paho-mqtt is not installed
        TypeError
            if what stands behind the topic is something else
        ValueError
            if the URL is of another kind, there is no topic, or a password without a username
        """
        if isinstance(topics, str) or not topics:
            raise ValueError(f"createPairedStream needs a list of topics, not {topics!r}")
        login = _login("createPairedStream", places, storageLevel, username, password)
        return _stream(ssc, "createPairedStream", brokerUrl, topics, PAIRS, login)

    @staticmethod
    def createPickleStream(
        ssc: StreamingContext,
        brokerUrl: str,
        topic: str,
        *places: StorageLevel | str,
        storageLevel: StorageLevel | None = None,
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
        places : StorageLevel or str
            the storage level, or username and password before or behind it
        storageLevel : StorageLevel, optional
            has no effect
        username, password : str, optional
            for a broker that asks for them; a checkpoint has the password's value unless an
            environment variable gives it, see the page Security

        Returns
        -------
        DStream

        Raises
        ------
        MissingDependencyError
            if paho-mqtt is not installed
        TypeError
            if what stands behind the topic is something else
        ValueError
            if the URL is of another kind, or there is a password without a username
        """
        login = _login("createPickleStream", places, storageLevel, username, password)
        stream = _stream(ssc, "createPickleStream", brokerUrl, (topic,), BYTES, login)
        return stream.map(pickle.loads)


def _login(
    name: str,
    places: Sequence[StorageLevel | str],
    level: StorageLevel | None,
    username: str | None,
    password: str | None,
) -> tuple[str, str | None] | None:
    """Return user name and password, by name or by position; None where a copy has none, or ``""``.

    Parameters
    ----------
    name : str
        of the function
    places : sequence
        what stands behind the topic
    level, username, password : optional
        what was given by name
    """
    levels = [value for value in places if isinstance(value, StorageLevel)]
    others = [value for value in places if not isinstance(value, StorageLevel)]
    named = {"storageLevel": level, "username": username, "password": password}
    beside = [f"{key}=" for key, value in named.items() if value is not None]
    between = len(places) == 3 and isinstance(places[1], StorageLevel)
    login = [*others, *(value for value in (username, password) if value is not None)]
    by_place = len(login) == 2 and username is None and all(isinstance(v, str) for v in login)
    if len(levels) + (level is not None) > 1 or between or (others and not by_place):
        kinds = ", ".join(type(value).__name__ for value in places)  # one may be the password
        also = f" beside {' and '.join(beside)}" if beside else ""
        raise TypeError(
            f"{name} takes a StorageLevel, or a username and a password, or all three behind the "
            f"topic, not ({kinds}){also}; name them: username=..., password=..."
        )
    if others:
        username, password = login if any(login) else (None, None)
    if password is not None and username is None:
        raise ValueError(f"{name} has a password, but no username")
    if username is None:
        return None
    return username, None if password is None else Secret(password, f"the password of {name}")


def _stream(
    ssc: StreamingContext,
    name: str,
    url: str,
    topics: Sequence[Any],
    elements: str,
    login: tuple[str, str | None] | None,
) -> DStream:
    client_library()
    label = f"MQTTUtils.{name}({url}, {', '.join(map(str, topics))})"
    partitions = ssc.sparkContext.defaultParallelism
    return ssc._source(MQTTSource(label, url, tuple(topics), elements, partitions, login))
