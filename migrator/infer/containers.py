"""Lists, tuples and dicts as values: making them, cutting them, iterating over them."""

from __future__ import annotations

from migrator.infer.values import (
    OTHER,
    UNKNOWN,
    Atom,
    Kind,
    Map,
    Obj,
    Seq,
    Tuple,
    Value,
    join,
    one,
)

MAX_DEPTH = 4


def seq(item: Value) -> Value:
    """A sequence of items."""
    return one(Seq(clip(item)))


def clip(value: Value, depth: int = MAX_DEPTH) -> Value:
    """Cuts containers nested deeper than a limit, so that the lattice stays finite."""
    if not any(isinstance(a, Seq | Tuple | Map) for a in value.atoms):
        return value
    if depth == 0:
        return UNKNOWN
    return Value(frozenset(_clip_atom(a, depth - 1) for a in value.atoms), value.unknown)


def _clip_atom(atom: Atom, depth: int) -> Atom:
    if isinstance(atom, Seq):
        return Seq(clip(atom.item, depth))
    if isinstance(atom, Tuple):
        return Tuple(tuple(clip(item, depth) for item in atom.items))
    if isinstance(atom, Map):
        known = tuple((key, clip(value, depth)) for key, value in atom.known)
        return Map(known, clip(atom.rest, depth))
    return atom


def items_of(value: Value) -> Value:
    """What iterating over a value gives."""
    found = [UNKNOWN] if value.unknown else []
    for atom in value.ordered():
        if isinstance(atom, Seq):
            found.append(atom.item)
        elif isinstance(atom, Tuple):
            found.extend(atom.items)
        elif isinstance(atom, Map) or (isinstance(atom, Obj) and atom.kind is Kind.OTHER):
            found.append(OTHER)
        elif isinstance(atom, Obj) and atom.kind is Kind.NONE:
            # raises, so it adds nothing
            continue
        else:
            found.append(UNKNOWN)
    return join(*found)
