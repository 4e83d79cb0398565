"""Events about code around streams: what a job lacks, late sources, patches, unused streams."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cached_property

from migrator.collect.api_uses import kind_name
from migrator.collect.jobs import job_of
from migrator.collect.unit_collector import UnitCollector, streaming_object, text_of
from migrator.infer.values import Method, Obj, Ref, Value
from migrator.model.events import Event
from migrator.model.job_events import (
    AttributeOfNone,
    LateStream,
    MissingFromJob,
    PatchedName,
    RuntimeCode,
    SessionSingleton,
    UnusedStream,
)
from migrator.model.report import Confidence
from migrator.spark import api
from migrator.spark.kinds import STREAMING, STREAMS, Kind

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
        owner = methods[0].owner
        inferred = self.inferred_event(func, self.facts.receivers[func], owner)
        if inferred.confidence is not Confidence.PROVEN:
            return
        if func.attr in _SOURCES and any(m.owner.tag == "recovered" for m in methods):
            yield LateStream(inferred.at, inferred.confidence, inferred.evidence, func.attr)
        if func.attr in ("start", "checkpoint"):
            job = job_of(self.program)
            what = "output" if func.attr == "start" else "state"
            if not job.escapes and not (job.outputs if what == "output" else job.state):
                yield MissingFromJob(inferred.at, inferred.confidence, inferred.evidence, what)

    def _of_ref(self, node: ast.Call, ref: Ref, callee: Value) -> Iterator[Event]:
        path = api.canonical(ref.path)
        call_spec = api.CALLS.get(path)
        if call_spec is not None and call_spec.gives in STREAMS and node.args:
            context = self.facts.values.get(node.args[0])
            for atom in () if context is None else context.sorted_atoms():
                if isinstance(atom, Obj) and atom.tag == "recovered" and not atom.probable:
                    inferred = self.inferred_event(node.func, callee, atom)
                    yield LateStream(
                        inferred.at, inferred.confidence, inferred.evidence, path.split(".")[-1]
                    )
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
                    inferred = self.inferred_event(node, value, atom)
                    text = text_of(node)
                    yield RuntimeCode(
                        inferred.at, inferred.confidence, inferred.evidence, "getattr", text
                    )

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
        inferred = self.inferred_event(call.func, self.facts.receivers[call.func], methods[0].owner)
        if inferred.confidence is Confidence.PROVEN:
            text = f"{call.func.attr}()"
            yield UnusedStream(inferred.at, inferred.confidence, inferred.evidence, text, name)

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
