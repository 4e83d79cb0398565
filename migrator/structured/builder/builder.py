"""Makes DataFrames of the nodes of a pipeline."""

from __future__ import annotations

import ast
from collections.abc import Collection
from dataclasses import dataclass, replace

from dstream_compat.native import Code, Refusal, Translation, Translator
from dstream_compat.native.expressions import Cast, Column, Expression, Given, Struct, walk
from dstream_compat.native.json_uses import JsonUses
from dstream_compat.native.raising import always_evaluated
from dstream_compat.native.refusals import ACCEPTABLE
from dstream_compat.native.types import Type
from migrator.spark.needs import needs
from migrator.spark.since import NEWEST, Version, version_name

from ..dataframes.frames import Chain, Frame, Printer
from ..dataframes.named_rows import check_names
from ..program.arguments import bind_arguments
from ..program.carried import CarriedState
from ..program.graph import EITHER, Node, Query, Stage
from ..program.job import JobBlock
from ..program.modules import Block, SourceModule
from ..refusals import NotExpressible, Reason, from_refusal
from ..registry import OPERATORS, SOURCES
from ..windows.durations import WholeNumbers
from ..windows.window_classes import Slices

GROUPS = "groupByKey"
MIXED = "the streams of a name have other types"
LOST_ERROR = "a record on which the job failed may pass, as Spark computes only what is used"


@dataclass(frozen=True)
class RewrittenCall:
    """What a call became.

    Parameters
    ----------
    before, after : str
        the call, and what it became
    why : str
        why this is equal, or what differs
    """

    line: int
    before: str
    after: str
    why: str


@dataclass(frozen=True)
class Start:
    """How the query of a stream with state starts.

    Parameters
    ----------
    mode : str
        its output mode
    trigger : str
        the source of its trigger's interval, empty for the batch interval
    variable : str
        a name for the stream if it has none
    """

    mode: str
    trigger: str = ""
    variable: str = ""


