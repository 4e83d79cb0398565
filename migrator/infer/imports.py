"""Runs import statements."""

from __future__ import annotations

import ast

from migrator.infer.modules import (
    api_star,
    import_root,
    imported_value,
    module_attribute,
    remember,
    spark_module,
    star_import,
)
from migrator.infer.program import ExecutionState
from migrator.infer.targets import store_name
from migrator.infer.values import Module, Ref, one
from migrator.source.magics import RunMagic
from migrator.spark import api


def import_modules(frame: ExecutionState, node: ast.Import) -> None:
    """Bind `import a.b as c`."""
    frame.program.facts.scopes[node] = frame.scope
    for alias in node.names:
        if alias.asname:
            name, value = alias.asname, imported_value(frame, 0, alias.name)
        else:
            name, value = alias.name.partition(".")[0], import_root(frame, alias.name)
        remember(frame, name, value)
        store_name(frame, name, value)


def import_names(frame: ExecutionState, node: ast.ImportFrom) -> None:
    """Bind `from a import b`."""
    frame.program.facts.scopes[node] = frame.scope
    written = spark_module(frame.program, node)
    if api.in_streaming(written):
        module = one(Ref(written))
    else:
        module = imported_value(frame, node.level, node.module or "")
    (atom,) = module.atoms
    for alias in node.names:
        name = alias.asname or alias.name
        remember(frame, name, module)
        if alias.name == "*":
            found = star_import(frame, module, node.lineno)
            for bound, value in found or api_star(node.level, node.module or ""):
                store_name(frame, bound, value)
        elif isinstance(atom, Module):
            frame.program.origins[frame.scope, name] = (atom, alias.name)
            value = module_attribute(frame, atom, alias.name, node.lineno)
            remember(frame, name, value)
            store_name(frame, name, value)
        else:
            path = api.canonical(f"{written}.{alias.name}")
            store_name(frame, name, one(Ref(path)))


def run_other(frame: ExecutionState, node: RunMagic) -> None:
    """Bind all names of the other notebook that `%run other` leaves in this one."""
    program = frame.program
    place = program.project.index.script(program.path, node.target)
    if place is None:
        return
    program.imports.setdefault(place.path)
    module = one(Module(place.path, not place.sure))
    remember(frame, "*", module)
    for name, value in star_import(frame, module, node.lineno, private=True):
        store_name(frame, name, value)
