"""Events about code around streams: what a job lacks, late sources, patches, unused streams,
functions of batches, contexts from elsewhere.
"""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from migrator.collect.api_uses import kind_name
from migrator.collect.unit_collector import UnitCollector, streaming_object, text_of
from migrator.infer.program import FunctionInfo, Program
from migrator.infer.values import Method, Obj, Ref, Value, atoms_within, holds_streams
from migrator.model.events import (
    AttributeOfNone,
    Event,
    ForeignContext,
    InferredEvent,
    LateStream,
    LostOffsets,
    MissingFromJob,
    PatchedName,
    RddCode,
    RuntimeCode,
    SessionSingleton,
    UnusedStream,
)
from migrator.model.report import Confidence
from migrator.source.child_nodes import enclosing_functions
from migrator.spark import api
from migrator.spark.kinds import STREAMING, STREAMS, Kind

# Sums up what a job has (outputs, state, checkpoints) over all modules that it may consist of.

_OUTPUTS = frozenset(
    {
        *("pprint", "foreachRDD", "saveAsTextFiles", "foreach", "to_dataframe"),
        "saveToCassandra",  # of pyspark_cassandra
        "trainOn",  # of MLlib's models
    }
)
_STATE = frozenset(
    {
        *("updateStateByKey", "mapWithState", "reduceByKeyAndWindow", "reduceByWindow"),
        *("countByWindow", "countByValueAndWindow", "getOrCreate", "getActiveOrCreate"),
    }
)
_PRIVATE = frozenset({"_jdstream", "_jssc"})
# what is given to these does not get outputs or state
_HARMLESS = (
    *("builtins.", "pyspark.", "functools.", "threading.", "signal.", "logging.", "atexit."),
    *("collections.", "contextlib.", "itertools.chain", "itertools.islice", "itertools.cycle"),
)
# these call what they are given
_CALLERS = frozenset(
    {
        *("builtins.map", "builtins.filter", "functools.reduce", "functools.partial"),
        *("threading.Thread", "threading.Timer", "multiprocessing.Process", "atexit.register"),
    }
)
# these may do anything with whatever is in reach
_ANYTHING = frozenset(
    {"builtins.exec", "builtins.eval", "runpy.run_path", "runpy.run_module", "IPython.get_ipython"}
)


@dataclass(frozen=True, slots=True)
class Summary:
    """What a module does to streams; `escapes`: it hands them to code that is not known."""

    outputs: bool
    state: bool
    escapes: bool


def job_of(program: Program) -> Summary:
    """Return the same for all modules that may run together with one."""
    parts = [_summary(p) for p in _together(program)]
    return Summary(
        any(p.outputs for p in parts),
        any(p.state for p in parts),
        any(p.escapes for p in parts) or bool(program.project.failed),
    )


def _together(program: Program) -> set[Program]:
    """Return the modules that import a module, directly or not, and all that these import."""
    programs = program.project.programs
    imports = {
        p: [q for path in p.imports if (q := p.project.program(path)) is not None]
        for p in programs.values()
    }
    above = {program}
    while True:
        more = {
            p for p, programs in imports.items() if p not in above and above.intersection(programs)
        }
        if not more:
            break
        above |= more
    found: set[Program] = set()
    pending = list(above)
    while pending:
        current = pending.pop()
        if current not in found:
            found.add(current)
            pending += imports.get(current, [])
    return found


def _summary(program: Program) -> Summary:
    names = set(_attribute_names(program))
    private = bool(names & _PRIVATE)
    return Summary(
        bool(names & _OUTPUTS) or private,
        bool(names & _STATE) or private,
        program.facts.escapes or _is_unread(program) or any(_escapes(program)),
    )


def _is_unread(program: Program) -> bool:
    """Return whether a part of a module does not parse, which may have outputs and state."""
    return program.unit is not None and bool(program.unit.unread)


def _attribute_names(program: Program) -> Iterator[str]:
    """Yield names taken from something that is or may be a stream or context."""
    for node, value in program.facts.receivers.items():
        ours = holds_streams(value) or _is_api(value)
        if node.attr in _PRIVATE or value.unknown or ours:
            yield node.attr


