"""Reads of `.streaming` that may reach Spark's package and that no rewritten path covers."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from migrator.edit.references import Reference
from migrator.infer import api
from migrator.infer.program import Facts
from migrator.infer.values import Ref
from migrator.source.python import Unit
from migrator.tables import names

_CLASSES = frozenset(
    name for found in names.STAR.values() for name in found if name[:1].isupper()
) | {"MapWithStateDStream", "TransformedDStream", "KafkaDStream"}

_READERS = frozenset({ast.Attribute, ast.Call, ast.Subscript})


@dataclass(frozen=True, slots=True)
class Leftover:
    """A use of the package that stays; sure if inference knows that it is the package."""

    node: ast.expr
    path: str
    detail: str
    sure: bool


def leftovers(unit: Unit, facts: Facts, found: Iterable[Reference]) -> Iterator[Leftover]:
    """Every read of `.streaming` that is, or looks like, one of `pyspark`.

    Parameters: found, the paths that the planner knows already.
    """
    known: set[ast.AST] = {reference.node for reference in found}
    left = [(node, base) for node, base in _reads(unit) if node not in known]
    if not left:
        return
    attributes = [node for node in unit.nodes() if isinstance(node, ast.Attribute)]
    around = {node.value: node for node in attributes}
    reads = {node for node, _ in left}
    classes_of_anything = any(
        node.attr in _CLASSES and node.value not in reads and _unknown(facts, node.value)
        for node in attributes
    )
    called = {node.func for node in unit.nodes() if isinstance(node, ast.Call)}
    for node, base in left:
        path, is_ours = _path(node, around)
        text = ast.unparse(base)
        if _is_pyspark(facts, base):
            # by `getattr` it is told as a string
            if isinstance(node, ast.Attribute):
                detail = f"`{text}` is the module, but no import binds it under that name"
                yield Leftover(node, path, detail, sure=True)
        elif _unknown(facts, base):
            # `config.streaming` is a common thing to read
            free = node not in around and node not in called
            stored = classes_of_anything and free and not isinstance(node, ast.Subscript)
            if is_ours or stored:
                yield Leftover(node, path, f"`{text}` may be the module", sure=False)


def _reads(unit: Unit) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What reads something called `streaming`, and of what."""
    for node in unit.nodes():
        # patterns cost more than a look at the type, and few files have any
        if type(node) not in _READERS:
            continue
        match node:
            case ast.Attribute(attr="streaming", value=base, ctx=ast.Load()):
                yield node, base
            case ast.Call(func=ast.Name(id="getattr"), args=[base, ast.Constant("streaming"), *_]):
                yield node, base
            case ast.Subscript(value=base, slice=ast.Constant("streaming"), ctx=ast.Load()):
                yield node, base
            case _:
                continue


def _unknown(facts: Facts, node: ast.expr) -> bool:
    """Whether an expression may be anything; what inference never looks at may be."""
    value = facts.values.get(node)
    return value is None or value.unknown


def _is_pyspark(facts: Facts, node: ast.expr) -> bool:
    value = facts.values.get(node)
    return value is not None and any(
        isinstance(atom, Ref) and atom.path == "pyspark" for atom in value.atoms
    )


def _path(node: ast.expr, around: dict[ast.expr, ast.Attribute]) -> tuple[str, bool]:
    """The path that starts at `.streaming`, and whether it leads to a public name of Spark's."""
    path, last = api.ROOT, node
    while (sub := api.submodule(path)) is not None:
        outer = around.get(last)
        if outer is None:
            return path, False
        if outer.attr in (*names.STAR[sub], *names.OTHERS.get(sub, ())):
            return f"{path}.{outer.attr}", True
        path, last = f"{path}.{outer.attr}", outer
    return path, False
