"""Dotted paths into `pyspark.streaming`, what stands in the way of moving them, and reads of
`.streaming` that no such path covers.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from migrator.infer.program import Facts, Scope
from migrator.infer.scopes import bound_name
from migrator.infer.values import Ref, Value
from migrator.source.python import Unit
from migrator.spark import api, names

Binding: TypeAlias = tuple[Scope, str]
_CLASSES = frozenset(
    name for found in names.STAR.values() for name in found if name[:1].isupper()
) | {"MapWithStateDStream", "TransformedDStream", "KafkaDStream"}
_READERS = frozenset({ast.Attribute, ast.Call, ast.Subscript})


@dataclass(slots=True)
class Reference:
    """A dotted path that starts at a name bound by an import.

    Parameters
    ----------
    node : Attribute
        The attribute to replace.
    root : Name
        The name it starts with.
    module : str
        The module of dstream_compat that has to be imported for it.
    rewritable : bool
        Whether its text changes if its import does (a path through an alias stays as it is).
    through_alias : bool
        Whether it leads through an alias into a module that Spark's package had loaded by itself.
    """

    node: ast.Attribute
    root: ast.Name
    binding: Binding
    path: str
    module: str
    rewritable: bool
    through_alias: bool
    problem: str | None = None
    detail: str = ""


def references(unit: Unit, facts: Facts) -> Iterator[Reference]:
    """Yield every path into `pyspark.streaming` that goes through a module."""
    seen: set[ast.AST] = set()
    imported = _import_bindings(unit, facts)
    for node in unit.nodes():
        if isinstance(node, ast.Attribute) and node not in seen:
            chain = _chain(node)
            if chain is None:
                continue
            root, links = chain
            seen.update(links)
            reference = _reference(root, links, facts, imported)
            if reference is not None:
                yield reference


def _chain(node: ast.Attribute) -> tuple[ast.Name, list[ast.Attribute]] | None:
    """Return the name a dotted path starts with and its attributes from left to right."""
    links: list[ast.Attribute] = []
    current: ast.expr = node
    while isinstance(current, ast.Attribute):
        links.append(current)
        current = current.value
    if not isinstance(current, ast.Name):
        return None
    return current, links[::-1]


def _import_bindings(unit: Unit, facts: Facts) -> set[Binding]:
    """Return what imports of Spark's and of our modules bind."""
    bindings: set[Binding] = set()
    for node in unit.nodes():
        scope = facts.scopes.get(node) if isinstance(node, ast.Import | ast.ImportFrom) else None
        if isinstance(node, ast.Import) and scope is not None:
            for alias in node.names:
                if alias.name.partition(".")[0] in ("pyspark", api.COMPAT):
                    bindings.add((scope, bound_name(alias)))
    return bindings


def _reference(
    root: ast.Name, links: list[ast.Attribute], facts: Facts, imported: set[Binding]
) -> Reference | None:
    value = facts.names.get(root)
    scope = facts.scopes.get(root)
    if value is None or scope is None:
        return None
    binding = (scope, root.id)
    start = _module_path(value)
    if start is None:
        return _through_other_module(links, facts, binding, root)
    path, node, last = start, links[0], links[0]
    module = start if api.submodule(start) is not None else ""
    for last in links:
        path = f"{path}.{last.attr}"
        if path == api.ROOT:
            node = last
        if api.submodule(path) is None:
            break
        module = path
    if not api.in_streaming(path):
        return None
    module = module or api.ROOT
    compat = api.COMPAT + module[len(api.ROOT) :]
    rewritable = start == "pyspark"
    alias = not rewritable and start != module and _name_of(module) in names.LOADED_BY_SPARK
    reference = Reference(node, root, binding, path, compat, rewritable, alias)
    if rewritable and binding not in imported:
        reference.problem = "indirect"
        reference.detail = f"`{root.id}` is not bound by an import of pyspark here"
    elif value.unknown or len(value.without_none()) > 1:
        reference.problem = "ambiguous"
        reference.detail = f"`{root.id}` may be something other than the module"
    elif isinstance(last.ctx, ast.Store | ast.Del) and api.submodule(path) is None:
        reference.problem = "patched"
        reference.detail = f"`{path}` is assigned to"
    elif api.submodule(path) is None and _name_of(path) not in names.exported_names(_sub(module)):
        reference.problem = "unknown-name"
        reference.detail = path
    return reference


def _through_other_module(
    links: list[ast.Attribute], facts: Facts, binding: Binding, root: ast.Name
) -> Reference | None:
    """Return a path into `pyspark.streaming` through a module that imports `pyspark`."""
    for link in links:
        base = facts.receivers.get(link)
        if link.attr != "streaming" or base is None:
            continue
        if "pyspark" in base.paths:
            detail = f"`{ast.unparse(link)}` leads through `{root.id}`"
            return Reference(
                link, root, binding, api.ROOT, api.COMPAT, False, False, "indirect", detail
            )
    return None


def _module_path(value: Value) -> str | None:
    """Return the module that a name stands for, if it leads to `pyspark.streaming`."""
    for atom in value.sorted_atoms():
        if isinstance(atom, Ref) and not atom.probable:
            path = api.canonical(atom.path)
            if path == "pyspark" or (
                api.submodule(path) is not None and not atom.path.startswith(api.COMPAT)
            ):
                return path
    return None


def _name_of(path: str) -> str:
    return path.rpartition(".")[2]


def _sub(module: str) -> str:
    return api.submodule(module) or ""


@dataclass(frozen=True, slots=True)
class UnprovenPath:
    """A use of the package that stays; sure if inference knows that it is the package."""

    node: ast.expr
    path: str
    detail: str
    sure: bool


def unproven_paths(unit: Unit, facts: Facts, refs: Iterable[Reference]) -> Iterator[UnprovenPath]:
    """Yield every read of `.streaming` that is, or looks like, one of `pyspark`.

    Parameters
    ----------
    refs : iterable of Reference
        The paths that the planner knows already.
    """
    reference_nodes: set[ast.AST] = {reference.node for reference in refs}
    left = [(node, base) for node, base in _reads(unit) if node not in reference_nodes]
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
        elif _may_be_anything(facts, base):
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
            node.attr in _CLASSES
            and node.value not in reads
            and _may_be_anything(facts, node.value)
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


def _may_be_anything(facts: Facts, node: ast.expr) -> bool:
    """Return whether an expression may be anything; what inference never looks at may be."""
    value = facts.values.get(node)
    return value is None or value.unknown


def _is_pyspark(facts: Facts, node: ast.expr) -> bool:
    value = facts.values.get(node)
    return value is not None and "pyspark" in value.paths