def _is_api(value: Value) -> bool:
    return any(
        (isinstance(a, Ref) and a.path.startswith("pyspark.streaming"))
        or (isinstance(a, Obj) and a.kind is Kind.STREAMING_MODEL)
        for a in value.atoms
    )


def _escapes(program: Program) -> Iterator[bool]:
    values = program.facts.values
    for node in values:
        match node:
            case ast.Call(func=ast.Name(id="getattr"), args=[base, name, *_]):
                # any method, an output too
                yield not isinstance(name, ast.Constant) and holds_streams(values.get(base))
    for call, callee in program.facts.callees.items():
        if callee.paths & _ANYTHING:
            yield True
        arguments = [*call.args, *(k.value for k in call.keywords)]
        if _is_unknown(callee) or (callee.paths & _CALLERS and _any_unknown(values, arguments)):
            yield any(holds_streams(values.get(_inner(node))) for node in arguments)


def _is_unknown(callee: Value) -> bool:
    return callee.unknown or not all(_is_harmless(a) for a in callee.atoms)


def _any_unknown(values: dict[ast.expr, Value], arguments: list[ast.expr]) -> bool:
    values_found = (values.get(node) for node in arguments)
    return any(value is not None and _is_unknown(value) for value in values_found)


def _inner(node: ast.expr) -> ast.expr:
    return node.value if isinstance(node, ast.Starred) else node


def _is_harmless(atom: object) -> bool:
    return not isinstance(atom, Ref) or atom.path.startswith(_HARMLESS)


_SOURCES = frozenset(
    {"socketTextStream", "textFileStream", "binaryRecordsStream", "queueStream", "transform"}
) | {"union"}
_NAME = re.compile(r"[^\W\d]\w*")
_SELF = frozenset({"cache", "persist", "checkpoint"})
# of streams and contexts
_GIVE_NOTHING = frozenset(
    {
        *("pprint", "foreachRDD", "saveAsTextFiles", "start", "stop", "awaitTermination"),
        *("remember", "checkpoint", "addStreamingListener"),
    }
)
_TESTS = (ast.If, ast.While, ast.IfExp, ast.Assert)


