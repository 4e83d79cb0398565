"""Lists, tuples and dicts as values: making them, cutting them, iterating over them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from migrator.infer.values import (
    OTHER,
    UNKNOWN,
    Atom,
    Map,
    Method,
    Obj,
    Seq,
    Tuple,
    Value,
    join,
    one,
)
from migrator.spark.kinds import STREAMING, Kind

MAX_DEPTH = 4


def seq(item: Value) -> Value:
    """Return a sequence of items."""
    return one(Seq(clip(item)))


def clip(value: Value, depth: int = MAX_DEPTH) -> Value:
    """Cut containers nested deeper than a limit, so that the lattice stays finite."""
    if not any(isinstance(a, Seq | Tuple | Map) for a in value.atoms):
        return value
    if depth == 0:
        return UNKNOWN
    return value.with_atoms(frozenset(_clip_atom(a, depth - 1) for a in value.atoms))


def _clip_atom(atom: Atom, depth: int) -> Atom:
    if isinstance(atom, Seq):
        return Seq(clip(atom.item, depth))
    if isinstance(atom, Tuple):
        return Tuple(tuple(clip(item, depth) for item in atom.items))
    if isinstance(atom, Map):
        known_items = tuple((key, clip(value, depth)) for key, value in atom.known)
        return Map(known_items, clip(atom.rest, depth))
    return atom


def items_of(value: Value) -> Value:
    """Return what iterating over a value gives."""
    values = [value.rest()]
    for atom in value.sorted_atoms():
        if isinstance(atom, Seq):
            values.append(atom.item)
        elif isinstance(atom, Tuple):
            values.extend(atom.items)
        elif isinstance(atom, Map) or (isinstance(atom, Obj) and atom.kind is Kind.OTHER):
            values.append(OTHER)
        elif isinstance(atom, Obj) and atom.kind is Kind.NONE:
            # raises, so it adds nothing
            continue
        else:
            values.append(UNKNOWN)
    return join(*values)


def atoms_within(values: Iterable[Value]) -> Iterator[Atom]:
    """Yield the atoms of values and of the containers in them."""
    pending = list(values)
    while pending:
        for atom in pending.pop().atoms:
            yield atom
            if isinstance(atom, Seq):
                pending.append(atom.item)
            elif isinstance(atom, Tuple):
                pending += atom.items
            elif isinstance(atom, Map):
                pending.append(atom.all())


def holds_streams(value: Value | None) -> bool:
    """Return whether a value is or holds a stream or context, or a method of one."""
    for atom in () if value is None else atoms_within([value]):
        owner = atom.owner if isinstance(atom, Method) else atom
        if isinstance(owner, Obj) and owner.kind in STREAMING:
            return True
    return False
