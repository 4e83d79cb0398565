"""How modules and classes of Python's library are written in the result."""

from __future__ import annotations

import ast
import sys

from migrator.infer.scopes import locals_of

from ..program.job import known_imports
from .builder import Builder

_SHORT = {"paho.mqtt.client": "mqtt"}
"""The names that modules are imported as."""


def datetime_class(builder: Builder) -> str:
    """Return how the class `datetime` is written, which is imported if the job has not done that
    for the whole file.
    """
    if not builder.datetime:
        builder.datetime = _class_name(builder)
    return builder.datetime


def _class_name(builder: Builder) -> str:
    for name, path in known_imports(builder.job).items():
        if path == "datetime.datetime":
            return name
        if path == "datetime":
            return f"{name}.datetime"
    name = builder.module.free_name("datetime", "dt")
    if name == "datetime":
        builder.standard.add("from datetime import datetime")
        return name
    builder.standard.add(f"import datetime as {name}")
    return f"{name}.datetime"


def import_of_file(builder: Builder, path: str) -> str:
    """Return how a module, or what a module has, is written at the top of the file, which imports
    it if the job has not done that for the whole file.
    """
    if path == "datetime.datetime":
        return datetime_class(builder)
    for name, file_name in known_imports(builder.job).items():
        if file_name == path:
            return name
    source, _, member = path.rpartition(".")
    short_name = _SHORT.get(path, member)
    name = builder.module.free_name(short_name)
    imported = member if name == member else f"{member} as {name}"
    if source.partition(".")[0] in sys.stdlib_module_names or not source:
        builder.standard.add(f"from {source} import {imported}" if source else f"import {imported}")
    else:
        builder.needed.setdefault(source, set()).add(imported)
    return name


def standard_module(builder: Builder, module: str, place: ast.stmt) -> str:
    """Return how a module is written behind a statement of the job, which is imported if the job
    has not done that there.
    """
    here, around = builder.module, builder.job.block.functions
    body = around[-1].body if around else []
    before = [statement for statement in body if statement.lineno < place.lineno]
    for name, path in (known_imports(builder.job) | here.import_paths(before)).items():
        if path == module and not here.binds(name, path):
            return name
    if here.binds(module, module) or any(module in locals_of(outer) for outer in around):
        name = here.free_name(module)
        builder.standard.add(f"import {module} as {name}")
        return name
    builder.standard.add(f"import {module}")
    return module
