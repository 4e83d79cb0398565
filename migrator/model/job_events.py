"""Events about a job as a whole, and about the code around its streams."""

from __future__ import annotations

from dataclasses import dataclass

from migrator.model.events import Event
from migrator.model.report import Confidence
from migrator.model.requirement_events import Surroundings


@dataclass(frozen=True, eq=False)
class InferredEvent(Event):
    """An event that rests on inference."""

    confidence: Confidence
    evidence: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class ForeignContext(Event):
    """The first use of a context that a job is only given.

    Parameters
    ----------
    by_others : bool
        Whether only a framework calls the function that gets it.
    """

    name: str
    by_others: bool = False


@dataclass(frozen=True, eq=False)
class MissingFromJob(InferredEvent):
    """A call that makes no sense in a job without something.

    Parameters
    ----------
    what : str
        "output" at `start()`, "state" at `checkpoint()`.
    """

    KEY = "what"
    what: str


@dataclass(frozen=True, eq=False)
class UnusedStream(InferredEvent):
    """A stream that nothing reads: its call, and the name it is bound to, if any."""

    call: str
    name: str | None = None


@dataclass(frozen=True, eq=False)
class AttributeOfNone(InferredEvent):
    """Something that is taken from the result of a call that gives None: the call, the name."""

    call: str
    name: str


@dataclass(frozen=True, eq=False)
class LateStream(InferredEvent):
    """A source of a context that may come from a checkpoint."""

    name: str


@dataclass(frozen=True, eq=False)
class PatchedName(InferredEvent):
    """A name that the program puts on a class of the API, or over a method of an object."""

    owner: str
    name: str
    on_class: bool


@dataclass(frozen=True, eq=False)
class RuntimeCode(InferredEvent):
    """Code near streams that is made at run time: "getattr", "eval" or "exec"."""

    KEY = "what"
    what: str
    text: str


@dataclass(frozen=True, eq=False)
class RddCode(InferredEvent):
    """RDD operations of a function that gets the RDD of each batch, in order."""

    function: str
    operations: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class LostOffsets(InferredEvent):
    """`offsetRanges()` of an RDD that is not the one Kafka gave."""


@dataclass(frozen=True, eq=False)
class SessionSingleton(Event):
    """A session or SQL context that is kept in `globals()`."""

    text: str


@dataclass(frozen=True, eq=False)
class ScalaPackage(Event):
    """A JVM package built for a version of Scala; `around` as for connector packages."""

    text: str
    version: str
    around: Surroundings | None = None


@dataclass(frozen=True, eq=False)
class ConnectBlock(InferredEvent):
    """Code that needs a driver with Spark in its process.

    Parameters
    ----------
    what : str
        "rdd", "shared", "jvm", "session", "context", "setting" or "file".
    """

    KEY = "what"
    what: str
    text: str


@dataclass(frozen=True, eq=False)
class FunctionState(Event):
    """What a function uses of the driver, though Connect runs it elsewhere.

    Parameters
    ----------
    what : str
        "global" (it sets a global name) or "session" (it uses one from outside).
    where : str
        The method that it is given to.
    """

    KEY = "what"
    what: str
    name: str
    function: str
    where: str
