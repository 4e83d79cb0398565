"""Star imports of the project's own modules: the names that the job has from them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from migrator.infer.around import ModulesAround
from migrator.infer.scopes import binding_of_import

from ..program.modules import SourceModule
from ..refusals import NotExpressible
from .edits import instead, with_edits
from .project_names import ImportedModule, ProjectFile, ProjectNames, imports_by_module

_DYNAMIC = frozenset(("globals", "locals", "vars", "eval", "exec"))
"""Builtins that find names which the file does not say."""


def with_explicit_imports(module: SourceModule, around: ModulesAround) -> SourceModule:
    """Return a module that also imports the names which it has from modules of its project by name.

    They say where names lead while the job is read. The result has the stars only: they give these
    names, and whatever else somebody has of them.

    Parameters
    ----------
    module : SourceModule
        the module
    around : ModulesAround
        those around it
    """
    stars = [statement for statement in module.tree.body if _is_star(statement)]
    needed = _names_from_elsewhere(module) if stars else set()
    if not stars or needed & _DYNAMIC:
        return module
    project = ProjectNames(module, around)
    edits, implied = [], []
    for node in stars:
        assert isinstance(node, ast.ImportFrom)
        file = project.file(ImportedModule(project.job, node.level, node.module or ""))
        if file is None:
            continue
        _refuse_rebinding(project, file, node)
        imports = _imports(project, file, needed, {file.path})
        if imports:
            implied += imports
            lines = [module.source(node), *imports_by_module(imports)]
            edits.append(instead(module, node, [(text, node.lineno) for text in lines]))
    if not edits:
        return module
    return replace(with_edits(module, edits), implied=tuple(implied))


def _refuse_rebinding(project: ProjectNames, file: ProjectFile, star: ast.ImportFrom) -> None:
    """Refuse a star that gives a name of the job another value than the job has given it, or
    another one before that.
    """
    top = project.module.program.scopes[project.module.tree]
    uses = [use for use, scope in project.module.names_in(project.module.tree) if scope is top]
    for name in sorted({node for node in file.binding_nodes if not node.startswith("_")}):
        own = [each for each in project.job.binding_nodes.get(name, ()) if not _is_import(each)]
        if not own:
            continue
        first = min(map(_line, own))
        early = any(
            star.lineno < use.lineno <= first and isinstance(use.ctx, ast.Load)
            for use in uses
            if use.id == name
        )
        if first < star.lineno or early:
            text = f"`{name}` is bound by the job and by the star import"
            raise NotExpressible("FILES", text, star)


def _is_import(node: ast.AST) -> bool:
    return isinstance(node, ast.Import | ast.ImportFrom)


def _line(node: ast.AST) -> int:
    return int(getattr(node, "lineno", 0))


def _is_star(node: ast.AST) -> bool:
    return isinstance(node, ast.ImportFrom) and node.names[0].name == "*"


def _names_from_elsewhere(module: SourceModule) -> set[str]:
    """Return the names that the module uses, and nothing in it binds."""
    return {use.id for use, scope in module.names_in(module.tree) if not scope.owner_of(use.id)}


def _stars(project: ProjectNames, file: ProjectFile) -> Iterator[ProjectFile | None]:
    """Yield the files of the star imports of a file, None for each that is not in the project."""
    for node in file.module.tree.body:
        if _is_star(node):
            assert isinstance(node, ast.ImportFrom)
            yield project.file(ImportedModule(file, node.level, node.module or ""))


def _imports(
    project: ProjectNames, file: ProjectFile, needed: set[str], seen: set[str]
) -> list[str]:
    """Return the imports of the needed names that a file binds."""
    imports: list[str] = []
    for inner in _stars(project, file):
        if inner is not None and inner.path not in seen:
            imports += _imports(
                project, inner, needed - file.binding_nodes.keys(), {*seen, inner.path}
            )
    public = {node for node in file.binding_nodes if not node.startswith("_")}
    return [*imports, *(_import(project, file, name) for name in sorted(needed & public))]


def _import(project: ProjectNames, file: ProjectFile, name: str) -> str:
    """Return the import of a name that a file binds at its top."""
    match file.binding_nodes[name]:
        case [ast.ImportFrom() as node]:
            start = project.dotted_path(ImportedModule(file, node.level, node.module or ""))
            # what a star is known to give has its own name
            names = (
                own_name.name
                for own_name in node.names
                if (own_name.asname or own_name.name) == name
            )
            own = next(names, name)
            return f"from {start} import {own}" + (f" as {name}" if own != name else "")
        case [ast.Import() as node]:
            alias = next(
                own_name for own_name in node.names if name in binding_of_import(node, own_name)
            )
            return f"import {alias.name}" + (f" as {name}" if alias.asname else "")
    return f"from {file.dotted} import {name}"
