"""Kinesis: records of the shards of a stream."""

from __future__ import annotations

import time
from typing import Any, Final, NamedTuple

from pyspark import SparkConf

from ..engine.frames import RECORDS, chunks
from ..exceptions import needs_extra
from .base import Items
from .reading import Chunk
from .receiver import ReceiverSource
from .shards import Position, Shards
from .spool import Spool

_CONNECT_SECONDS: Final = 10
_READ_SECONDS: Final = 30
_RENEW_SECONDS: Final = 300


class Access(NamedTuple):
    """Where a stream is, and who reads it; without keys boto3 looks for them as it always does."""

    endpoint: str
    region: str
    key: str | None = None
    secret: str | None = None
    role: str | None = None
    session: str | None = None
    external: str | None = None

    def client(self) -> tuple[Any, float | None]:
        """Return a Kinesis client, and when to make another one (seconds since the epoch)."""
        boto3 = client_library()
        keys = {"aws_access_key_id": self.key, "aws_secret_access_key": self.secret}
        until = None
        if self.role is not None:
            sts = boto3.client("sts", region_name=self.region, **keys)
            answer = sts.assume_role(
                RoleArn=self.role, RoleSessionName=self.session, ExternalId=self.external
            )
            given = answer["Credentials"]
            until = given["Expiration"].timestamp() - _RENEW_SECONDS
            keys = {
                "aws_access_key_id": given["AccessKeyId"],
                "aws_secret_access_key": given["SecretAccessKey"],
                "aws_session_token": given["SessionToken"],
            }
        from botocore.config import Config

        config = Config(
            connect_timeout=_CONNECT_SECONDS,
            read_timeout=_READ_SECONDS,
            retries={"mode": "standard", "total_max_attempts": 2},
        )
        client = boto3.client(
            "kinesis",
            endpoint_url=self.endpoint,
            region_name=self.region,
            config=config,
            **keys,
        )
        return client, until


class _Item(NamedTuple):
    """What was read of a shard and the position behind it, or positions of shards alone."""

    positions: dict[str, Position]
    records: list[bytes]


class KinesisSource(ReceiverSource):
    """Reads all shards of a stream; each is a logical partition.

    The position behind what intervals have taken is part of the plan of a micro-batch, so a
    restart reads on there: nothing is lost or read twice.

    Parameters
    ----------
    label : str
        what the user called it
    stream : str
        the stream's name
    access : Access
        where it is
    initial : str
        where a stream begins of which no position is known: ``LATEST`` or ``TRIM_HORIZON``
    """

    receiver = "KinesisReceiver"
    replayable = True
    defined = ("label", "_stream", "_access", "_initial")

    def __init__(self, label: str, stream: str, access: Access, initial: str) -> None:
        self.label = label
        self._stream = stream
        self._access = access
        self._initial = initial
        self._init_runtime()

    def _init_runtime(self) -> None:
        super()._init_runtime()
        self._filed: dict[str, Position] = {}
        self._planned: dict[str, Position] = {}

    def attach(self, conf: SparkConf, interval: int, spool: Spool | None) -> None:
        """See the base class."""
        client_library()
        super().attach(conf, interval, spool)

    def memory(self) -> dict[str, Position]:
        """See the base class: the positions behind what intervals took."""
        return dict(self._planned)

    def restore(self, memory: dict[str, Position]) -> None:
        """See the base class."""
        self._planned = dict(memory)
        self._filed = dict(memory)

    def _count(self, item: Any) -> int:
        return len(item.records)

    def _note(self, taken: dict[int, list[Any]]) -> None:
        for tick in sorted(taken):
            for item in taken[tick]:
                self._planned.update(item.positions)
        for gone in [shard for shard in self._planned if shard not in self._filed]:
            del self._planned[gone]

    def _pack(self, items: list[Any]) -> list[Items]:
        shards: dict[str, list[bytes]] = {}
        for item in items:
            if item.records:
                (shard,) = item.positions
                shards.setdefault(shard, []).extend(item.records)
        return [
            tuple(Chunk(RECORDS, count, data) for count, data in chunks(shards[shard]))
            for shard in sorted(shards)
        ]

    def _receive(self) -> tuple[str, str]:
        from botocore.exceptions import BotoCoreError, ClientError

        try:
            client, until = self._access.client()
            shards = Shards(
                client, self._stream, self._initial, self._filed, self._take, self._at_once_read
            )
            shards.look()
        except (BotoCoreError, ClientError) as error:
            where = f" (stream {self._stream} at {self._access.endpoint})"
            return self._cannot_start(), self._warn(error, where)
        try:
            while not self._stopped.wait(shards.read(self._stopped)):
                self._reminded = 0.0
                if until is not None and time.time() > until:
                    client, until = self._access.client()
                    shards.use(client)
        except (BotoCoreError, ClientError) as error:
            return self._again("Error receiving data"), self._warn(error, "")
        return "", ""

    def _take(self, positions: dict[str, Position], records: list[bytes]) -> None:
        if records:
            self._admit(len(records))
        if not self._stopped.is_set():  # what is not filed is read again
            self._file(_Item(positions, records), sum(map(len, records)))

    def _at_once_read(self) -> int | None:
        rate = self._limit.current()
        return None if rate is None else max(int(rate), 1)

    def _hang_up(self) -> None:
        """Nothing waits for longer than a request."""


def client_library() -> Any:
    """Return boto3.

    Raises
    ------
    MissingDependencyError
        if it is not installed
    """
    try:
        import boto3
    except ImportError as error:
        raise needs_extra("KinesisUtils", "boto3", "kinesis") from error
    return boto3
