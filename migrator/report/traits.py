"""What a job reads and which state it keeps, as its uses of the API show."""

from __future__ import annotations

import re
from collections.abc import Iterable

_SOURCES = {
    "socketTextStream": "socket",
    "socketStream": "socket",
    "rawSocketStream": "socket",
    "textFileStream": "files",
    "binaryRecordsStream": "files",
    "fileStream": "files",
    "queueStream": "queue",
    "receiverStream": "receiver of its own",
    "actorStream": "actor",
}
_DIRECT = ("createDirectStream", "createRDD")
_CREATE = re.compile(r"create\w*(?:Stream|RDD)")
_KEEPS = {
    "updateStateByKey": "updateStateByKey",
    "mapWithState": "mapWithState",
    "window": "windows",
    "countByWindow": "windows",
    "countByValueAndWindow": "windows",
    "groupByKeyAndWindow": "windows",
    "reduceByKeyAndWindow": "windows",
    "reduceByWindow": "windows",
}


def sources(uses: Iterable[tuple[str, str]]) -> list[str]:
    """Return where records come from.

    Parameters
    ----------
    uses : iterable of (str, str)
        The receivers and names of the calls.
    """
    return sorted({name for use in uses if (name := _source(*use))})


def _source(receiver: str, name: str) -> str:
    # in Scala and Java the class may be called by its object
    call = name.rpartition(".")[2]
    if call in _SOURCES:
        return _SOURCES[call]
    owner = receiver if receiver.endswith("Utils") else name.rpartition(".")[0]
    if not _CREATE.fullmatch(call) or not owner.endswith("Utils"):
        return ""
    kind = owner.rpartition(".")[2].removesuffix("Utils")
    return f"{kind} through ZooKeeper" if kind == "Kafka" and call not in _DIRECT else kind


def keeps(uses: Iterable[tuple[str, str]]) -> list[str]:
    """Return how a state is kept from batch to batch: by which methods, or in windows.

    Parameters
    ----------
    uses : iterable of (str, str)
        The receivers and names of the calls.
    """
    calls = (name.rpartition(".")[2] for _, name in uses)
    return sorted({_KEEPS[call] for call in calls if call in _KEEPS})
