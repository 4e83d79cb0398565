"""Reads a live topic of Kafka, without a consumer group: no group of a job is moved."""

from __future__ import annotations

import importlib
import logging
import time
from pathlib import Path
from typing import Any

from migrator.errors import MigrateError

INSTALL = "pip install 'dstream-compat[record]'"
_CONNECT_SECONDS = 10.0
_READ_SECONDS = 30.0
_POLL_MS = 200
_METADATA_MS = 10_000
# what would move a group, or change what a record is
_OWN = frozenset(
    (
        "bootstrap_servers",
        "bootstrap_timeout_ms",
        "group_id",
        "enable_auto_commit",
        "allow_auto_create_topics",
        "auto_offset_reset",
        "metadata_max_age_ms",
        "key_deserializer",
        "value_deserializer",
    )
)


class Topic:
    """The records of a topic from now on; a batch has what Kafka has when its interval ends.

    Parameters
    ----------
    servers : str
        Addresses of brokers, ``HOST:PORT`` with commas between them.
    settings : dict of str to str, optional
        More settings of the consumer, with the names of Kafka or of kafka-python.
    """

    def __init__(self, servers: str, topic: str, settings: dict[str, str] | None = None) -> None:
        self.name = f"kafka:{topic}"
        self.problem = ""
        # records that are no text are kept as bytes
        self.broken = 0
        self.left_out: list[str] = []
        self._servers = servers
        self._topic = topic
        self._settings = settings or {}
        self._consumer: Any = None
        self._kafka: Any = None
        # read when it was closed, for the last call of `take`
        self._rest: list[Any] = []

    def open(self) -> None:
        """Connect, and note where each partition ends: only what comes later counts.

        Raises
        ------
        MigrateError
            If the client is not installed, no broker answers, or there is no such topic.
        """
        try:
            self._kafka = importlib.import_module("kafka")
        except ImportError as error:
            raise MigrateError(f"Kafka is read with kafka-python: {INSTALL}") from error
        # what it logs of brokers that do not answer is said by `problem`
        logging.getLogger("kafka").addHandler(logging.NullHandler())
        logging.getLogger("kafka").propagate = False
        try:
            self._connect()
        except (self._kafka.errors.KafkaError, OSError, ValueError, AssertionError) as error:
            # the last ones are of settings, such as a certificate that is not there
            self._disconnect()
            raise MigrateError(
                f"cannot read Kafka at {self._servers}: {error}; name brokers that answer as "
                "HOST:PORT, and settings that they need, such as security.protocol, with "
                "--kafka-config"
            ) from error
        except MigrateError:
            self._disconnect()
            raise

    def take(self) -> list[Any]:
        """Return the records of Kafka that were not taken before, as pairs of key and value."""
        if self._consumer is None:
            lines, self._rest = self._rest, []
            return lines
        return self._read()

    def close(self) -> None:
        """Read what Kafka has by now, and disconnect."""
        if self._consumer is not None:
            self._rest = self._read()
            self._disconnect()

    def _connect(self) -> None:
        self._consumer = self._kafka.KafkaConsumer(
            bootstrap_servers=self._servers.split(","),
            group_id=None,
            enable_auto_commit=False,
            allow_auto_create_topics=False,
            # where Kafka has deleted what comes next
            auto_offset_reset="earliest",
            metadata_max_age_ms=_METADATA_MS,
            bootstrap_timeout_ms=int(_CONNECT_SECONDS * 1000),
            **self._consumer_settings(),
        )
        partitions = self._partitions()
        if not partitions:
            raise MigrateError(
                f"Kafka at {self._servers} has no topic {self._topic!r}, or does not show it to "
                "this user"
            )
        self._consumer.assign(partitions)
        ends = self._consumer.end_offsets(partitions, int(_CONNECT_SECONDS * 1000))
        for partition, offset in ends.items():
            self._consumer.seek(partition, offset)

    def _consumer_settings(self) -> dict[str, Any]:
        """Return the settings as the consumer takes them."""
        defaults = self._kafka.KafkaConsumer.DEFAULT_CONFIG
        settings: dict[str, Any] = {}
        for name, value in self._settings.items():
            if name not in defaults:
                raise MigrateError(f"--kafka-config: kafka-python has no setting {name}")
            settings[name] = value
            if isinstance(defaults[name], bool):
                settings[name] = value.lower() == "true"
            elif isinstance(defaults[name], int):
                if not value.isdigit():
                    raise MigrateError(f"--kafka-config: {name} is {value!r}, no whole number")
                settings[name] = int(value)
        return settings

    def _disconnect(self) -> None:
        if self._consumer is not None:
            self._consumer.close(autocommit=False, timeout_ms=1000)
            self._consumer = None

    def _partitions(self) -> list[Any]:
        numbers = self._consumer.partitions_for_topic(self._topic)
        return [self._kafka.TopicPartition(self._topic, number) for number in sorted(numbers)]

    def _read(self) -> list[Any]:
        """Read up to where the partitions end now; what cannot be read is read the next time."""
        until = time.monotonic() + _READ_SECONDS
        all_records: list[Any] = []
        self.problem = ""
        try:
            self._add_partitions()
            partitions = self._consumer.assignment()
            ends = self._consumer.end_offsets(partitions, int(_CONNECT_SECONDS * 1000))
            while self._is_behind(ends):
                if time.monotonic() > until:
                    self.problem = (
                        f"Kafka at {self._servers} gave {len(all_records)} records, not all"
                    )
                    break
                for records in self._consumer.poll(_POLL_MS).values():
                    all_records += [[_text(record.key), _text(record.value)] for record in records]
        except self._kafka.errors.KafkaError as error:
            self.problem = f"Kafka at {self._servers} does not answer: {error}"
        return all_records

    def _add_partitions(self) -> None:
        """Read partitions that the topic got meanwhile, from their beginning."""
        partitions = self._consumer.assignment()
        if new := set(self._partitions()) - partitions:
            # those that are known keep their positions
            self._consumer.assign(sorted(partitions | new))
            self._consumer.seek_to_beginning(*new)

    def _is_behind(self, ends: dict[Any, int]) -> bool:
        positions = {end: self._consumer.position(end, _POLL_MS) for end in ends}
        return any(at is None or at < ends[one] for one, at in positions.items())


def settings_of(path: Path) -> dict[str, str]:
    """Return the settings of a consumer in a file: a line for each, ``name=value``.

    Parameters
    ----------
    path : Path
        The file, such as the ``--consumer.config`` of Kafka's own tools.

    Raises
    ------
    MigrateError
        If it cannot be read, or a line is no setting that can be given.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise MigrateError(f"cannot read {path}: {error}") from error
    settings = {}
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        name, equals, value = (part.strip() for part in text.partition("="))
        name = name.replace(".", "_")
        if not equals or name in _OWN:
            what = "is set by `migrate` itself" if equals else "has no ="
            raise MigrateError(f"{path}, line {number}: {name} {what}")
        settings[name] = value
    return settings


def _text(data: bytes | None) -> str | bytes | None:
    """Return a text if the bytes are UTF-8, so that the recording can be read; else the bytes."""
    if data is None:
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data
