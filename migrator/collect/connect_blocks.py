"""Events about code that Spark Connect and serverless Spark cannot run.

There the program is a client: it has no `SparkContext`, no JVM, and functions of `foreachBatch` run
in a process of the server.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrator.collect.unit_collector import UnitCollector, text_of
from migrator.infer.scopes import locals_of
from migrator.infer.values import Obj, Ref, Value
from migrator.model.events import ConnectBlock, Event, FunctionState
from migrator.spark import api
from migrator.spark.kinds import Kind

_SPARK = frozenset(
    {Kind.SPARK_CONTEXT, Kind.SPARK_SESSION, Kind.SQL_CONTEXT, Kind.RDD, Kind.DATAFRAME}
)
_JVM = frozenset(
    {"_jvm", "_jsc", "_gateway", "_jdf", "_jrdd", "_jsparkSession", "_jsqlContext", "_ssql_ctx"}
)
_SHARED = frozenset({"broadcast", "accumulator"})
_FILES = frozenset({"addFile", "addPyFile", "addArchive"})
_SETTINGS = frozenset(
    {"setLogLevel", "setCheckpointDir", "setLocalProperty", "setJobGroup", "setJobDescription"}
)
_RDDS = frozenset(n for n, value in api.SPARK_CONTEXT.items() if value.gives is Kind.RDD)
_CONTEXTS = ("pyspark.sql.SQLContext", "pyspark.sql.HiveContext")
_OLD = frozenset({*_CONTEXTS, *(f"{name}.getOrCreate" for name in _CONTEXTS)})
# functions given to these run on executors, or for foreachBatch in the server's process
_RUN_ELSEWHERE = frozenset(
    {"foreachBatch", "foreach", "foreachPartition", "map", "flatMap", "filter", "mapPartitions"}
) | {"mapValues", "flatMapValues", "reduceByKey", "updateStateByKey"}
_BATCHES = frozenset({"foreachBatch", "foreachRDD"})
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class ConnectBlocks(UnitCollector):
    """Collects these events for a whole unit."""

    def unit_events(self) -> Iterator[Event]:
        """Yield the events of the unit."""
        for node, value in self.facts.receivers.items():
            yield from self._attribute(node, value)
        for call, callee in self.facts.callees.items():
            yield from self._construct(call, callee)
        yield from self._functions()

    def _attribute(self, node: ast.Attribute, value: Value) -> Iterator[Event]:
        atom = _only(value)
        what = None if atom is None else _need(atom.kind, node.attr)
        if what and atom is not None and isinstance(node.ctx, ast.Load):
            yield self.inferred_event(ConnectBlock, node, value, atom, what, text_of(node))

    def _construct(self, call: ast.Call, callee: Value) -> Iterator[Event]:
        for atom in callee.sorted_atoms():
            if isinstance(atom, Ref) and api.canonical(atom.path) in _OLD:
                made = Obj(Kind.SQL_CONTEXT, atom.probable)
                more = "context", text_of(call)
                yield self.inferred_event(ConnectBlock, call.func, callee, made, *more)

    def _functions(self) -> Iterator[Event]:
        """Yield the events of functions that are given to methods of Spark, each function once."""
        by_name: dict[str, list[Function]] = {}
        for node in self.unit.nodes():
            if isinstance(node, _FUNCTIONS):
                by_name.setdefault(node.name, []).append(node)
        seen: set[tuple[ast.AST, str]] = set()
        for call in self.unit.nodes():
            match call:
                case ast.Call(func=ast.Attribute(attr=method) as func, args=[argument, *_]):
                    function = _function(argument, by_name)
                    if function is None or not self._is_sparks(func):
                        continue
                    for event in self._inside(function, method):
                        if (function, event.what + event.name) not in seen:
                            seen.add((function, event.what + event.name))
                            yield event

    def _is_sparks(self, func: ast.Attribute) -> bool:
        """Return whether a method is one of Spark's; nothing else has a foreachBatch."""
        if func.attr == "foreachBatch":
            return True
        value = self.facts.receivers.get(func)
        return value is not None and any(
            isinstance(a, Obj) and a.kind in (Kind.DSTREAM, Kind.KAFKA_DSTREAM, *_SPARK)
            for a in value.atoms
        )

    def _inside(self, function: Function, method: str) -> Iterator[FunctionState]:
        name = getattr(function, "name", "a lambda")
        if method in _RUN_ELSEWHERE:
            for node, changed in _changed_globals(function):
                at = self.unit.spot_of(node)
                yield FunctionState(at, "global", changed, name, method)
        if method in _BATCHES:
            own = locals_of(function)
            for inner in ast.walk(function):
                match inner:
                    case ast.Attribute(value=ast.Name(id=used) as base) if used not in own:
                        value = self.facts.receivers.get(inner)
                        atom = None if value is None else _only(value)
                        if atom is not None and atom.kind is Kind.SPARK_SESSION:
                            at = self.unit.spot_of(base)
                            yield FunctionState(at, "session", used, name, method)


def _need(kind: Kind, name: str) -> str | None:
    """Return what of a driver an attribute needs."""
    if kind in _SPARK and name in _JVM:
        return "jvm"
    if kind is Kind.DATAFRAME:
        return "rdd" if name == "rdd" else None
    if kind is not Kind.SPARK_CONTEXT:
        return None
    groups = {"rdd": _RDDS, "shared": _SHARED, "file": _FILES, "setting": _SETTINGS}
    return next((what for what, names in groups.items() if name in names), None)


def _only(value: Value) -> Obj | None:
    """Return the object of a value that can be nothing else."""
    atoms = list(value.without_none())
    if value.unknown or len({a.kind if isinstance(a, Obj) else None for a in atoms}) != 1:
        return None
    return atoms[0] if isinstance(atoms[0], Obj) else None


def _function(node: ast.expr, by_name: dict[str, list[Function]]) -> Function | None:
    """Return the function that is given, if it is in this unit and its name has one meaning."""
    match node:
        case ast.Lambda():
            return node
        case ast.Name(id=name) | ast.Attribute(value=ast.Name(id="self"), attr=name):
            functions = by_name.get(name, [])
            return functions[0] if len(functions) == 1 else None
    return None


def _changed_globals(function: Function) -> Iterator[tuple[ast.Name, str]]:
    """Yield the names that a function declares as global and binds, each where it does so first."""
    nodes = list(ast.walk(function))
    declared = {name for node in nodes if isinstance(node, ast.Global) for name in node.names}
    for node in nodes:
        if isinstance(node, ast.Name) and node.id in declared and isinstance(node.ctx, ast.Store):
            declared.discard(node.id)
            yield node, node.id
