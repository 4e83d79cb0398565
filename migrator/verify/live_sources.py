"""Reads live sources: a socket that serves lines, a folder in which files appear, Kafka; and finds
those of a job by its source code and its arguments, without running it.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import logging
import os
import socket
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from dstream_compat.testing.errors import RecordingError
from dstream_compat.testing.line_files import decode_lines, lines_of_file
from migrator.discover.paths import is_within
from migrator.errors import MigrateError
from migrator.source.files import entries
from migrator.spark.signatures import argument
from migrator.verify.programs import nodes

FORMS = "socket:HOST:PORT, file:FOLDER or kafka:BROKERS/TOPIC"
_RETRY_SECONDS = 2.0
_CONNECT_SECONDS = 5.0
_INSTALL = "pip install 'dstream-compat[record]'"
_KAFKA_SECONDS = 10.0
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
_UNKNOWN = object()


class LiveSource(ABC):
    """A live source.

    Parameters
    ----------
    name : str
        Its name in recordings.

    Attributes
    ----------
    problem : str
        Why it gives nothing now, if it cannot.
    broken : int
        How many lines it has had that are not UTF-8.
    left_out : list of str
        What it has had that is not recorded, and why.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.problem = ""
        self.broken = 0
        self.left_out: list[str] = []

    @abstractmethod
    def open(self) -> None:
        """Start to read: only what comes later counts.

        Raises
        ------
        MigrateError
            If it cannot be read, such as a server that does not answer.
        """

    @abstractmethod
    def take(self) -> Any:
        """Return what has arrived since the last call, as a batch of a recording has it."""

    @abstractmethod
    def close(self) -> None:
        """End reading, where something is open."""


def source(text: str, kafka: dict[str, str] | None = None) -> LiveSource:
    """Return the source that an option names, such as ``socket:localhost:9999`` or ``file:/logs``.

    Parameters
    ----------
    kafka : dict of str to str, optional
        More settings of a consumer.

    Raises
    ------
    MigrateError
        If there is no such kind of source.
    """
    kind, _, rest = text.partition(":")
    if kind == "socket":
        host, _, port = rest.rpartition(":")
        if not host or not port.isdigit() or not 0 < int(port) < 65536:
            raise MigrateError(f"--source {text}: write socket:HOST:PORT")
        return LiveSocket(host, int(port))
    if kind == "file":
        if not rest:
            raise MigrateError(f"--source {text}: write file:FOLDER")
        if not is_within(Path(rest)):
            raise MigrateError(f"{rest} is outside of the folder in which files may be read")
        return LiveFolder(rest)
    if kind == "kafka":
        servers, _, topic = rest.rpartition("/")
        if not servers or not topic:
            raise MigrateError(
                f"--source {text}: write kafka:BROKERS/TOPIC, such as kafka:localhost:9092/words"
            )
        return Topic(servers, topic, kafka)
    raise MigrateError(
        f"--source {text}: a live source is {FORMS}; records of Kinesis and MQTT are exported to a "
        "file of batches, one JSON line for each batch (docs/verify.md)"
    )


class LiveSocket(LiveSource):
    """Lines of a server, as a receiver reads them; it connects again when the server goes away."""

    def __init__(self, host: str, port: int) -> None:
        super().__init__(f"socket:{port}")
        self._address = (host, port)
        self._lock = threading.Lock()
        self._lines: list[str] = []
        self._closed = threading.Event()
        self._connection: socket.socket | None = None
        self._thread = threading.Thread(target=self._read, args=(), daemon=True)

    def open(self) -> None:
        """Connect, and start to read."""
        try:
            self._connection = socket.create_connection(self._address, _CONNECT_SECONDS)
        except OSError as error:
            host, port = self._address
            raise MigrateError(
                f"cannot connect to {host}:{port}: {error.strerror or error}; start the server "
                "that the job reads, or name another one with --source"
            ) from error
        self._thread.start()

    def take(self) -> list[str]:
        """Return the lines that were read since the last call."""
        with self._lock:
            lines, self._lines = self._lines, []
        return lines

    def close(self) -> None:
        """Disconnect; the rest of a line without its end is a record, too."""
        self._closed.set()
        if self._connection is not None:
            with contextlib.suppress(OSError):
                # wakes the thread, which then closes it
                self._connection.shutdown(socket.SHUT_RDWR)
        if self._thread.ident is not None:
            self._thread.join()

    def _read(self) -> None:
        while not self._closed.is_set():
            if self._connection is not None:
                with self._connection as connection:
                    self._lines_of(connection)
                self._connection = None
            if not self._closed.wait(_RETRY_SECONDS):
                try:
                    self._connection = socket.create_connection(self._address, _CONNECT_SECONDS)
                    self.problem = ""
                except OSError as error:
                    host, port = self._address
                    self.problem = f"cannot connect to {host}:{port} again: {error}"

    def _lines_of(self, connection: socket.socket) -> None:
        connection.settimeout(None)
        rest = b""
        while True:
            try:
                data = connection.recv(65536)
            except OSError:
                data = b""
            if not data:
                break
            # only \n ends a line of a receiver
            *lines, rest = (rest + data).split(b"\n")
            self._add(lines)
        if rest:
            self._add([rest])

    def _add(self, lines: list[bytes]) -> None:
        texts, broken = decode_lines(lines)
        with self._lock:
            self._lines += texts
            self.broken += broken