class Builder:
    """Makes the frames of one job.

    Parameters
    ----------
    session : str
        the variable that has the session
    functions : str
        the name of ``pyspark.sql.functions``
    accept : collection of Code
        the differences that are accepted
    spark : (int, int)
        the oldest Spark that the result is to run on
    """

    def __init__(
        self,
        module: SourceModule,
        job: JobBlock,
        session: str,
        functions: str,
        accept: Collection[Code],
        spark: Version = NEWEST,
    ) -> None:
        self.module = module
        self.job = job
        self.session = session
        self.accept = frozenset(accept)
        self.spark = spark
        self.printer = Printer(functions, module.free_name, spark)
        self.query: Query | None = None
        self.accepted: list[Refusal] = []
        self.steps: dict[ast.Call, RewrittenCall] = {}
        self.udfs: set[Node] = set()
        self.defined: dict[Node, tuple[str, Chain]] = {}
        self.reasons: dict[Node, str] = {}
        self.notes: list[str] = []
        # the reasons of all steps, if they are collected
        self.errors: list[Reason] | None = None
        self.edits: list[tuple[int, int, str]] = []
        self.direct: dict[Query, str] = {}
        self.standard: set[str] = set()
        self.datetime = ""
        self.removed: list[ast.stmt] = []
        self.spans: list[tuple[int, int, str]] = []
        self.settings: dict[str, str] = {}
        self.needed: dict[str, set[str]] = {}
        self.starts: dict[Node, Start] = {}
        self.written: dict[Node, Frame] = {}
        self.brokers: str | None = None
        # what the job begins with, if it goes on where another one has stopped
        self.carried: dict[Node, CarriedState] = {}
        self.positions: dict[Node, str] = {}
        self.json: Type | JsonUses | None = None
        self.dropped: list[ast.stmt] = []
        self.classes: dict[Slices, str] = {}
        self.between: set[Node] = set()
        # whether the batches stay RDD code; the functions that they need, and folders of states
        self.batch_code = False
        self.helpers: dict[str, str] = {}
        self.helper_names: dict[str, str] = {}
        self.states = ""
        # calls that make the DataFrames of views of RDDs
        self.frames: set[ast.Call] = set()
        # functions that decode a field of Kafka's records in Python
        self.decoders: dict[Node, dict[str, ast.expr]] = {}
        self.moment = ""
        self.needs_moment = False
        self.state_folders: dict[Node, str] = {}
        is_free = "batch" not in module.names_around(job.block)
        self.batch = "batch" if is_free else module.free_name("batch_df")
        self.batch_id = module.free_name("batch_id", "batch_number")
        self.indent = 0
        self._made: dict[tuple[Query | None, Node], Frame] = {}

    @property
    def unsafe(self) -> bool:
        """Whether stated differences are accepted."""
        return self.accept >= UNSAFE

    def differs(self, code: str, text: str, node: ast.AST) -> None:
        """Refuse what differs, or state the difference if it is accepted.

        Raises
        ------
        NotExpressible
            if differences are not accepted
        """
        if not self.unsafe:
            raise NotExpressible(code, text, node)
        self.note(text)

    def require(self, spark: Version, what: str, node: ast.AST) -> None:
        """Refuse what the Spark has not yet that the result is to run on.

        Raises
        ------
        NotExpressible
            if that is older
        """
        if self.spark < spark:
            own = version_name(self.spark)
            text = f"{what} needs Spark {version_name(spark)}, and the result is for {own}"
            raise NotExpressible("SPARK", text, node)

    def note(self, text: str) -> None:
        """Let the report say something once."""
        if text not in self.notes:
            self.notes.append(text)

    def give(self, node: Node, frame: Frame) -> None:
        """Say what the frame of a node is, which no operator makes."""
        self._made[None if self.is_outside(node) else self.query, node] = frame

    def need(self, module: str, name: str) -> None:
        """Let a name be imported."""
        self.needed.setdefault(module, set()).add(name)

    def builtin(self, name: str) -> str:
        """Return the name of a builtin, for code that the job does not have itself.

        Raises
        ------
        NotExpressible
            if it means something else where the job is built
        """
        module = self.module
        is_bound = name in module.names_around(self.job.block)
        if is_bound and module.paths.get(name) != f"builtins.{name}":
            text = f"`{name}` is a name of the job, and a builtin that the result uses"
            raise NotExpressible("NAME", text, self.job.block.body[0])
        return name

    def translator(self, node: Node) -> Translator:
        """Return the translator of the functions of a node."""
        module, block = self.module, node.block
        environment = WholeNumbers(module, block, module.environment_in(block))
        return Translator(environment, self.accept & ACCEPTABLE, self.json, ASSUMED)

    def arguments(self, node: Node) -> dict[str, ast.expr]:
        """Return the arguments of the call of a node."""
        operator = OPERATORS.get(node.operator) or SOURCES[node.operator]
        arguments = bind_arguments(node.call, operator.parameters)
        assert arguments is not None
        return arguments

    def function(self, block: Block, argument: ast.expr) -> ast.Lambda | ast.FunctionDef:
        """Return the function that an argument is, where names are looked up in a block.

        Raises
        ------
        NotExpressible
            if its source is not in the module
        """
        function, _ = self.module.function_given(block, argument)
        if function is None:
            raise NotExpressible("NO_SOURCE", "the function is not written in this file", argument)
        return function

    def class_of(self, slices: Slices) -> str:
        """Return the name of the class that keeps the slices of a window."""
        if slices not in self.classes:
            self.classes[slices] = self.module.free_name(slices.name)
        return self.classes[slices]

    def source(self, node: ast.expr) -> str:
        """Return a piece of the job as it is written."""
        return self.module.source(node)

    def parent(self, node: Node, place: int = 0) -> Frame:
        """Return the frame of what a node is made of."""
        return self.frame(node.parents[place])

    def checked_translation(self, translation: Translation | Refusal, node: Node) -> Translation:
        """Return a translation.

        Raises
        ------
        NotExpressible
            if there is none
        """
        if isinstance(translation, Refusal):
            raise from_refusal(translation, node.call)
        self.accepted += [part for part in translation.accepted if part not in self.accepted]
        parts = [*walk(translation.expression)]
        texts = {part.operand for part in parts if isinstance(part, Cast) and part.to == "string"}
        for part in parts:
            if isinstance(part, Given) and part not in texts:
                text = f"`{part.name}` fails beyond 64 bits, where Python's integers have no bound"
                self.differs("INT_RANGE", text, node.call)
        return translation

    def pair(self, frame: Frame, node: Node) -> tuple[Expression, Expression]:
        """Return the key and the value of a record."""
        if not isinstance(frame.element, Struct) or len(frame.element.fields) != 2:
            raise NotExpressible("PAIR", f"`{node.operator}` needs pairs", node.call)
        key, value = frame.element.fields
        return key, value

    def keeps(self, frame: Frame, node: Node, *evaluated: Expression) -> None:
        """Check that what raises in a record raises still; with consent it need not.

        Raises
        ------
        NotExpressible
            if Spark would leave out an error of Python
        """
        check_order(self, node, frame, evaluated)
        try:
            frame.keeps(node.call, *evaluated)
        except NotExpressible as error:
            if Code.EVALUATION not in self.accept:
                raise
            self.note(f"line {error.reason.line}: {LOST_ERROR}")

    def frame(self, node: Node) -> Frame:
        """Return the frame of a node: a variable, if the result has one for it."""
        if self.query is not None and node is self.query.cut:
            return replace(self._outside(node), code=Chain(self.batch))
        key = (None if self.is_outside(node) else self.query, node)
        if key not in self._made:
            self._made[key] = self._frame(node)
        return self._made[key]

    def is_outside(self, node: Node) -> bool:
        """Return whether a node is computed before the function of a batch."""
        return self.query is None or node.stage is Stage.STATIC or node is self.query.cut

    def _outside(self, node: Node) -> Frame:
        query, self.query = self.query, None
        try:
            return self.frame(node)
        finally:
            self.query = query

    def define(self, node: Node, name: str) -> Frame:
        """Return the frame of a node; its variable, which later uses of the node are."""
        frame = self._frame(node).with_value_columns()
        key = (None if self.is_outside(node) else self.query, node)
        # a step that only composes expressions needs no variable
        self._made[key] = frame if frame.code.is_name else replace(frame, code=Chain(name))
        return frame

    def _frame(self, node: Node) -> Frame:
        operator = SOURCES[node.operator] if node.is_source else OPERATORS[node.operator]
        frame = operator.make(self, node)
        if node.operator == EITHER:
            return frame
        for either in (child for child in node.children if child.operator == EITHER):
            # all that its name may be has the same columns
            first, other = either.parents
            first = other if other in first.path() else first
            names = frame.names if node is first else self.frame(first).names
            if len(names) != len(frame.names):
                raise NotExpressible("MIXED_TYPES", MIXED, either.call)
            frame = frame.with_element(frame.element, names).only_record_columns()
        before = (e.parents[0] if e.operator == GROUPS else e for e in node.parents)
        check_names(node, list(map(self.frame, before)), frame)
        # groups have no frame of their own
        origin = node.parents[0] if node.parents else None
        if origin is not None and origin.operator == GROUPS:
            (origin,) = origin.parents
        parent = None if origin is None else self.frame(origin)
        start = "" if parent is None else self.printer.expression(parent.code)
        after = self.printer.expression(frame.code)
        if self.spark < NEWEST:
            for name, since in needs(ast.parse(after), self.printer.functions):
                self.require(since, f"`{name}`", node.call)
        if after == start:
            # it is written where the value is used
            changed = parent is None or frame.element != parent.element
            after = start + self.printer.values(frame.leaves) * changed
        self.steps[node.call] = RewrittenCall(
            node.call.end_lineno or node.call.lineno,
            call_as_written(node.call, self.module),
            after.removeprefix(start),
            self.reasons.get(node, operator.reason),
        )
        return frame