class JobCode(UnitCollector):
    """Collects the events of a unit that are not about one use of the API."""

    def call(self, node: ast.Call) -> Iterator[Event]:
        """Yield the events of a call about the job that it belongs to."""
        callee = self.facts.callees.get(node)
        if callee is None:
            # `getattr` is not evaluated as a call
            yield from self._getattr(node)
            return
        methods = [a for a in callee.sorted_atoms() if isinstance(a, Method)]
        names = {m.name for m in methods if m.owner.kind is Kind.STREAMING_CONTEXT}
        if names and isinstance(node.func, ast.Attribute):
            yield from self._of_context(node, node.func, methods)
        for atom in callee.sorted_atoms():
            if isinstance(atom, Ref):
                yield from self._of_ref(node, atom, callee)

    def _of_context(
        self, node: ast.Call, func: ast.Attribute, methods: list[Method]
    ) -> Iterator[Event]:
        receiver = func, self.facts.receivers[func], methods[0].owner
        if self.inferred_event(InferredEvent, *receiver).confidence is not Confidence.PROVEN:
            return
        if func.attr in _SOURCES and any(m.owner.tag == "recovered" for m in methods):
            yield self.inferred_event(LateStream, *receiver, func.attr)
        if func.attr in ("start", "checkpoint"):
            job = job_of(self.program)
            what = "output" if func.attr == "start" else "state"
            if not job.escapes and not (job.outputs if what == "output" else job.state):
                yield self.inferred_event(MissingFromJob, *receiver, what)

    def _of_ref(self, node: ast.Call, ref: Ref, callee: Value) -> Iterator[Event]:
        path = api.canonical(ref.path)
        call_spec = api.CALLS.get(path)
        if call_spec is not None and call_spec.gives in STREAMS and node.args:
            context = self.facts.values.get(node.args[0])
            for atom in () if context is None else context.sorted_atoms():
                if isinstance(atom, Obj) and atom.tag == "recovered" and not atom.probable:
                    name = path.split(".")[-1]
                    yield self.inferred_event(LateStream, node.func, callee, atom, name)
        if path == "builtins.setattr" and len(node.args) == 3:
            match node.args[1]:
                case ast.Constant(value=str(name)):
                    yield from self._patch(node.args[0], name, self.facts.values.get(node.args[0]))

    def _getattr(self, node: ast.Call) -> Iterator[Event]:
        match node:
            case ast.Call(func=ast.Name(id="getattr"), args=[base, name, *_]):
                value = self.facts.values.get(base)
                atom = streaming_object(value)
                if atom is not None and value is not None and not isinstance(name, ast.Constant):
                    more = "getattr", text_of(node)
                    yield self.inferred_event(RuntimeCode, node, value, atom, *more)

    def assign(self, node: ast.Assign) -> Iterator[Event]:
        """Find patches, and sessions kept in `globals()`."""
        for target in node.targets:
            match target:
                case ast.Attribute(value=base, attr=name):
                    yield from self._patch(base, name, self.facts.values.get(base))
                case ast.Subscript(value=ast.Call(func=ast.Name(id="globals"), args=[])):
                    if self._is_session(node.value):
                        at = self.unit.spot_of(node)
                        yield SessionSingleton(at, text_of(target))

    def _patch(self, base: ast.expr, name: str, value: Value | None) -> Iterator[Event]:
        if value is None or value.unknown or len(value.atoms) != 1:
            return
        (atom,) = value.atoms
        at = self.unit.spot_of(base)
        if isinstance(atom, Ref) and not atom.probable:
            kind = api.INSTANCES.get(api.canonical(atom.path))
            if kind in STREAMING:
                yield PatchedName(at, Confidence.PROVEN, (), kind_name(kind), name, True)
        elif (
            isinstance(atom, Obj)
            and atom.kind in STREAMING
            and not atom.probable
            and name in api.METHODS[atom.kind]
        ):
            evidence = self.uses.evidence(atom.why)
            yield PatchedName(at, Confidence.PROVEN, evidence, kind_name(atom.kind), name, False)

    def _is_session(self, node: ast.expr) -> bool:
        value = self.facts.values.get(node)
        if value is not None and any(
            isinstance(a, Obj) and a.kind is Kind.SPARK_SESSION for a in value.atoms
        ):
            return True
        callee = self.facts.callees.get(node) if isinstance(node, ast.Call) else None
        return callee is not None and any(p.startswith("pyspark.sql.") for p in callee.paths)

    def expression(self, node: ast.Expr) -> Iterator[Event]:
        """Yield a stream that is thrown away where it is made."""
        if isinstance(node.value, ast.Call):
            yield from self._unused_stream_events(node.value, None)

    def _unused_stream_events(self, call: ast.Call, name: str | None) -> Iterator[Event]:
        callee = self.facts.callees.get(call)
        if callee is None or callee.unknown or not isinstance(call.func, ast.Attribute):
            return
        atoms = callee.sorted_atoms()
        methods = [a for a in atoms if isinstance(a, Method) and a.owner.kind in STREAMING]
        if not methods or len(methods) != len(atoms) or call.func.attr in _SELF:
            return
        if any(api.METHODS[m.owner.kind][m.name].gives is not Kind.DSTREAM for m in methods):
            return
        receiver = call.func, self.facts.receivers[call.func], methods[0].owner
        event = self.inferred_event(UnusedStream, *receiver, f"{call.func.attr}()", name)
        if event.confidence is Confidence.PROVEN:
            yield event

    def unit_events(self) -> Iterator[Event]:
        """Find streams bound to a name that nothing reads."""
        bound = [
            (node.targets[0].id, node.value)
            for node in self.unit.nodes()
            if isinstance(node, ast.Assign)
            and len(node.targets) == 1
            and isinstance(node.targets[0], ast.Name)
            and isinstance(node.value, ast.Call)
            and streaming_object(self.facts.values.get(node.value)) is not None
        ]
        if not bound:
            return
        read = self._names_in_use()
        for name, call in bound:
            if read is not None and name not in read:
                yield from self._unused_stream_events(call, name)

    def _names_in_use(self) -> set[str] | None:
        """Return the names that are read anywhere, None if that is not known."""
        names_read = set(self.program.demanded)
        if "*" in names_read:
            return None
        names_read.update(name for text in self.unit.unread for name in _NAME.findall(text))
        for node in self.unit.nodes():
            match node:
                case ast.Name(id="locals" | "globals" | "vars" | "eval" | "exec"):
                    return None
                case ast.Name(id=name, ctx=ast.Load() | ast.Del()):
                    names_read.add(name)
                case ast.Global(names=names) | ast.Nonlocal(names=names):
                    names_read |= set(names)
                case ast.Constant(value=str(text)):
                    # perhaps in `__all__`
                    names_read.add(text)
        return names_read


