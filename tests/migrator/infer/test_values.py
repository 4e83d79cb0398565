"""Laws of the lattice of values."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from migrator.infer.values import (
    BOTTOM,
    MAX_ATOMS,
    MAX_DEPTH,
    NONE,
    OTHER,
    OWN,
    UNKNOWN,
    Atom,
    Map,
    Method,
    Obj,
    Partial,
    Ref,
    Seq,
    Tuple,
    Value,
    atoms_within,
    clip,
    join,
    one,
)
from migrator.spark.kinds import Kind
from tests.support.migrator.inference import show

pytestmark = pytest.mark.slow

OBJECTS = st.builds(Obj, st.sampled_from([Kind.DSTREAM, Kind.RDD]), st.booleans())
PLAIN = OBJECTS | st.builds(Ref, st.sampled_from("ab")) | st.builds(Method, OBJECTS, st.just("map"))
LEAVES = st.sampled_from([BOTTOM, UNKNOWN, OWN, NONE, OTHER]) | PLAIN.map(one)


def _containers(items: st.SearchStrategy[Value]) -> st.SearchStrategy[Value]:
    keys = st.dictionaries(st.sampled_from(["a", "b", 1]), items, max_size=2)
    maps = st.builds(
        lambda known, rest: Map(tuple(sorted(known.items(), key=lambda p: repr(p[0]))), rest),
        keys,
        items,
    )
    partials = st.builds(Partial, st.builds(Ref, st.just("f")), st.tuples(items), st.just(()))
    tuples = st.builds(Tuple, st.lists(items, max_size=2).map(tuple))
    atoms = st.builds(Seq, items) | tuples | maps | partials
    return st.lists(atoms.map(one) | items, max_size=3).map(lambda each: join(*each))


VALUES = st.recursive(LEAVES, _containers, max_leaves=8)


def covers(more: Value, less: Value) -> bool:
    return join(more, less) == more


@given(VALUES, VALUES, VALUES)
@settings(max_examples=200, deadline=None)
def test_join(a: Value, b: Value, c: Value) -> None:
    assert join(a, b) == join(b, a)
    assert join(join(a, b), c) == join(a, join(b, c)) == join(a, b, c)
    assert join(a, a) == join(a) == join(a, BOTTOM) == a
    # it is the least of what covers both, so what covers more stays above
    assert covers(join(a, b), a)
    assert covers(join(a, b, c), join(a, c))
    assert join(a, b).unknown is (a.unknown or b.unknown)


@given(VALUES, st.integers(0, 3))
@settings(max_examples=100, deadline=None)
def test_clip(value: Value, depth: int) -> None:
    clipped = clip(value, depth)
    assert clip(clipped, depth) == clipped
    assert show(clipped).count("[[[[[") == 0 or depth > MAX_DEPTH
    if not any(isinstance(a, Seq | Tuple | Map) for a in atoms_within([value])):
        assert clipped == value


@given(VALUES, st.randoms(use_true_random=False))
@settings(max_examples=100, deadline=None)
def test_order_of_atoms(value: Value, chance: random.Random) -> None:
    """The order is one of what atoms are, not of how they came together."""
    atoms: list[Atom] = list(value.atoms)
    chance.shuffle(atoms)
    again = Value(frozenset(atoms))
    assert again.sorted_atoms() == value.sorted_atoms()


def test_unlike_values_of_own_names_and_of_others() -> None:
    assert join(OWN, OWN) == OWN
    assert join(OWN, UNKNOWN) == UNKNOWN
    assert join(OWN, OTHER).own


def test_too_many_things_leave_those_of_spark() -> None:
    refs = [one(Ref(str(number))) for number in range(MAX_ATOMS)]
    assert not join(*refs).wide
    wide = join(*refs, one(Obj(Kind.DSTREAM)))
    assert show(wide) == "DStream | too many"
    assert show(join(wide, one(Ref("x")), one(Seq(OTHER)), one(Obj(Kind.RDD)))) == (
        "DStream | RDD | too many"
    )
