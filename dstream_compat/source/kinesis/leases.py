"""Where Kinesis's client library stood: the positions in its table of DynamoDB, read once."""

from __future__ import annotations

from typing import Final

from ...worker.reading.kinesis_access import Access
from .shards import AFTER, END, LATEST, START, Position

_KINDS: Final = {"TRIM_HORIZON": START, "LATEST": LATEST, "SHARD_END": END}


def leases_of(access: Access, app: str) -> dict[str, Position]:
    """Return the positions that an application has stored: shard to position.

    A record that was made of several counts as read, as Spark's receiver stored whole records.

    Parameters
    ----------
    access : Access
        region and credentials of the stream
    app : str
        the application, whose name the table has

    Raises
    ------
    ValueError
        if there is no such table, or it has no position, or one that Spark stores nowhere
    """
    from botocore.exceptions import BotoCoreError, ClientError

    client, _ = access.client("dynamodb")
    where = f"the table {app!r} of DynamoDB in {access.region}"
    found: dict[str, Position] = {}
    try:
        for page in client.get_paginator("scan").paginate(TableName=app, ConsistentRead=True):
            for item in page["Items"]:
                shard, text = (item.get(n, {}).get("S", "") for n in ("leaseKey", "checkpoint"))
                if not shard or not (text in _KINDS or text.isdigit()):
                    raise ValueError(f"{where} has no position of Spark's in the item {item}")
                found[shard] = (_KINDS[text], None) if text in _KINDS else (AFTER, text)
    except (BotoCoreError, ClientError) as error:
        raise ValueError(
            f"{where} cannot be read: {error}. Give the old job's kinesisAppName and region, and "
            "credentials that may scan it"
        ) from error
    if not found:
        raise ValueError(f"{where} has no positions: the old job has stored none")
    return found
