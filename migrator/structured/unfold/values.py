"""What inference says of the values in a module: which of them a job is made of."""

from __future__ import annotations

import ast
from collections.abc import Collection

from migrator.infer.values import Function, LocalObj, Map, Obj, Seq, Tuple, Value
from migrator.spark.kinds import STREAMING, Kind

from ..program.modules import SourceModule

JOB = STREAMING | {Kind.SPARK_CONF}
"""What only the job has: other code has no use for it once it is gone."""
MADE = JOB | {Kind.SPARK_CONTEXT, Kind.SPARK_SESSION, Kind.SQL_CONTEXT, Kind.RDD}
"""What functions may make for a job."""


def holds(value: Value | None, wanted: Collection[Kind]) -> bool:
    """Return whether a value may be an object of one of these kinds, or have one in it."""
    for atom in () if value is None else value.atoms:
        match atom:
            case Obj(kind=kind) if kind in wanted:
                return True
            case Seq(item=item) if holds(item, wanted):
                return True
            case Tuple(items=items) if any(holds(each, wanted) for each in items):
                return True
            case Map() if holds(atom.all(), wanted):
                return True
    return False


def kinds(value: Value | None) -> set[Kind]:
    """Return the kinds that a value has; none if it may be something else."""
    if value is None or value.unknown:
        return set()
    if not all(isinstance(each, Obj) and not each.probable for each in value.atoms):
        return set()
    return {atom.kind for atom in value.atoms if isinstance(atom, Obj)}


def is_one_of(value: Value | None, wanted: Collection[Kind]) -> bool:
    """Return whether a value is proven to be an object of one of these kinds."""
    found = kinds(value)
    return bool(found) and found.issubset(wanted)


def is_object(value: Value | None) -> bool:
    """Return whether a value is proven to be an object of a class of the module."""
    if value is None or value.unknown or len(value.atoms) != 1:
        return False
    return all(isinstance(each, LocalObj) for each in value.atoms)


def function_of(module: SourceModule, call: ast.Call) -> Function | None:
    """Return the only function of the module that a call may call."""
    found = module.facts.callees.get(call)
    match None if found is None or found.unknown else [*found.atoms]:
        case [Function(info=info) as function] if info.program is module.program:
            return function if isinstance(info.node, ast.FunctionDef) else None
    return None


def is_in_batch(module: SourceModule, node: ast.AST | None) -> bool:
    """Return whether code runs in a batch, or whenever a function in the code is called."""
    while node is not None:
        if isinstance(node, ast.Lambda | ast.AsyncFunctionDef):
            return True
        if isinstance(node, ast.FunctionDef):
            info = module.program.functions.get(node)
            if info is None or any(
                isinstance(atom, Obj) and atom.tag
                for value in info.params.values()
                for atom in value.atoms
                if isinstance(atom, Obj) and atom.kind is Kind.RDD
            ):
                return True
        node = module.parents.get(node)
    return False
