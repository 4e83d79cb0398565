"""Events: what is found in files, as the rules get it.

Every event has a place and a `key`, by which rules subscribe to it.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from typing import ClassVar

from migrator.model.findings import Confidence, Spot, StreamOrigin, TextEdit
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


# What a project asks for: versions, connectors, and the Spark that it takes.


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The text around an event, for fixes: a whole file, cell or string.

    Parameters
    ----------
    text : str
        Exactly as it stands in the file.
    language : str
        "shell" (also YAML and TOML), "conf", "data" (JSON, templates),
        "prose" or "python".
    first : int
        The line of the file that it begins with, from its first column.
    """

    text: str
    language: str
    first: int = 1


@dataclass(frozen=True, eq=False)
class ConnectorPackage(Event):
    """A connector package of Spark Streaming; `around` is None where nothing can be rewritten."""

    KEY = "connector"
    text: str
    connector: str
    around: Surroundings | None = None


@dataclass(frozen=True, eq=False)
class Requirement(Event):
    """A version of PySpark ("pyspark"), its Python ("python") or Spark ("spark") that something
    asks for, or a Java ("java") that is too old.
    """

    KEY = "kind"
    kind: str
    text: str
    version: str
    around: Surroundings | None = None


@dataclass(frozen=True, eq=False)
class SubmitCommand(Event):
    """A `spark-submit` of a job with DStream code, and the edit that lets us submit it."""

    job: str
    edit: TextEdit


@dataclass(frozen=True, eq=False)
class SparkHome(Event):
    """A Spark is named by its folder.

    Parameters
    ----------
    what : str
        "findspark" (a call of `findspark.init`), "variable" (`SPARK_HOME` is set), "path" (an
        entry of `sys.path` or `PYTHONPATH`), "command" (`spark-submit` by its path or by the name
        of one version), "setting" (of a platform, such as `SPARK_MAJOR_VERSION`), or "search"
        (findspark is to look for one).
    text : str
        What names it.
    spark : str
        What is known of it, such as "Spark 2.4.4"; "" if it names no version.
    is_old : bool
        Whether it is proven to be older than Spark 4.
    edits : tuple of TextEdit
        What drops it, nothing if that is not proven right.
    caveat : str
        What the edits may change besides.
    after : tuple of str
        The files that need `SPARK_HOME` until their own fixes are made.
    unsets : bool
        Whether the edits leave `SPARK_HOME` unset, so that nothing else may read it.
    """

    KEY = "what"
    what: str
    text: str
    spark: str
    is_old: bool
    edits: tuple[TextEdit, ...] = ()
    caveat: str = ""
    unsets: bool = False
    after: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class SparkHomeRead(Event):
    """`SPARK_HOME` is read, other than to find an old Spark."""


# Events about a job as a whole, and about the code around its streams.


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


# Events of Scala and Java sources.


@dataclass(frozen=True, eq=False)
class JvmUse(Use):
    """A use of Spark Streaming's Scala or Java API; nothing of it runs with dstream_compat.

    Parameters
    ----------
    language : str
        "Scala" or "Java".
    """

    language: str = ""

    @property
    def call_text(self) -> str:
        """What is called, or made with `new`."""
        if self.use == "construct":
            return f"new {self.name}"
        return f"{self.receiver}.{self.name}"

    @property
    def key(self) -> str:
        """What is called; all that make streams of a system share one key, but for Kafka."""
        makes = self.receiver.endswith("Utils") and self.name.startswith("create")
        if makes and self.receiver != "KafkaUtils":
            return self.receiver
        return self.call_text


# Events of the conversion of Python 2.


@dataclass(frozen=True, eq=False)
class Python2Change(Event):
    """Something that was converted: by which fixer, and what became of it."""

    KEY = "fixer"
    fixer: str
    text: str


@dataclass(frozen=True, eq=False)
class Python2Doubt(Event):
    """A place whose meaning in Python 3 is not proven to be the same.

    Parameters
    ----------
    kind : str
        Which doubt it is, for one rule.
    text : str
        The source that it is about.
    detail : str
        What is known of it.
    proven : bool
        Whether it is known to fail or to differ.
    """

    KEY = "kind"
    kind: str
    text: str
    detail: str = ""
    proven: bool = False


# Events about names that Python or PySpark had, and that the versions we need lack.


@dataclass(frozen=True, eq=False)
class RemovedName(Event):
    """A use of something that is gone.

    Parameters
    ----------
    what : str
        "builtin", "module", "name" (of a module of Python), "argument", "method" (of an object of
        Python), "dict-method", "print", "list" (an iterator used as a list), "spark-name" or
        "spark-method".
    text : str
        What is used, as a message names it.
    since : str
        The first version without it, or the last Spark with it.
    error : str
        What using it raises, "" if it raises nothing.
    becomes : str
        What the edits make of it.
    advice : str
        What to use instead.
    caveat : str
        What differs then, so that the edits are not safe.
    edits : tuple of TextEdit
        What replaces it, nothing if that is not proven right.
    hidden_by : int
        The line of an `except` that catches the error, 0 if there is none.
    guessed : str
        What has to be true of the receiver, "" if it is known.
    """

    KEY = "what"
    what: str
    text: str
    since: str = "3.0"
    error: str = ""
    becomes: str = ""
    advice: str = ""
    caveat: str = ""
    edits: tuple[TextEdit, ...] = ()
    hidden_by: int = 0
    guessed: str = ""


@dataclass(frozen=True, eq=False)
class LostSession(Event):
    """`toDF` of an RDD in a program that makes no session: the receiver, and the edits."""

    text: str
    edits: tuple[TextEdit, ...] = ()


@dataclass(frozen=True, eq=False)
class AnsiUse(Event):
    """SQL or a cast that may raise now, where it gave NULL: what is done."""

    text: str


# Jobs that have no form in Structured Streaming.


@dataclass(frozen=True, eq=False)
class NoStructuredForm(Event):
    """A step of a job without a form, for which the job stays on this package.

    Parameters
    ----------
    code, text : str
        The kind of reason, and the reason.
    unsafe : tuple of str
        What would differ, if `--unsafe-fixes` would rewrite the job.
    shape : str
        What is known of the shape of JSON texts, with `TYPE` for what the owner has to say.
    option : str
        The option with which this step has a form, if there is one.
    others : int
        How many steps of the job have none even then.
    """

    code: str
    text: str
    unsafe: tuple[str, ...] = ()
    shape: str = ""
    option: str = ""
    others: int = 0