class MissingResults(UnitCollector):
    """Collects the attributes that are taken from such a result."""

    def unit_events(self) -> Iterator[Event]:
        """Yield the events that need the whole unit."""
        for node, value in self.facts.receivers.items():
            if len(value.atoms) != 1 or value.unknown:
                continue
            (atom,) = value.atoms
            if isinstance(atom, Obj) and atom.kind is Kind.NONE and atom.why:
                name = atom.why[-1].text
                if name in _GIVE_NOTHING and not self._is_guarded(node, name):
                    sure = self.facts.converged and not atom.probable
                    confidence = Confidence.PROVEN if sure else Confidence.PROBABLE
                    at, evidence = self.unit.name_spot(node), self.uses.evidence(atom.why)
                    yield AttributeOfNone(at, confidence, evidence, name, node.attr)

    def _is_guarded(self, node: ast.Attribute, name: str) -> bool:
        """Return whether the program tests the value first, or has its own method of that name."""
        if any(patched == name for _, patched in self.facts.patched):
            return True
        tested = isinstance(node.value, ast.Name) and node.value.id in self._tested_names
        return tested or self.uses.is_guarded(node)

    @cached_property
    def _tested_names(self) -> set[str]:
        """The names that stand in conditions."""
        tests = [n.test for n in self.unit.nodes() if isinstance(n, _TESTS)]
        tests += [n for n in self.unit.nodes() if isinstance(n, ast.BoolOp)]
        return {n.id for test in tests for n in ast.walk(test) if isinstance(n, ast.Name)}


# Events about functions that get the RDD of each batch, and about code made at run time.

_EVALUATE = frozenset({"builtins.eval", "builtins.exec"})


class BatchFunctions(UnitCollector):
    """Collects these events for a whole unit."""

    def unit_events(self) -> Iterator[Event]:
        """Yield the events that need the whole unit."""
        batches = {n: v for n, v in self.facts.receivers.items() if _batch(v) is not None}
        codes = [n for n, callee in self.facts.callees.items() if callee.paths & _EVALUATE]
        if batches or codes:
            where = enclosing_functions(self.unit.tree)
            yield from self._rdd_code(batches, where)
            yield from self._run_time_code_events(codes, where)

    def _rdd_code(
        self, batches: dict[ast.Attribute, Value], where: dict[ast.AST, ast.AST]
    ) -> Iterator[Event]:
        by_function: dict[ast.AST, list[ast.Attribute]] = {}
        for node in batches:
            if node.attr == "offsetRanges":
                yield from self._offsets(node, batches[node])
            elif node in where and not node.attr.startswith("_"):
                by_function.setdefault(where[node], []).append(node)
        for function, nodes in by_function.items():
            nodes.sort(key=lambda n: (n.end_lineno or 0, n.end_col_offset or 0))
            first = nodes[0]
            atom = _batch(batches[first])
            assert atom is not None
            name = getattr(function, "name", "a lambda")
            operations = tuple(dict.fromkeys(n.attr for n in nodes))
            yield self.inferred_event(RddCode, first, batches[first], atom, name, operations)

    def _offsets(self, node: ast.Attribute, value: Value) -> Iterator[Event]:
        tags = {a.tag for a in value.atoms if isinstance(a, Obj)}
        atom = _batch(value)
        if value.unknown or tags != {"batch"} or atom is None:
            return
        if not self.uses.is_guarded(node):
            yield self.inferred_event(LostOffsets, node, value, atom)

    def _run_time_code_events(
        self, codes: list[ast.Call], where: dict[ast.AST, ast.AST]
    ) -> Iterator[Event]:
        near: set[ast.AST | None] = {
            where.get(node)
            for node, value in self.facts.receivers.items()
            if streaming_object(value) is not None
        }
        # and those that are given what a batch has
        near |= {
            node
            for node, info in self.program.functions.items()
            if any(_holds_batch(value) for value in info.params.values())
        }
        for call in codes:
            if where.get(call) in near:
                what = ast.unparse(call.func).rpartition(".")[2]
                at = self.unit.spot_of(call)
                yield RuntimeCode(at, Confidence.PROVEN, (), what, text_of(call))


