"""Reads of `.streaming` that may reach Spark's package and that no rewritten path covers."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from migrator.edit.dotted_paths import Reference
from migrator.infer.program import Facts
from migrator.source.python import Unit
from migrator.spark import api, names

_CLASSES = frozenset(
    name for found in names.STAR.values() for name in found if name[:1].isupper()
) | {"MapWithStateDStream", "TransformedDStream", "KafkaDStream"}

_READERS = frozenset({ast.Attribute, ast.Call, ast.Subscript})


@dataclass(frozen=True, slots=True)
class UnprovenPath:
    """A use of the package that stays; sure if inference knows that it is the package."""

    node: ast.expr
    path: str
    detail: str
    sure: bool


def unproven_paths(unit: Unit, facts: Facts, found: Iterable[Reference]) -> Iterator[UnprovenPath]:
    """Yield every read of `.streaming` that is, or looks like, one of `pyspark`.

    Parameters
    ----------
    found : iterable of Reference
        The paths that the planner knows already.
    """
    known: set[ast.AST] = {reference.node for reference in found}
    left = [(node, base) for node, base in _reads(unit) if node not in known]
    if not left:
        return
    context = _Context(unit, facts, {node for node, _ in left})
    for node, base in left:
        if _is_pyspark(facts, base):
            # by `getattr` it is reported as a string
            if isinstance(node, ast.Attribute):
                text = ast.unparse(base)
                detail = f"`{text}` is the module, but no import binds it under that name"
                yield UnprovenPath(node, context.path(node)[0], detail, sure=True)
        elif _unknown(facts, base):
            path, is_ours = context.path(node)
            if is_ours or context.may_be_kept(node):
                yield UnprovenPath(
                    node, path, f"`{ast.unparse(base)}` may be the module", sure=False
                )


class _Context:
    """What stands around the reads of `.streaming` in a unit."""

    def __init__(self, unit: Unit, facts: Facts, reads: set[ast.expr]) -> None:
        attributes = [node for node in unit.nodes() if isinstance(node, ast.Attribute)]
        self.around = {node.value: node for node in attributes}
        self.called = {node.func for node in unit.nodes() if isinstance(node, ast.Call)}
        self.uses_classes = any(
            node.attr in _CLASSES and node.value not in reads and _unknown(facts, node.value)
            for node in attributes
        )

    def may_be_kept(self, node: ast.expr) -> bool:
        """Return whether a read may give the package to a name from which classes are taken."""
        # `config.streaming` is a common thing to read
        free = node not in self.around and node not in self.called
        return self.uses_classes and free and not isinstance(node, ast.Subscript)

    def path(self, node: ast.expr) -> tuple[str, bool]:
        """Return the path that starts at `.streaming`, and whether it leads to a public name."""
        path, last = api.ROOT, node
        while (sub := api.submodule(path)) is not None:
            outer = self.around.get(last)
            if outer is None:
                return path, False
            if outer.attr in (*names.STAR[sub], *names.OTHERS.get(sub, ())):
                return f"{path}.{outer.attr}", True
            path, last = f"{path}.{outer.attr}", outer
        return path, False


def _reads(unit: Unit) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield what reads something called `streaming`, and of what."""
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
    """Return whether an expression may be anything; what inference never looks at may be."""
    value = facts.values.get(node)
    return value is None or value.unknown


def _is_pyspark(facts: Facts, node: ast.expr) -> bool:
    value = facts.values.get(node)
    return value is not None and "pyspark" in value.paths
