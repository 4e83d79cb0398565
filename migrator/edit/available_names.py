"""Decides whether dstream_compat has what an import names."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrator.edit.importers import (
    OtherModule,
    gets_every_name,
    imported_names,
    importers,
    other_module,
)
from migrator.infer.scopes import bindings, bound_name, imported_module
from migrator.source.magics import RunMagic
from migrator.spark import api, names
from migrator.spark.connectors import CONNECTORS


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
    api_names: set[str] = set()
    for node in module.unit.nodes():
        if isinstance(node, ast.ImportFrom) and _is_ours(node):
            api_names |= {bound_name(alias) for alias in node.names}
            if node.names[0].name == "*":
                sub = api.submodule(api.canonical(imported_module(node)))
                api_names.update(names.ADDED_BY_STAR.get(sub or "", ()))
    return api_names


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
        is_from_api = isinstance(node, ast.ImportFrom) and (
            _is_ours(node) or node.names[0].name == "*"
        )
        if not is_from_api and not isinstance(node, ast.arg):
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
        source = None if file is None else other_module(module.project, file)
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


def name_problem(path: str, is_module: bool, importer: OtherModule) -> tuple[str | None, str]:
    """Return why an imported name has no counterpart, as the key of a rule and what it is about.

    Parameters
    ----------
    path : str
        The name with its module as written.
    is_module : bool
        Whether the path itself is imported (`import a.b`).
    importer : OtherModule
        The module that imports it.

    Returns
    -------
    tuple[str | None, str]
        (None, "") if dstream_compat has it.
    """
    if path == f"{api.COMPAT}.*":
        return None, ""
    if _is_own_module(path, is_module):
        return None, ""
    path = api.canonical(path) if path.startswith(api.COMPAT) else path
    if is_module or path == api.ROOT:
        return (None, "") if api.submodule(path) is not None else (_module_problem(path), path)
    module, _, name = path.rpartition(".")
    sub = api.submodule(module)
    if sub is None:
        return _module_problem(module), module
    if name == "*":
        return _star_problem(sub, importer)
    return (None, "") if name in names.exported_names(sub) else ("unknown-name", path)


def _is_own_module(path: str, is_module: bool) -> bool:
    """Return whether a path leads to a module of ours only, such as dstream_compat.exceptions."""
    package, _, rest = path.partition(".")
    name, _, inner = rest.partition(".")
    if package != api.COMPAT or name in names.exported_names(""):
        return False
    return is_module or bool(inner) or (name.islower() and not name.startswith("_"))


def _star_problem(sub: str, importer: OtherModule) -> tuple[str | None, str]:
    if not api.star_names(f"{api.ROOT}.{sub}" if sub else api.ROOT):
        return "star", "the module lists no public names"
    places: dict[str, list[str]] = {}
    for name in names.ADDED_BY_STAR.get(sub, ()):
        file = file_with_clash(importer, name)
        if file is not None:
            places.setdefault(file, []).append(name)
    for file in sorted(places, key=lambda f: (f != importer.file, f)):
        where = "here" if file == importer.file else f"in {file}, which this star gets to"
        return "star", f"dstream_compat would also bring {', '.join(places[file])}, used {where}"
    return None, ""


def _module_problem(module: str) -> str:
    """Return what is wrong with a module; connectors that Python never had are another rule's."""
    connector = module.split(".")[2]
    return "connector-module" if connector in CONNECTORS else "unknown-module"
