"""How modules and classes of Python's library are written in the result."""

from __future__ import annotations

import ast

from migrator.infer.scopes import locals_of

from ..program.job import known_imports
from .builder import Builder


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


def module_of_file(builder: Builder, module: str) -> str:
    """Return how a module is written at the top of the file, which is imported if the job has not
    done that for the whole file.
    """
    for name, path in known_imports(builder.job).items():
        if path == module:
            return name
    name = builder.module.free_name(module)
    builder.standard.add(f"import {module}" if name == module else f"import {module} as {name}")
    return name


def standard_module(builder: Builder, module: str, place: ast.stmt) -> str:
    """Return how a module is written behind a statement of the job, which is imported if the job
    has not done that there.
    """
    known, around = builder.module, builder.job.block.functions
    body = around[-1].body if around else []
    before = [each for each in body if each.lineno < place.lineno]
    for name, path in (known_imports(builder.job) | known.imported_by(before)).items():
        if path == module and not known.binds(name, path):
            return name
    if known.binds(module, module) or any(module in locals_of(each) for each in around):
        name = known.free_name(module)
        builder.standard.add(f"import {module} as {name}")
        return name
    builder.standard.add(f"import {module}")
    return module
