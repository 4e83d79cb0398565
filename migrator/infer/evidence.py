"""The chain of steps that shows why a value is what it is."""

from __future__ import annotations

from dataclasses import replace

from migrator.infer.values import Atom, Map, Method, Module, Obj, Ref, Seq, Step, Tuple, Value
from migrator.spark.kinds import STREAMING, Kind

MAX_EVIDENCE = 8


def step(value: Value, link: Step) -> Value:
    """Return the same value with one more link in the evidence of its objects."""
    if not any(isinstance(a, Obj) and (a.kind in STREAMING or a.tag) for a in value.atoms):
        return value
    return value.with_atoms(frozenset(_with_step(a, link) for a in value.atoms))


def _with_step(atom: Atom, link: Step) -> Atom:
    if not isinstance(atom, Obj) or link in atom.why:
        return atom
    if atom.kind not in STREAMING and not atom.tag:
        return atom
    return replace(atom, why=extend(atom.why, link))


def extend(why: tuple[Step, ...], link: Step) -> tuple[Step, ...]:
    """Return evidence with one more link; the first link and the last ones are kept."""
    if len(why) >= MAX_EVIDENCE:
        why = why[:1] + why[2:]
    return (*why, link)


def as_probable(value: Value) -> Value:
    """Return the same value, with the objects in it no longer proven."""
    return value.with_atoms(frozenset(map(_as_probable, value.atoms)))


def _as_probable(atom: Atom) -> Atom:
    match atom:
        case Ref() | Module():
            return replace(atom, probable=True)
        case Obj(kind) if kind not in (Kind.NONE, Kind.OTHER):
            return replace(atom, probable=True)
        case Method(owner):
            return replace(atom, owner=replace(owner, probable=True))
        case Seq(item):
            return Seq(as_probable(item))
        case Tuple(items):
            return Tuple(tuple(map(as_probable, items)))
        case Map(known, rest):
            return Map(tuple((k, as_probable(v)) for k, v in known), as_probable(rest))
    return atom