class LiveFolder(LiveSource):
    """Files that appear in a folder by a rename, as `textFileStream` reads them."""

    def __init__(self, folder: str) -> None:
        super().__init__(f"file:{folder}")
        self._folder = Path(folder)
        self._seen: set[str] = set()

    def open(self) -> None:
        """Note what is there: only what comes later counts."""
        if not self._folder.is_dir():
            raise MigrateError(
                f"{self._folder} is no folder; make it, or name another one with --source"
            )
        self._seen = set(self._names())

    def take(self) -> dict[str, list[str]]:
        """Return the lines of the files that have appeared since the last call."""
        lines: dict[str, list[str]] = {}
        try:
            names = set(self._names())
        except OSError as error:
            self.problem = f"cannot list {self._folder}: {error.strerror or error}"
            return lines
        self.problem = ""
        for name in sorted(names - self._seen):
            self._seen.add(name)
            try:
                data = (self._folder / name).read_bytes()
            except OSError as error:
                # such as a file that a job has moved away meanwhile
                self.left_out.append(f"{name} cannot be read: {error.strerror or error}")
                continue
            try:
                lines[name], broken = lines_of_file(name, data)
                self.broken += broken
            except RecordingError as error:
                self.left_out.append(str(error))
        return lines

    def close(self) -> None:
        """Do nothing: nothing is open."""

    def _names(self) -> list[str]:
        with os.scandir(self._folder) as entries:
            # what is hidden is not read; a file that Spark would not finish is neither
            files = [entry for entry in entries if entry.is_file() and entry.name[0] not in "._"]
            return [
                file.name for file in files if not file.is_symlink() or is_within(Path(file.path))
            ]


class Topic(LiveSource):
    """The records of a topic from now on; a batch has what Kafka has when its interval ends.

    Parameters
    ----------
    servers : str
        Addresses of brokers, ``HOST:PORT`` with commas between them.
    settings : dict of str to str, optional
        More settings of the consumer, with the names of Kafka or of kafka-python.
    """

    def __init__(self, servers: str, topic: str, settings: dict[str, str] | None = None) -> None:
        # records that are no text are kept as bytes
        super().__init__(f"kafka:{topic}")
        self._servers = servers
        self._topic = topic
        self._settings = settings or {}
        self._consumer: Any = None
        self._kafka: Any = None
        # read when it was closed, for the last call of `take`
        self._rest: list[Any] = []

    def open(self) -> None:
        """Connect, and note where each partition ends: only what comes later counts."""
        try:
            self._kafka = importlib.import_module("kafka")
        except ImportError as error:
            raise MigrateError(f"Kafka is read with kafka-python: {_INSTALL}") from error
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
            bootstrap_timeout_ms=int(_KAFKA_SECONDS * 1000),
            **self._consumer_settings(),
        )
        partitions = self._partitions()
        if not partitions:
            raise MigrateError(
                f"Kafka at {self._servers} has no topic {self._topic!r}, or does not show it to "
                "this user"
            )
        self._consumer.assign(partitions)
        ends = self._consumer.end_offsets(partitions, int(_KAFKA_SECONDS * 1000))
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
            ends = self._consumer.end_offsets(partitions, int(_KAFKA_SECONDS * 1000))
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
        lines = entries(path)
    except (OSError, UnicodeDecodeError) as error:
        raise MigrateError(f"cannot read {path}: {error}") from error
    settings = {}
    for number, text in lines:
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


def sources_of(
    text: str, arguments: Sequence[str], make: Callable[[str], LiveSource] = source
) -> tuple[list[LiveSource], list[str]]:
    """Return the sources that can be recorded, and the calls whose sources cannot be told.

    Parameters
    ----------
    arguments : sequence of str
        Those that it gets.
    make : callable
        Makes a source of the text that names it.
    """
    sources: dict[str, LiveSource] = {}
    unknown = []
    values = Values(text, arguments)
    for call in values.calls():
        name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        if name not in _CALLS:
            continue
        named = _CALLS[name](values, call)
        if not named:
            unknown.append(f"{name} in line {call.lineno}")
        for live in named:
            if live not in sources:
                sources[live] = make(live)
    return list(sources.values()), unknown


def _socket(values: Values, call: ast.Call) -> list[str]:
    key = "StreamingContext.socketTextStream"
    host, port = values.argument(key, call, "hostname"), values.argument(key, call, "port")
    is_address = isinstance(host, str) and isinstance(port, int)
    return [f"socket:{host}:{port}"] if is_address else []


def _folder(values: Values, call: ast.Call) -> list[str]:
    folder = values.argument("StreamingContext.textFileStream", call, "directory")
    return [f"file:{folder}"] if isinstance(folder, str) else []


