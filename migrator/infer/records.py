"""Named tuples: classes that calls make, and tuples that have names."""

from __future__ import annotations

import ast

from migrator.infer.attributes import attribute_of, is_record
from migrator.infer.containers import clip
from migrator.infer.functions import class_info
from migrator.infer.program import ExecutionState
from migrator.infer.values import LocalClass, LocalObj, Ref, Tuple, Value, join, one

_MAKERS = frozenset({"collections.namedtuple", "typing.NamedTuple"})


def record_class(frame: ExecutionState, node: ast.Call, callee: Value) -> Value | None:
    """Return the class that `namedtuple("P", "name stream")` makes, None for another call."""
    if not any(isinstance(a, Ref) and a.path in _MAKERS for a in callee.atoms):
        return None
    names = _field_names(node.args[1]) if len(node.args) > 1 else None
    if names is None:
        return None
    records = frame.program.records
    if node not in records:
        records[node] = ast.ClassDef(_class_name(node.args[0]), [], [], [], [])
        ast.copy_location(records[node], node)
    info = class_info(frame, records[node])
    info.bases = one(Ref("typing.NamedTuple"))
    info.fields = names
    return one(LocalClass(info))


def _class_name(node: ast.expr) -> str:
    match node:
        case ast.Constant(value=str(text)):
            return text
        case _:
            return "namedtuple"


def _field_names(node: ast.expr) -> list[str] | None:
    match node:
        case ast.Constant(value=str(text)):
            return text.replace(",", " ").split()
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            # with their types for typing.NamedTuple
            first = [p.elts[0] if isinstance(p, ast.Tuple) and p.elts else p for p in parts]
            names = [p.value for p in first if isinstance(p, ast.Constant)]
            texts = [name for name in names if isinstance(name, str)]
            return texts if len(texts) == len(parts) else None
        case _:
            return None


def as_tuples(frame: ExecutionState, value: Value, line: int) -> Value:
    """Return the same value, with named tuples as the tuples that they are."""
    records = [a for a in value.atoms if isinstance(a, LocalObj) and is_record(a.info)]
    if not records:
        return value
    values = [value.with_atoms(value.atoms.difference(records))]
    for atom in records:
        names = [name for c in reversed(atom.info.ancestors()) for name in c.fields]
        items = (clip(attribute_of(frame, atom, name, line)) for name in dict.fromkeys(names))
        values.append(one(Tuple(tuple(items))))
    return join(*values)
