"""What an export has, whichever engine wrote the checkpoint."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from ..old_checkpoint.content import REDUCE, WINDOW, label_of
from ..source.files.taken_over import full_path
from .columns import Pair

# characters that a URI of Java has as they are; others than those of ASCII are never quoted
_PLAIN: Final = frozenset("_-!.~'()*,;:$&+=@/")


class KeyedState(NamedTuple):
    """The state of one operator.

    Parameters
    ----------
    number : int
        from 1, in the order in which outputs need operators with state
    operator : str
        ``updateStateByKey`` or ``mapWithState``
    pairs : list of (key, state)
        all keys
    """

    number: int
    operator: str
    pairs: list[Pair]

    @property
    def folder(self) -> str:
        """The name of its folder."""
        return f"{self.number}-{self.operator}"


class Position(NamedTuple):
    """How far a source has been read.

    Parameters
    ----------
    number : int
        from 1, in the order in which outputs need sources
    stream : str
        what it is, for people
    given : mapping
        what a job of Structured Streaming is given: ``startingOffsets``, or ``condition``
    said : str
        the position, for people
    """

    number: int
    stream: str
    given: Mapping[str, str]
    said: str


class Export(NamedTuple):
    """States and positions as of one batch.

    Parameters
    ----------
    checkpoint, engine, application : str
        where they are from
    interval, batch : int
        the batch interval, and the time of the batch (milliseconds)
    positions : sequence of Position
        of the sources that have one
    left : sequence of str
        what is not carried over, and why
    """

    checkpoint: str
    engine: str
    application: str
    interval: int
    batch: int
    states: Sequence[KeyedState]
    positions: Sequence[Position]
    left: Sequence[str]


def kafka_position(number: int, stream: str, offsets: Mapping[tuple[str, int], int]) -> Position:
    """Return the position of a stream of Kafka.

    Parameters
    ----------
    offsets : mapping
        (topic, partition) to the offset of the first record that was not read
    """
    by_topic: dict[str, dict[str, int]] = {}
    for (topic, partition), offset in sorted(offsets.items()):
        by_topic.setdefault(topic, {})[str(partition)] = offset
    text = json.dumps(by_topic)
    return Position(number, stream, {"startingOffsets": text}, text)


def file_position(
    number: int, stream: str, newer: int, read: Iterable[str], unread: Iterable[str]
) -> Position:
    """Return the position of a stream of files: a condition, in SQL, that holds for unread ones.

    Parameters
    ----------
    newer : int
        files that were not modified later (milliseconds since the epoch) are not read any more
    read, unread : iterable of str
        paths that are known: those that were read, and those that are read however old they are
    """
    path = "regexp_replace(_metadata.file_path, '^file:/+', 'file:/')"
    done, again = sorted({*map(_uri, read)}), sorted({*map(_uri, unread)})
    condition = f"_metadata.file_modification_time > timestamp_millis({newer})"
    if done:
        condition += f" AND {path} NOT IN ({', '.join(map(_sql_literal, done))})"
    if again:
        condition += f" OR {path} IN ({', '.join(map(_sql_literal, again))})"
    said = f"{len(done)} files read, {len(again)} known and not read"
    return Position(number, stream, {"condition": condition}, said)


def _uri(path: str) -> str:
    """Return a path as Spark's ``_metadata`` has it, as a URI of Java."""
    scheme, colon, rest = full_path(path).partition(":")
    return scheme + colon + "".join(map(_in_uri, rest))


def _in_uri(character: str) -> str:
    if character.isalnum() or character in _PLAIN or not character.isascii():
        return character
    return f"%{ord(character):02X}"


def _sql_literal(text: str) -> str:
    """Return a text as a literal of SQL."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def windows_left(states: Iterable[tuple[int, str, int | None]]) -> list[str]:
    """Return what is to be said of windows.

    Parameters
    ----------
    states : iterable of (int, str, int)
        number, kind and length of each operator with state
    """
    windows = [
        f"#{number} {label_of(kind, length)}"
        for number, kind, length in states
        if kind in (WINDOW, REDUCE)
    ]
    if not windows:
        return []
    return [f"what is in windows ({', '.join(windows)}): they begin empty in the rewritten job"]


def manifest(export: Export, columns: Mapping[int, Mapping[str, Any]]) -> dict[str, Any]:
    """Return what the file ``export.json`` says.

    Parameters
    ----------
    columns : mapping
        numbers of states to their columns, with the types of Spark
    """
    return {
        "format": 1,
        "checkpoint": export.checkpoint,
        "engine": export.engine,
        "application": export.application,
        "batch_interval_ms": export.interval,
        "batch_time_ms": export.batch,
        "states": [
            {
                "number": state.number,
                "operator": state.operator,
                "folder": state.folder,
                "keys": len(state.pairs),
                "columns": columns[state.number],
            }
            for state in export.states
        ],
        "positions": [_source(position) for position in export.positions],
        "not_carried_over": list(export.left),
    }


def positions(export: Export) -> list[dict[str, Any]]:
    """Return what the file ``positions.json`` has."""
    return [{**_source(position), **position.given} for position in export.positions]


def _source(position: Position) -> dict[str, Any]:
    return {"number": position.number, "stream": position.stream}
