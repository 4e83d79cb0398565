"""Addresses and credentials of Kinesis streams; plans of batches have no credentials."""

from __future__ import annotations

import hashlib
import time
from typing import Any, Final, NamedTuple

from ...exceptions import of_extra

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

    def client(self, service: str = "kinesis") -> tuple[Any, float | None]:
        """Return a client, and when to make another one (seconds since the epoch).

        That of another service than Kinesis asks the service's own endpoint in the region.
        """
        boto3 = client_library()
        keys = {"aws_access_key_id": self.key, "aws_secret_access_key": self.secret}
        until = None
        if self.role is not None:
            sts = boto3.client("sts", region_name=self.region, **keys)
            answer = sts.assume_role(
                RoleArn=self.role, RoleSessionName=self.session, ExternalId=self.external
            )
            credentials = answer["Credentials"]
            until = credentials["Expiration"].timestamp() - _RENEW_SECONDS
            keys = {
                "aws_access_key_id": credentials["AccessKeyId"],
                "aws_secret_access_key": credentials["SecretAccessKey"],
                "aws_session_token": credentials["SessionToken"],
            }
        from botocore.config import Config

        config = Config(
            connect_timeout=_CONNECT_SECONDS,
            read_timeout=_READ_SECONDS,
            retries={"mode": "standard", "total_max_attempts": 2},
        )
        client = boto3.client(
            service,
            endpoint_url=self.endpoint if service == "kinesis" else None,
            region_name=self.region,
            config=config,
            **keys,
        )
        return client, until


class Place(NamedTuple):
    """A stream as plans name it: without keys, which the driver adds for each task.

    Parameters
    ----------
    stream, region, endpoint : str
        where the stream is
    reader : str
        tells streams of the same names in different accounts apart
    """

    stream: str
    region: str
    endpoint: str
    reader: str


def place_of(label: str, stream: str, access: Access) -> Place:
    """Return how plans name a stream of this job, and remember how to read it.

    Parameters
    ----------
    label : str
        what the user called it
    stream : str
        its name
    access : Access
        stays in this process
    """
    reader = "\0".join((label, access.key or "", access.role or ""))
    digest = hashlib.sha256(reader.encode()).hexdigest()[:16]
    place = Place(stream, access.region, access.endpoint, digest)
    _known[place] = access
    return place


def access_to(place: Place) -> Access:
    """Return how to read a stream that a plan names, be it one of an earlier process.

    Raises
    ------
    LookupError
        if no stream of this process is it
    """
    if place in _known:
        return _known[place]
    # The keys, or what else a stream is known by, were changed since the plan was made.
    same = {a for known, a in _known.items() if known[:2] == place[:2]}
    if len(same) != 1:
        raise LookupError(
            f"the checkpoint has a batch that reads the Kinesis stream {place.stream} in "
            f"{place.region} at {place.endpoint}, but {len(same)} streams of the current code have "
            "that name and region: define it with this endpoint"
        )
    return same.pop()


_known: dict[Place, Access] = {}
_clients: dict[Access, tuple[Any, float | None]] = {}


def task_client(access: Access) -> Any:
    """Return a Kinesis client in a task; a worker makes one for all of its tasks."""
    client, until = _clients.get(access, (None, None))
    if client is None or (until is not None and time.time() > until):
        client, _ = _clients[access] = access.client()
    return client


def forget_client(access: Access) -> None:
    """Let the next task make a new client, with the credentials that are valid then."""
    _clients.pop(access, None)


def client_library() -> Any:
    """Return boto3; see ``of_extra``."""
    return of_extra("boto3", "KinesisUtils", "boto3", "kinesis")
