"""What inference says of the values in a module: which of them a job is made of."""

from __future__ import annotations

import ast
from collections.abc import Collection

from migrator.infer.values import Function, LocalObj, Obj, Value, atoms_within
from migrator.spark.kinds import STREAMING, Kind

from .modules import SourceModule

JOB = STREAMING | {Kind.SPARK_CONF}
"""What only the job has: other code has no use for it once it is gone."""
MADE = JOB | {Kind.SPARK_CONTEXT, Kind.SPARK_SESSION, Kind.SQL_CONTEXT, Kind.RDD}
"""What functions may make for a job."""
CONTEXTS = ("sparkContext", "_sc")
"""The attributes of a session or context that are its SparkContext."""


def holds(value: Value | None, kinds: Collection[Kind]) -> bool:
    """Return whether a value may be an object of one of these kinds, or have one in it."""
    atoms = () if value is None else atoms_within([value])
    return any(isinstance(atom, Obj) and atom.kind in kinds for atom in atoms)


def has_any(module: SourceModule, code: ast.AST, kinds: Collection[Kind]) -> bool:
    """Return whether some code may use an object of one of these kinds."""
    values = module.facts.values
    parts = (node for node in ast.walk(code) if isinstance(node, ast.expr))
    return any(holds(values.get(part), kinds) for part in parts)


def builds_job(module: SourceModule, code: ast.AST) -> bool:
    """Return whether some code may use what only the job has; its SparkContext is no such thing."""
    values = module.facts.values
    for node in ast.walk(code):
        if isinstance(node, ast.expr) and holds(values.get(node), JOB):
            parent = module.parents[node]
            only_context = isinstance(parent, ast.Attribute) and parent.attr in CONTEXTS
            if not (only_context and is_one_of(values.get(node), {Kind.STREAMING_CONTEXT})):
                return True
    return False


def kinds(value: Value | None) -> set[Kind]:
    """Return the kinds that a value has; none if it may be something else."""
    if value is None or value.unknown:
        return set()
    if not all(isinstance(atom, Obj) and not atom.probable for atom in value.atoms):
        return set()
    return {atom.kind for atom in value.atoms if isinstance(atom, Obj)}


def is_one_of(value: Value | None, kinds_wanted: Collection[Kind]) -> bool:
    """Return whether a value is proven to be an object of one of these kinds."""
    kinds_found = kinds(value)
    return bool(kinds_found) and kinds_found.issubset(kinds_wanted)


def is_object(value: Value | None) -> bool:
    """Return whether a value is proven to be an object of a class of the module."""
    if value is None or value.unknown or len(value.atoms) != 1:
        return False
    return all(isinstance(atom, LocalObj) for atom in value.atoms)


def function_of(module: SourceModule, call: ast.Call) -> Function | None:
    """Return the only function of the module that a call may call."""
    callee = module.facts.callees.get(call)
    match None if callee is None or callee.unknown else [*callee.atoms]:
        case [Function(info=info) as function] if info.program is module.program:
            return function if isinstance(info.node, ast.FunctionDef) else None
    return None


def is_in_batch(module: SourceModule, node: ast.AST | None) -> bool:
    """Return whether code runs in a batch, or whenever a function in the code is called."""
    for outer in () if node is None else module.around(node):
        if isinstance(outer, ast.Lambda | ast.AsyncFunctionDef):
            return True
        if isinstance(outer, ast.FunctionDef):
            info = module.program.functions.get(outer)
            values = () if info is None else info.params.values()
            atoms = [atom for value in values for atom in value.atoms if isinstance(atom, Obj)]
            if info is None or any(atom.tag and atom.kind is Kind.RDD for atom in atoms):
                return True
    return False
