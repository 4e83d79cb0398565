"""What a checkpoint of DStreams says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

UPDATE: Final = "updateStateByKey"
REDUCE: Final = "reduceByKeyAndWindow with an inverse function"
MAP_WITH_STATE: Final = "mapWithState"
WINDOW: Final = "window"

FILES: Final = "files"
KAFKA: Final = "direct Kafka"
RECEIVER: Final = "receiver"
OTHER: Final = "other"

OffsetRange = tuple[str, int, int, int]
"""A topic, its partition, and offsets: the first one, and the one behind the last."""


def label_of(kind: str, length: int | None) -> str:
    """Return what an operator is, for people, with the length of its window in milliseconds."""
    operator, separator, how = kind.partition(" with ")
    return f"{operator} of {length} ms{separator}{how}" if length else kind


class OldSource(NamedTuple):
    """An input stream.

    Parameters
    ----------
    number : int
        from 1, in the order in which outputs need them
    kind : str
        ``FILES``, ``KAFKA``, ``RECEIVER`` or ``OTHER``
    label : str
        its class, with the folder or the topics
    folder : str, optional
        of a file stream
    files : mapping
        batch time (milliseconds) to the files that were new in it
    ranges : mapping
        batch time to the offsets of a direct stream
    position : mapping
        (topic, partition) to the offset behind the last batch that was made, whether it ran or not
    since : int
        files that are not newer (milliseconds since the epoch) a file stream does not read any more
    stream : int
        number of a receiver's stream
    """

    number: int
    kind: str
    label: str
    folder: str | None = None
    files: Mapping[int, Sequence[str]] = {}
    ranges: Mapping[int, Sequence[OffsetRange]] = {}
    position: Mapping[tuple[str, int], int] = {}
    since: int = 0
    stream: int = -1

    def after(self, at: int, step: int) -> bool:
        """Return whether it is recorded where a direct stream stood behind a batch."""
        return at in self.ranges or at + step in self.ranges

    def offsets_after(self, at: int) -> dict[tuple[str, int], int]:
        """Return where a direct stream stood behind a batch.

        A partition of which no batch since then knows anything is where it was at last.
        """
        offsets = {(topic, part): end for topic, part, _, end in self.ranges.get(at, ())}
        for tick in sorted(tick for tick in self.ranges if tick > at):
            for topic, part, begin, _ in self.ranges[tick]:
                offsets.setdefault((topic, part), begin)
        return {**self.position, **offsets}


class OldState(NamedTuple):
    """An operator that keeps something from batch to batch.

    Parameters
    ----------
    number : int
        from 1, in the order in which outputs need them
    kind : str
        ``UPDATE``, ``REDUCE``, ``MAP_WITH_STATE`` or ``WINDOW``
    folders : mapping
        batch time to the folder with the state as of then
    length, slide : int, optional
        milliseconds of a window
    """

    number: int
    kind: str
    folders: Mapping[int, str] = {}
    length: int | None = None
    slide: int | None = None

    @property
    def label(self) -> str:
        """What it is, for people."""
        return label_of(self.kind, self.length)

    @property
    def title(self) -> str:
        """What it is, with its number, for people."""
        return f"#{self.number} {self.label}"


class Content(NamedTuple):
    """The graph of a job, and how far it came; times in milliseconds since the epoch.

    Parameters
    ----------
    app, master : str
        of the SparkContext
    scala : str
        which Scala wrote it
    interval, zero, last : int
        batch interval, zero time, and the latest batch that was made, whether it ran or not
    pending : sequence of int
        batches that were not completed, or have failed
    conf : mapping
        the SparkConf of the job
    sources, states : sequence
        those that outputs need, in order
    """

    app: str
    master: str
    scala: str
    interval: int
    zero: int
    last: int
    pending: Sequence[int]
    conf: Mapping[str, str]
    sources: Sequence[OldSource]
    states: Sequence[OldState]

    @property
    def keyed_states(self) -> list[OldState]:
        """The states that Spark saves, all but plain windows."""
        return [state for state in self.states if state.kind != WINDOW]

    def last_saved_batch(self) -> int:
        """Return the latest batch as of which all states are saved, and its outputs have run.

        If none is saved yet, it is the zero time. Without any state, it is the last batch before
        those that did not complete.

        Raises
        ------
        ValueError
            if states are saved, but never all as of one batch
        """
        if not self.keyed_states:
            last = self.last
            while last in self.pending:
                last -= self.interval
            return max(last, self.zero)
        times_of_states = [set(state.folders) for state in self.keyed_states]
        if not any(times_of_states):
            return self.zero
        common = set.intersection(*times_of_states)
        if not common:
            times = "; ".join(
                f"#{state.number} {state.label}: {sorted(state.folders)}"
                for state in self.keyed_states
            )
            raise ValueError(f"no batch has all states saved as of it ({times})")
        complete = common - set(self.pending)
        return max(complete or common)
