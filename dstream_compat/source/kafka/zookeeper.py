"""Offsets that consumers of Kafka 0.8 and 0.9 kept in ZooKeeper, which are read once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from py4j.protocol import Py4JJavaError
from pyspark import SparkContext

from .client import TopicPartition

_SECONDS: Final = 20


def zookeeper_offsets(
    sc: SparkContext, servers: str, group: str, topics: Iterable[str]
) -> dict[TopicPartition, int]:
    """Return where a consumer group stands by ZooKeeper.

    Parameters
    ----------
    sc : SparkContext
        whose JVM has a client of ZooKeeper: Spark brings it
    servers : str
        ``host:port,host:port/path``, as in ``zkQuorum`` and ``zookeeper.connect``
    group : str
        the consumer group
    topics : iterable of str
        what it read

    Raises
    ------
    ConnectionError
        if ZooKeeper does not answer, or refuses
    ValueError
        if it has no offset of the group in these topics
    """
    jvm: Any = sc._jvm
    curator = jvm.org.apache.curator
    milliseconds = _SECONDS * 1000
    client = curator.framework.CuratorFrameworkFactory.newClient(
        servers, milliseconds, milliseconds, curator.retry.RetryOneTime(1000)
    )
    folder = f"/consumers/{group}/offsets"
    offsets: dict[TopicPartition, int] = {}
    try:
        client.start()
        if not client.blockUntilConnected(_SECONDS, jvm.java.util.concurrent.TimeUnit.SECONDS):
            raise ConnectionError(f"ZooKeeper at {servers} did not answer within {_SECONDS} s")
        for topic in topics:
            place = f"{folder}/{topic}"
            if client.checkExists().forPath(place) is not None:
                for part in client.getChildren().forPath(place):
                    data = bytes(client.getData().forPath(f"{place}/{part}"))
                    offsets[topic, int(part)] = int(data)
    except Py4JJavaError as error:
        raise ConnectionError(f"ZooKeeper at {servers}: {error.java_exception}") from error
    finally:
        client.close()
    if not offsets:
        raise ValueError(
            f"ZooKeeper at {servers} has no offsets of the group {group!r} in "
            f"{', '.join(topics)} ({folder}): correct the address, its path, or the group"
        )
    return offsets
