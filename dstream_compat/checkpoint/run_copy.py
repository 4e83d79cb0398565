"""Copies a run with another number of state partitions: all of it but the state itself."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from ..exceptions import CheckpointError
from ..storage.files import FolderEntry, Storage, join

_PARTITIONS: Final = "spark.sql.shuffle.partitions"
_GRAPH: Final = "graph"


def entries_of(storage: Storage, folder: str, below: str = "") -> Iterator[tuple[str, FolderEntry]]:
    """Yield the files in a folder with their paths below it, without those of state partitions."""
    for entry in storage.list(join(folder, below) if below else folder):
        path = f"{below}/{entry.name}" if below else entry.name
        if not entry.is_folder:
            if not entry.name.startswith("."):
                yield path, entry
        elif not _is_partition(path):
            yield from entries_of(storage, folder, path)


def last_committed(storage: Storage, query: str) -> int | None:
    """Return the number of the last micro-batch that Spark has committed; None before the first."""
    log = join(query, "commits")
    entries = storage.list(log) if storage.exists(log) else []
    return max((int(entry.name) for entry in entries if entry.name.isdigit()), default=None)


def copy_run(storage: Storage, source: str, target: str, before: int, after: int) -> None:
    """Copy the files of a run, with the number of partitions where Spark notes it.

    Parameters
    ----------
    storage : Storage
        where both are
    source, target : str
        folders of the runs
    before, after : int
        partitions

    Raises
    ------
    CheckpointError
        if Spark's log is in a format that is not known
    """
    for path, entry in list(entries_of(storage, source)):
        if path == _GRAPH:
            continue
        data = storage.read(entry.path)
        folders = path.split("/")
        if folders[0].startswith("query") and folders[1] == "offsets":
            data = _rewrite_log(entry.path, data.decode(), before, after).encode()
        elif folders[-3:-1] == ["_metadata", "v2"]:
            names = source.rpartition("/")[2], target.rpartition("/")[2]
            data = _metadata(entry.path, data.decode().replace(*names), after).encode()
        storage.write(join(target, path), data)


def _is_partition(path: str) -> bool:
    folders = path.split("/")
    return len(folders) == 4 and folders[1] == "state" and folders[3].isdigit()


def _rewrite_log(path: str, text: str, before: int, after: int) -> str:
    version, metadata, *offsets = _lines(path, text, "v1")
    settings = json.loads(metadata)
    if settings["conf"].get(_PARTITIONS) != str(before):
        raise CheckpointError(
            f"{path} says that state is in {settings['conf'].get(_PARTITIONS)} partitions, not "
            f"{before}. Nothing was changed"
        )
    settings["conf"][_PARTITIONS] = str(after)
    return "\n".join(
        [
            version,
            json.dumps(settings),
            *(_offset(offset, before, after) for offset in offsets),
        ]
    )


def _offset(text: str, before: int, after: int) -> str:
    """Return an offset: of our numbered rows, each micro-batch has one for each partition."""
    offset: Any = json.loads(text) if text.startswith("{") else None
    if isinstance(offset, dict) and offset.keys() == {"offset", "timestamp"}:
        return json.dumps(offset | {"offset": offset["offset"] // before * after})
    return text


def _metadata(path: str, text: str, after: int) -> str:
    version, content = _lines(path, text, "v2")
    metadata = json.loads(content)
    for store in metadata["stateStoreInfo"]:
        store["numPartitions"] = after
    return f"{version}\n{json.dumps(metadata)}"


def _lines(path: str, text: str, version: str) -> list[str]:
    lines = text.split("\n")
    if lines[0] != version:
        raise CheckpointError(
            f"{path} has format {lines[0]!r}, and only {version} can be rescaled. "
            "Nothing was changed"
        )
    return lines
