"""Where Kinesis's client library stood: the positions in its table of DynamoDB, read once."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Final

from ...worker.reading.kinesis_access import Access
from .positions import AFTER, END, LATEST, START, Position

_LOG = logging.getLogger("dstream_compat")
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
    leases: dict[str, Position] = {}
    try:
        for page in client.get_paginator("scan").paginate(TableName=app, ConsistentRead=True):
            for item in page["Items"]:
                shard, text = (item.get(n, {}).get("S", "") for n in ("leaseKey", "checkpoint"))
                if not shard or not (text in _KINDS or text.isdigit()):
                    raise ValueError(f"{where} has no position of Spark's in the item {item}")
                leases[shard] = (_KINDS[text], None) if text in _KINDS else (AFTER, text)
    except (BotoCoreError, ClientError) as error:
        raise ValueError(
            f"{where} cannot be read: {error}. Give the old job's kinesisAppName and region, and "
            "credentials that may scan it"
        ) from error
    if not leases:
        raise ValueError(f"{where} has no positions: the old job has stored none")
    return leases


def complete_leases(
    leases: Mapping[str, Position], parents: Mapping[str, tuple[str, ...]], stream: str
) -> dict[str, Position]:
    """Return where shards begin by the leases, as Kinesis's client library completes them.

    What came before a shard with a lease was read; what came of one is read from its start.

    Parameters
    ----------
    leases : mapping
        the positions that are stored
    parents : mapping
        the parents of each shard that there is
    stream : str
        the stream's name, for a warning about shards that are gone
    """
    positions = dict(leases)
    todo = [name for name in positions if name in parents]
    if todo != list(positions):
        gone = sorted(positions.keys() - set(todo))
        _LOG.warning("%s: DynamoDB has positions for shards that no longer exist: %s", stream, gone)
    while todo:
        for parent in parents[todo.pop()]:
            if parent in parents and parent not in positions:
                positions[parent] = END, None
                todo.append(parent)
    later = {name: of for name, of in parents.items() if name not in positions}
    while ready := [name for name, of in later.items() if not positions.keys().isdisjoint(of)]:
        positions.update(dict.fromkeys(ready, (START, None)))
        later = {name: of for name, of in later.items() if name not in positions}
    return positions
