"""Reads of `.streaming` that may reach Spark's package and that no rewritten path covers."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from migrator.edit.references import Reference
from migrator.infer import api
from migrator.infer.program import Facts
from migrator.infer.values import Ref, Value
from migrator.source.python import Unit
from migrator.tables import names

_CLASSES = frozenset(
    name for found in names.STAR.values() for name in found if name[:1].isupper()
) | {"MapWithStateDStream", "TransformedDStream", "KafkaDStream"}


@dataclass(frozen=True, slots=True)
class Leftover:
    """A use of the package that stays; sure if inference knows that it is the package."""

    node: ast.Attribute
    path: str
    detail: str
    sure: bool


def leftovers(unit: Unit, facts: Facts, found: Iterable[Reference]) -> Iterator[Leftover]:
    """Every read of `.streaming` that is, or looks like, one of `pyspark`.

    Parameters: found, the paths that the planner knows already.
    """
    known = {reference.node for reference in found}
    attributes = [node for node in unit.nodes() if isinstance(node, ast.Attribute)]
    left = [
        node
        for node in attributes
        if node.attr == "streaming" and isinstance(node.ctx, ast.Load) and node not in known
    ]
    if not left:
        return
    around = {node.value: node for node in attributes}
    classes_of_anything = any(
        node.attr in _CLASSES and node.value not in left and _unknown(facts, node)
        for node in attributes
    )
    called = {node.func for node in unit.nodes() if isinstance(node, ast.Call)}
    for node in left:
        base = facts.receivers.get(node)
        path, is_ours = _path(node, around)
        text = ast.unparse(node.value)
        if base is not None and _is_pyspark(base):
            detail = f"`{text}` is the module, but no import binds it under that name"
            yield Leftover(node, path, detail, sure=True)
        elif _unknown(facts, node):
            # `config.streaming` is a common thing to read
            stored = classes_of_anything and node not in around and node not in called
            if is_ours or stored:
                yield Leftover(node, path, f"`{text}` may be the module", sure=False)


def _unknown(facts: Facts, node: ast.Attribute) -> bool:
    """Whether anything may stand before the dot; what inference never looks at counts too."""
    base = facts.receivers.get(node)
    return base is None or base.unknown


def _is_pyspark(base: Value) -> bool:
    return any(isinstance(atom, Ref) and atom.path == "pyspark" for atom in base.atoms)


def _path(node: ast.Attribute, around: dict[ast.expr, ast.Attribute]) -> tuple[str, bool]:
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