def _holds_batch(value: Value) -> bool:
    """Return whether a value is or holds the RDD of a batch."""
    return any(
        isinstance(a, Obj) and a.kind is Kind.RDD and bool(a.tag) for a in atoms_within([value])
    )


def _batch(value: Value) -> Obj | None:
    """Return the RDD of a batch in a value."""
    for atom in value.sorted_atoms():
        if isinstance(atom, Obj) and atom.kind is Kind.RDD and atom.tag:
            return atom
    return None


# Contexts that a program only gets, from code that is not part of the tree.


# where the evidence begins if nobody is seen to make the object
_ASSUMED = ("only a ", "declared as ")
_SPARK = frozenset({"pyspark", "dstream_compat"})
_TEST = re.compile(
    r"^\s*(?:import|from)\s+(?:unittest|pytest|nose)\b|^\s*def\s+test_", re.MULTILINE
)


class ForeignContexts(UnitCollector):
    """Collects the first use of such a context in a job."""

    def unit_events(self) -> Iterator[Event]:
        """Yield the event of the unit, if it has one."""
        assumed_nodes = [n for n, v in self.facts.receivers.items() if _is_assumed(v)]
        if not assumed_nodes or self.unit.unread or self.program.project.failed:
            return
        if any(_TEST.search(chunk.text) for chunk in self.unit.chunks):
            return
        starts = {text_of(n.value) for n in self.facts.receivers if n.attr == "start"}
        where = enclosing_functions(self.unit.tree)
        assumed_nodes.sort(key=lambda n: (n.end_lineno or 0, n.end_col_offset or 0))
        for node in assumed_nodes:
            name = text_of(node.value)
            info = next((i for f, i in self.program.functions.items() if f is where[node]), None)
            is_others = info is not None and ("decorated" in info.flags or _has_foreign_base(info))
            if name in starts or is_others:
                by_others = info is not None and is_others and not self._is_called(info.name)
                yield ForeignContext(self.unit.name_spot(node), name, by_others=by_others)
                return

    def _is_called(self, name: str) -> bool:
        """Return whether a function of this name is called by the programs of the job."""
        units = (program.unit for program in self.program.project.programs.values())
        nodes = (node for unit in units if unit is not None for node in unit.nodes())
        calls = (node for node in nodes if isinstance(node, ast.Call))
        return any(
            (isinstance(call.func, ast.Attribute) and call.func.attr == name)
            or (isinstance(call.func, ast.Name) and call.func.id == name)
            for call in calls
        )


def _has_foreign_base(info: FunctionInfo) -> bool:
    """Return whether a function is a method that a base class from elsewhere may call."""
    for family in () if info.owner is None else info.owner.ancestors():
        for base in family.node.bases:
            if isinstance(base, ast.Name) and hasattr(builtins, base.id):
                continue
            value = info.program.facts.values.get(base, family.bases)
            roots = {a.path.partition(".")[0] for a in value.atoms if isinstance(a, Ref)}
            if value.unknown or roots - sys.stdlib_module_names - _SPARK:
                return True
    return False


def _is_assumed(value: Value) -> bool:
    """Return whether a value is a context, and nothing says who has made it."""
    contexts = [a for a in value.atoms if isinstance(a, Obj) and a.kind is Kind.STREAMING_CONTEXT]
    return bool(contexts) and all(a.why and a.why[0].text.startswith(_ASSUMED) for a in contexts)
