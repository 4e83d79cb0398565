"""What all sources have in common: the definition in a graph, and the input of a running job.

Decision 0101: A source is what the user defined, and its input is what runs.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, ClassVar, NamedTuple, Protocol

from pyspark import SparkConf, SparkContext

from ..clock import Clock
from ..storage.spool import Spool
from ..worker.reading.entries import Chunk, Item
from .rates import RateController

Items = tuple[Item, ...]

Planned = list[Items] | bytes | None
"""What a stream has in one interval: its logical partitions, a captured error, or no RDD at all."""


class InputInfo(NamedTuple):
    """What listeners get to know about an input in one interval; ``files`` of file sources only."""

    records: int
    files: tuple[str, ...] | None = None


class Demand(Protocol):
    """Says which batches of a source DStreams would compute."""

    def place(self, time: int, items: int) -> int | None:
        """Return which one a batch is among those computed, from 0; None if it is not one.

        Parameters
        ----------
        time : int
            of the batch, in milliseconds since the zero time
        items : int
            how many there are something for; ``items`` also stands for what comes behind them
        """


class SourceEvents:
    """What a scheduler and its inputs tell about themselves; nobody listens to this one."""

    def note_begin(self, zero: int, last: int) -> None:
        """Called with the zero time, and the last batch time that an earlier process planned."""

    def note_plan(
        self, ticks: Sequence[int], zero: int, inputs: Mapping[tuple[int, int], Planned]
    ) -> None:
        """Called with the batches that a micro-batch begins to process, and what they read."""

    def note_stopping(self) -> None:
        """Called when the context is about to stop."""

    def stream_id(self, receiver: Input) -> int:
        """Return by which number listeners know an input."""
        return 0

    def receiver_started(self, receiver: Input) -> None:
        """Called when an input begins to receive, or tries to."""

    def receiver_stopped(self, receiver: Input, message: str, error: str = "") -> None:
        """Called when an input receives nothing more for now, with the reason."""

    def receiver_error(self, receiver: Input, message: str, error: str) -> None:
        """Called when an input has a problem and goes on."""


class Timeline(NamedTuple):
    """The times that a started context runs by (milliseconds since the epoch)."""

    clock: Clock
    interval: int
    zero: int
    events: SourceEvents = SourceEvents()


class Source(ABC):
    """A source of records as the user's call defines it: it never changes, and a graph saves it.

    Subclasses are frozen dataclasses.
    """

    shown_as: ClassVar[str] = "Input stream"
    """What the Streaming tab calls it; Spark's name for such a stream."""
    replayable: ClassVar[bool] = True
    """Whether a position in it is remembered, so that what no batch has taken is read again."""

    @property
    @abstractmethod
    def label(self) -> str:
        """What the user called it."""

    @property
    def receiver(self) -> str:
        """What listeners know its receiver by, if it has one."""
        return ""

    @property
    def texts(self) -> bool:
        """Whether its records are texts, which tasks read as blocks."""
        return False

    def read_by_jvm(self, sc: SparkContext) -> bool:
        """Return whether only a JVM can read what it plans."""
        return False

    @property
    def parts(self) -> Mapping[str, object]:
        """What the input and functions of the graph may share, itself included, by name."""
        return {"source": self}

    def check(self, sc: SparkContext) -> None:  # noqa: B027
        """Refuse what can never be read; what cannot be read now is no error.

        Parameters
        ----------
        sc : SparkContext
            of the job that is about to start

        Raises
        ------
        ValueError
            if it can never be read
        """

    def savable_source(self, sc: SparkContext) -> Source:
        """Return a source for the same records that can be saved with a graph."""
        return self

    @abstractmethod
    def open(self, conf: SparkConf, interval: int, spool: Spool | None, demand: Demand) -> Input:
        """Return the input of a job that is about to run.

        Parameters
        ----------
        conf : SparkConf
            the job's settings
        interval : int
            batch interval in milliseconds
        spool : Spool, optional
            where a receiver can keep what it received; None without a checkpoint folder
        demand : Demand
            which batches outputs need
        """

    def __setstate__(self, state: dict[str, Any]) -> None:
        # Earlier versions saved the names with an underscore, and what belonged to the input.
        names = {field.name for field in fields(self)}  # type: ignore[arg-type]
        named = {name.lstrip("_"): value for name, value in state.items()}
        self.__dict__.update({name: value for name, value in named.items() if name in names})


class Input(ABC):
    """A source while a job runs, in the user's driver process.

    Parameters
    ----------
    label : str
        what the user called the source
    receiver : str
        what listeners know its receiver by, if it has one
    rate : RateController, optional
        gets each completed batch, if the input adapts its rate
    """

    def __init__(self, label: str, receiver: str = "", rate: RateController | None = None) -> None:
        self.label = label
        self.receiver = receiver
        self.rate = rate

    def restore(self, memory: Any) -> None:
        """Go on behind the intervals that an earlier process planned; called before the start."""
        if memory is not None:
            raise ValueError(
                f"the checkpoint has a position of {self.label}, which is a source without "
                "positions: define the source that wrote it, or use an empty checkpoint folder"
            )

    def start(self, timeline: Timeline) -> None:  # noqa: B027
        """Begin to receive: the zero time is fixed."""

    @abstractmethod
    def plan(self, sc: SparkContext, ticks: Sequence[int]) -> Mapping[int, Planned]:
        """Return the logical partitions of each interval, or the captured error that it has.

        What is returned is not asked again, but in a recovered job by an input that keeps it.

        Parameters
        ----------
        sc : SparkContext
            to compute records with, where they are in RDDs
        ticks : sequence of int
            batch times, in order, directly after those of the previous call
        """

    def memory(self) -> Any:
        """Return what must be remembered to go on behind the intervals planned so far."""
        return None

    def forget_until(self, tick: int) -> None:  # noqa: B027
        """Forget what intervals until ``tick`` read: they will not be planned again."""

    def count_waiting(self, tick: int) -> int:
        """Return how many records of an interval that is not planned yet were received."""
        return 0

    def input_info(self, tick: int, parts: Sequence[Items]) -> InputInfo | None:
        """Return what listeners get to know about an interval; None leaves the input out.

        Parameters
        ----------
        tick : int
            batch time
        parts : sequence of Items
            what was planned for it; files that tasks read are counted by them
        """
        chunks = (item for items in parts for item in items if isinstance(item, Chunk))
        return InputInfo(sum(chunk.count for chunk in chunks))

    def stop_receiving(self) -> None:  # noqa: B027
        """Receive nothing more; what was received can still be planned."""