def _topic_names(values: Values, call: ast.Call) -> list[str]:
    """Return the topics of Kafka that a call reads; none if it is not clear."""
    if not isinstance(call.func, ast.Attribute) or "KafkaUtils" not in ast.unparse(call.func.value):
        return []
    key = f"KafkaUtils.{call.func.attr}"
    topics, params = values.argument(key, call, "topics"), values.argument(key, call, "kafkaParams")
    if not isinstance(topics, list | dict):
        return []
    settings = params if isinstance(params, dict) else {}
    servers = settings.get("metadata.broker.list") or settings.get("bootstrap.servers")
    if not isinstance(servers, str) or not all(isinstance(topic, str) for topic in topics):
        return []
    return [f"kafka:{servers}/{topic}" for topic in topics]


def _no_source(values: Values, call: ast.Call) -> list[str]:
    """Return None: there is no recorder of such a source."""
    return []


_CALLS: dict[str, Callable[[Values, ast.Call], list[str]]] = {
    "socketTextStream": _socket,
    "textFileStream": _folder,
    "createStream": _topic_names,
    "createDirectStream": _topic_names,
    "binaryRecordsStream": _no_source,
    "createPairedStream": _no_source,
}


def interval_of(text: str, arguments: Sequence[str]) -> float | None:
    """Return the batch interval of a job; None if it cannot be told."""
    values = Values(text, arguments)
    for call in values.calls():
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        name = call.func.attr if isinstance(call.func, ast.Attribute) else name
        if name == "StreamingContext":
            value = values.argument("StreamingContext", call, "batchDuration")
            if isinstance(value, int | float) and not isinstance(value, bool) and value > 0:
                return float(value)
    return None


class Values:
    """Evaluates the few expressions that jobs name their sources with.

    Constants, arguments of the program, `int`, `float` and `str` of them, texts that are split,
    lists and dictionaries of such values, and names that are bound once to one of these.
    """

    def __init__(self, text: str, arguments: Sequence[str]) -> None:
        self._nodes = [*nodes(text)]
        self._argv = ["job.py", *arguments]
        self._names: dict[str, Any] = {}
        for node in self._nodes:
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    self._bind(target, self.of(node.value))

    def calls(self) -> Iterator[ast.Call]:
        """Yield all calls of the program, in the order of their lines."""
        calls = [node for node in self._nodes if isinstance(node, ast.Call)]
        yield from sorted(calls, key=lambda call: (call.lineno, call.col_offset))

    def argument(self, key: str, call: ast.Call, name: str) -> Any:
        """Return the value of the argument for a parameter, or something that is no value."""
        node_given = argument(key, call, name)
        return _UNKNOWN if node_given is None else self.of(node_given)

    def of(self, node: ast.expr) -> Any:
        """Return the value of an expression, or something that is no value."""
        match node:
            case ast.Constant(value):
                return value
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(int(value))):
                return -value
            case ast.Name(id=name):
                return self._names.get(name, _UNKNOWN)
            case ast.Attribute(value=ast.Name(id="sys"), attr="argv"):
                return self._argv
            case ast.Subscript(value=base, slice=index):
                return self._item(self.of(base), index)
            case ast.Call(func=ast.Name(id="int" | "float" | "str" as name), args=[one]):
                return self._convert(name, self.of(one))
            case ast.Call(
                func=ast.Attribute(value=base, attr="split"), args=[ast.Constant(str(by))]
            ):
                text = self.of(base)
                return text.split(by) if isinstance(text, str) and by else _UNKNOWN
            case ast.List(elts=parts) | ast.Tuple(elts=parts):
                return [self.of(part) for part in parts]
            case ast.Dict(keys=keys, values=parts):
                names = [_UNKNOWN if key is None else self.of(key) for key in keys]
                if all(isinstance(name, str) for name in names):
                    return dict(zip(names, map(self.of, parts), strict=True))
        return _UNKNOWN

    def _item(self, base: Any, index: ast.expr) -> Any:
        if not isinstance(base, list):
            return _UNKNOWN
        try:
            if isinstance(index, ast.Slice):
                lower = 0 if index.lower is None else self.of(index.lower)
                upper = len(base) if index.upper is None else self.of(index.upper)
                return base[lower:upper]
            return base[self.of(index)]
        except (IndexError, TypeError):
            return _UNKNOWN

    @staticmethod
    def _convert(name: str, value: Any) -> Any:
        if not isinstance(value, str | int | float):
            return _UNKNOWN
        try:
            return {"int": int, "float": float, "str": str}[name](value)
        except ValueError:
            return _UNKNOWN

    def _bind(self, target: ast.expr, value: Any) -> None:
        if isinstance(target, ast.Name):
            bound_value = self._names.get(target.id, value)
            self._names[target.id] = value if bound_value == value else _UNKNOWN
        elif isinstance(target, ast.Tuple | ast.List):
            several = isinstance(value, list) and len(value) == len(target.elts)
            for at, element in enumerate(target.elts):
                self._bind(element, value[at] if several else _UNKNOWN)
