"""Events: what is found in files, as the rules get it.

Every event has a place and a `key`, by which rules subscribe to it.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from typing import ClassVar

from migrator.model.fixes import TextEdit
from migrator.model.labels import Confidence
from migrator.model.places import Spot, StreamOrigin
from migrator.spark.kinds import Kind
from migrator.spark.signatures import argument

UNMOVED = "unmoved"
"""The problem of an import whose rewriting was withdrawn with that of its file."""


@dataclass(frozen=True, eq=False)
class Event:
    """Something at a place; `KEY` names the field by which rules subscribe, if there is one."""

    KEY: ClassVar[str] = ""
    at: Spot

    @property
    def key(self) -> str:
        """What rules subscribe to."""
        key: str = getattr(self, self.KEY) if self.KEY else ""
        return key


@dataclass(frozen=True, eq=False)
class FileProblem(Event):
    """A file, or a part of it, that could not be read as what it is."""

    KEY = "kind"
    kind: str
    detail: str
    advice: str = ""


@dataclass(frozen=True, slots=True)
class RddFunction:
    """What is given to `foreachRDD` or `transform`.

    Parameters
    ----------
    kind : str
        "function" (a lambda too), "method" (bound), "unbound" (a method taken from its class),
        "partial", "object" or "builtin".
    awaits : bool
        Whether a call only makes a coroutine.
    parameters : tuple of str
        The names that can be given by position, without what is bound already.
    required : int
        How many of them have no default.
    """

    kind: str
    parameters: tuple[str, ...]
    required: int
    awaits: bool = False


@dataclass(frozen=True, slots=True)
class WrongType:
    """An argument of a type that Spark refuses: the parameter, what it takes, what it is given."""

    name: str
    wanted: str
    given: str


@dataclass(frozen=True, eq=False)
class KafkaValue(Event):
    """A value of `kafkaParams` that is no text.

    Attributes
    ----------
    name : str
        The parameter.
    given : str
        The type of its value.
    text : str, optional
        The text that means the same to Kafka.
    edit : TextEdit, optional
        The edit that writes it.
    """

    name: str
    given: str
    text: str | None
    edit: TextEdit | None


@dataclass(frozen=True, eq=False)
class Use(Event):
    """A use of the DStream API; it is a site of the report.

    Attributes
    ----------
    use : str
        "call", "attribute", "construct" or "reference".
    receiver : str
        The kind or class it is used on, "class" for constructors.
    known : bool
        Whether the API has that name.
    kinds : frozenset of Kind
        The kinds of objects that the receiver may be.
    function : RddFunction, optional
        What a call of `foreachRDD` or `transform` is given, if known.
    inputs : tuple of StreamOrigin
        Where the streams that go into a call were made.
    wrong_type : WrongType, optional
        An argument of a wrong type.
    brokers : TextEdit, optional
        The edit that would name the brokers of a Kafka receiver.
    """

    name: str
    use: str
    receiver: str
    confidence: Confidence
    evidence: tuple[str, ...] = ()
    known: bool = True
    call: ast.Call | None = None
    kinds: frozenset[Kind] = frozenset()
    function: RddFunction | None = None
    inputs: tuple[StreamOrigin, ...] = ()
    wrong_type: WrongType | None = None
    brokers: TextEdit | None = None

    @property
    def key(self) -> str:
        """Receiver and name; unknown names of a receiver share one key."""
        return f"{self.receiver}.{self.name}" if self.known else f"{self.receiver}.?"

    def argument(self, name: str) -> ast.expr | None:
        """Return the argument for a parameter, if the call shows it."""
        return None if self.call is None else argument(self.key, self.call, name)


@dataclass(frozen=True, eq=False)
class StreamValue(Event):
    """A DStream that is used like the data in it.

    Parameters
    ----------
    role : str
        What it is taken for, "text", "number", "condition" or "collection".
    """

    KEY = "role"
    text: str
    role: str
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class PackageUse(Event):
    """An import of or a dotted path to `pyspark.streaming`; it is a site of the report.

    Parameters
    ----------
    use : str
        "import" or "reference".
    problem : str, optional
        Why it is not rewritten, a key of rules.
    after : str, optional
        What it becomes, None if it stays as it is.
    """

    use: str
    path: str
    before: str
    after: str | None = None
    problem: str | None = None
    detail: str = ""

    @property
    def key(self) -> str:
        """The problem, or what was done."""
        return self.problem or ("rewritten" if self.after is not None else "kept")


def without_rewriting(events: list[Event], why: str = "") -> list[Event]:
    """Return the events of a file whose imports stay, and a problem if the reason is told."""
    moved = [e for e in events if isinstance(e, PackageUse) and e.after is not None]
    moved_events = [replace(e, after=None, problem=UNMOVED) if e in moved else e for e in events]
    if why:
        moved_events.append(FileProblem(moved[0].at if moved else Spot(1, 1), "edit", why))
    return moved_events


@dataclass(frozen=True, eq=False)
class ImportedName(Event):
    """A name imported from another part of PySpark."""

    KEY = "path"
    path: str


@dataclass(frozen=True, eq=False)
class ModuleString(Event):
    """A string that names `pyspark.streaming` or something in it.

    Parameters
    ----------
    use : str
        "import", "patch" or "modules" (a key of `sys.modules`) where that is proven, else "".
    edit : TextEdit, optional
        The edit that moves it, None if it may be something else.
    """

    text: str
    use: str = ""
    edit: TextEdit | None = None


@dataclass(frozen=True, eq=False)
class JavaPath(Event):
    """Java code of Spark Streaming reached through py4j."""

    text: str


@dataclass(frozen=True, eq=False)
class JvmReceiver(Event):
    """A class of the JVM that makes streams of a system; `way`: how to do without."""

    name: str
    system: str
    way: str


@dataclass(frozen=True, eq=False)
class Setting(Event):
    """A `spark.streaming.*` setting; value is None where it is not a constant."""

    KEY = "group"
    name: str
    value: str | None
    group: str


@dataclass(frozen=True, eq=False)
class MentionedName(Event):
    """A name of the API in a file that cannot be parsed."""

    KEY = "name"
    name: str


@dataclass(frozen=True, eq=False)
class IgnoreProblem(Event):
    """A comment `# migrate: ignore[...]` that does nothing.

    Parameters
    ----------
    kind : str
        "unused", "unknown" (no such rule) or "form" (it names no rule at all).
    """

    KEY = "kind"
    kind: str
    code: str = ""
