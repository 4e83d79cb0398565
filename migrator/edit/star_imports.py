"""Finds names whose meaning a star import of dstream_compat would change.

A module that imports a star from another gets the names that the other has from its own star
imports. So a name that a star adds may replace a name in another file.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrator.edit.importers import OtherModule, gets_every_name, imported_names, importers, read
from migrator.infer.scopes import bindings, imported_module
from migrator.source.run_magics import RunMagic
from migrator.spark import api, names


def file_with_clash(target: OtherModule, name: str) -> str | None:
    """Return the file in which a name that a star import adds has another meaning, or None."""
    seen = {target.file}
    pending = [target]
    while pending:
        holder = pending.pop(0)
        mine = _names_from_compat(holder)
        if _binds_or_uses(holder, name, mine) or (name not in mine and _from_star(holder, name)):
            return holder.file
        for other in importers(holder):
            if name not in mine and _takes_name_of(other, holder, name):
                return other.file
            if other.file not in seen and gets_every_name(other, holder, name):
                seen.add(other.file)
                pending.append(other)
    return None


def _names_from_compat(module: OtherModule) -> set[str]:
    """Return names that a module imports from dstream_compat."""
    found: set[str] = set()
    for node in module.unit.nodes():
        if isinstance(node, ast.ImportFrom) and _is_ours(node):
            found |= {alias.asname or alias.name for alias in node.names}
            if node.names[0].name == "*":
                sub = api.submodule(api.canonical(imported_module(node)))
                found.update(names.ADDED_BY_STAR.get(sub or "", ()))
    return found


def _is_ours(node: ast.ImportFrom) -> bool:
    return imported_module(node).partition(".")[0] == api.COMPAT


def _binds_or_uses(module: OtherModule, name: str, mine: set[str]) -> bool:
    """Return whether a module binds or uses a name for something else."""
    if name in bound_names(module):
        return True
    loads = (n for n in module.unit.nodes() if isinstance(n, ast.Name) and n.id == name)
    return name not in mine and any(True for _ in loads)


def bound_names(module: OtherModule) -> Iterator[str]:
    """Yield the names that a module binds, but for those of stars and of dstream_compat."""
    for node in module.unit.nodes():
        given = isinstance(node, ast.ImportFrom) and (_is_ours(node) or node.names[0].name == "*")
        if not given and not isinstance(node, ast.arg):
            yield from bindings(node)


def _from_star(module: OtherModule, name: str, seen: frozenset[str] = frozenset()) -> bool:
    """Return whether a name comes from another module of the tree that need not name it here."""
    seen |= {module.file}
    for source in _sources(module):
        if source.file in seen or not gets_every_name(module, source, name):
            continue
        if name in bound_names(source) or _from_star(source, name, seen):
            return True
    return False


def _sources(module: OtherModule) -> Iterator[OtherModule]:
    """Yield the modules of which a module has a star, or which it runs as notebooks."""
    index = module.project.index
    places = [
        index.find(module.file, node.level, node.module or "")
        for node in module.unit.nodes()
        if isinstance(node, ast.ImportFrom) and node.names[0].name == "*"
    ]
    runs = (node for node in module.unit.tree.body if isinstance(node, RunMagic))
    places += [index.script(module.file, node.target) for node in runs]
    for place in places:
        file = None if place is None else index.file(place.path)
        source = None if file is None else read(module.project, file)
        if source is not None:
            yield source


def _takes_name_of(other: OtherModule, holder: OtherModule, name: str) -> bool:
    """Return whether a module takes a name from another by name."""
    if any(alias.name == name for alias in imported_names(other, holder)):
        return True
    asked = [n for n in other.unit.nodes() if isinstance(n, ast.Attribute) and n.attr == name]
    if not asked:
        return False
    modules = set(_names_of(other, holder))
    return any(ast.unparse(node.value) in modules for node in asked)


def _names_of(other: OtherModule, holder: OtherModule) -> Iterator[str]:
    """Yield the expressions by which a module reaches another that it imports."""
    index = holder.project.index
    for node in other.unit.nodes():
        match node:
            case ast.Import(names=aliases):
                for alias in aliases:
                    if holder.is_at(index.find(other.file, 0, alias.name)):
                        yield alias.asname or alias.name
            case ast.ImportFrom(names=aliases):
                package = index.find(other.file, node.level, node.module or "")
                for alias in aliases:
                    child = None if package is None else index.child(package.path, alias.name)
                    if child is not None and index.file(child) == holder.file:
                        yield alias.asname or alias.name
            case _:
                continue
