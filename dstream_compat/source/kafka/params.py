"""Translates parameters of old Kafka consumers to options of Spark's Kafka source."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Collection, Mapping
from typing import Any, Final

from pyspark import SparkContext

from ...exceptions import UnsupportedSourceError
from ...settings import KAFKA_BROKERS
from ...spark.conf import conf_of
from ...wire.secret import Secret
from ...wire.secret_names import is_secret_name

_LOG = logging.getLogger("dstream_compat")

BROKERS_VARIABLE: Final = "DSTREAM_COMPAT_KAFKA_BOOTSTRAP_SERVERS"
ZOOKEEPER: Final = "zookeeper.connect"

EARLIEST: Final = "earliest"
LATEST: Final = "latest"

_SERVERS: Final = "bootstrap.servers"
_CALL_TIMEOUT: Final = "default.api.timeout.ms"
_REQUEST_MS: Final = 30_000
"""Default of ``request.timeout.ms``; Kafka's admin client refuses calls that may take less."""
_RESETS: Final = {
    "smallest": EARLIEST,
    "earliest": EARLIEST,
    "largest": LATEST,
    "latest": LATEST,
}
_FETCHED: Final = {"max.partition.fetch.bytes": str(8 << 20), "max.poll.records": "5000"}
"""Kafka's own 1 MiB and 500 records are for consumers of many partitions, which handle a few
records and come back; Spark's read one partition each, to the end of their range."""
_RENAMED: Final = {
    "fetch.message.max.bytes": "max.partition.fetch.bytes",
    "fetch.wait.max.ms": "fetch.max.wait.ms",
    "socket.receive.buffer.bytes": "receive.buffer.bytes",
}
_READ_HERE: Final = frozenset((_SERVERS, "metadata.broker.list", "auto.offset.reset"))
_SPARKS: Final = frozenset(
    (
        "enable.auto.commit",
        "interceptor.classes",
        "key.deserializer",
        "value.deserializer",
    )
)
"""Parameters of today's consumers that Spark's Kafka source sets itself."""


def brokers(params: Mapping[str, Any]) -> str | None:
    """Return the brokers' addresses that parameters name, or None."""
    return params.get("metadata.broker.list") or params.get(_SERVERS)


def brokers_of_receiver(sc: SparkContext, params: Mapping[str, Any], quorum: str) -> str:
    """Return the brokers' addresses of a stream that names ZooKeeper only.

    Parameters
    ----------
    sc : SparkContext
        whose settings may name them
    params : mapping
        ``kafkaParams``, which may name them
    quorum : str
        the ZooKeeper address, for the error

    Raises
    ------
    UnsupportedSourceError
        if they are named nowhere
    """
    addresses = (
        brokers(params) or KAFKA_BROKERS.read(conf_of(sc)) or os.environ.get(BROKERS_VARIABLE)
    )
    if not addresses:
        raise UnsupportedSourceError(
            f"KafkaUtils.createStream(zkQuorum={quorum!r})",
            "Kafka's brokers are no longer found through ZooKeeper, and nothing names them",
            f"Set {KAFKA_BROKERS} (spark-submit --conf), the environment variable "
            f"{BROKERS_VARIABLE}, or 'bootstrap.servers' in kafkaParams to host:port,host:port",
        )
    return str(addresses)


def offset_reset(params: Mapping[str, Any]) -> str:
    """Return ``earliest`` or ``latest``, which is the old consumers' default.

    Raises
    ------
    ValueError
        for another word
    """
    reset = str(params.get("auto.offset.reset", "largest")).lower()
    if reset not in _RESETS:
        raise ValueError(
            f"auto.offset.reset must be smallest, largest, earliest or latest, not {reset!r}"
        )
    return _RESETS[reset]


def consumer_options(
    params: Mapping[str, Any], servers: str, supported: Collection[str], label: str
) -> dict[str, str]:
    """Return what a Kafka consumer of today is configured with.

    Parameters
    ----------
    params : mapping
        ``kafkaParams``
    servers : str
        addresses of the brokers
    supported : collection of str
        names that today's consumers know
    label : str
        the stream, for warnings: each parameter that is not used is named
    """
    options = {_SERVERS: servers}
    unused = []
    for name, value in params.items():
        name = _RENAMED.get(name, name)
        if name in _READ_HERE:
            continue
        if name in supported and name not in _SPARKS:
            secret = is_secret_name(name)
            options[name] = Secret(value, f"{name} of {label}") if secret else value
        else:
            unused.append(name)
    if unused:
        _LOG.warning(
            "%s: the Kafka parameters %s are ignored: Spark's Kafka source sets them itself, or "
            "current Kafka consumers do not know them",
            label,
            ", ".join(sorted(unused)),
        )
    return options


def source_options(consumer: Mapping[str, str]) -> dict[str, str]:
    """Return a consumer's configuration as options of Spark's Kafka source.

    How long a call may take is only passed on if Spark's own client for offsets accepts it. Sizes
    of answers that the user does not give are chosen for one partition at a time.
    """
    values = {**_FETCHED, **consumer}
    least = int(values.get("request.timeout.ms", _REQUEST_MS))
    if int(values.get(_CALL_TIMEOUT, least)) < least:
        del values[_CALL_TIMEOUT]
    return {f"kafka.{name}": value for name, value in values.items()}


def offsets_json(offsets: Mapping[tuple[str, int], int]) -> str:
    """Return offsets as Spark's Kafka source reads them."""
    nested: dict[str, dict[str, int]] = {}
    for (topic, partition), offset in sorted(offsets.items()):
        nested.setdefault(topic, {})[str(partition)] = offset
    return json.dumps(nested)


def partitions_json(partitions: Collection[tuple[str, int]]) -> str:
    """Return topics with partitions as Spark's Kafka source reads them (``assign``)."""
    nested: dict[str, list[int]] = {}
    for topic, partition in sorted(partitions):
        nested.setdefault(topic, []).append(partition)
    return json.dumps(nested)


def parse_offsets(text: str) -> dict[tuple[str, int], int]:
    """Return the offsets of a JSON text of Spark's Kafka source."""
    nested: dict[str, dict[str, int]] = json.loads(text)
    return {
        (topic, int(partition)): offset
        for topic, partitions in nested.items()
        for partition, offset in partitions.items()
    }