def call_as_written(call: ast.Call, module: SourceModule) -> str:
    """Return a call on one line, without what it is called on and without comments."""
    text = module.source(call)
    if isinstance(call.func, ast.Attribute):
        owner = module.source(call.func.value)
        text = text.removeprefix(owner).strip(" \\\n\t")
    lines = (line for line in text.split("\n") if not line.lstrip().startswith("#"))
    return " ".join(" ".join(lines).split())


SAFE = frozenset((Code.CASE_MAPPING, Code.FLOAT_ORDER))
"""Differences that change no result of a batch: see the page of the target."""
ASSUMED = frozenset((Code.CASE_MAPPING,))
"""Differences of which no expression has a test."""
UNSAFE = frozenset((Code.INT_RANGE, Code.INT_TEXT, Code.FLOAT_TEXT, Code.DATETIME_TEXT))
UNSAFE |= {Code.EVALUATION, Code.JSON_SHAPE}
"""Differences that make a job fail on records that it could read before."""


MOVED = frozenset(("filter", "join", "leftOuterJoin", "rightOuterJoin", "fullOuterJoin"))
MOVED |= {"subtract", "subtractByKey"}
"""Methods of which Spark makes conditions that it moves towards the source."""
TEXT = "Spark may compute this before the condition of a Python UDF above it, and it may raise"


def check_order(
    builder: Builder,
    node: Node,
    frame: Frame,
    expressions: tuple[Expression, ...],
    raises: bool = False,
) -> None:
    """Refuse what may raise where Spark may compute it for records that are left out before.

    Spark joins neighbouring conditions, computes those without a UDF first, and all UDFs before any
    condition that uses one. So what comes after such a condition and may raise could raise for
    records that the condition leaves out.

    Raises
    ------
    NotExpressible
        if that is not accepted
    """
    if node.operator not in MOVED:
        return
    before = [step for step in node.path() if step is not node and _is_condition(builder, step)]
    if before and (raises or any(map(frame.may_raise, expressions))):
        builder.differs("EVALUATION", TEXT, node.call)


def _is_condition(builder: Builder, node: Node) -> bool:
    """Return whether a node leaves out records by a UDF."""
    if node.operator not in MOVED:
        return False
    return any(step in builder.udfs for step in node.path())


def after_conditions(frame: Frame, *conditions: Expression) -> Frame:
    """Return a frame after a condition: what that has computed raises no more."""
    parts = {part for condition in conditions for part in always_evaluated(condition)}
    names = {part.name for part in parts if isinstance(part, Column)}
    return replace(frame, raising=frame.raising - frame.with_tied_columns(names))
