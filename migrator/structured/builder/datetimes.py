"""How the class `datetime` is written in the result."""

from __future__ import annotations

from ..program.job import known_imports
from .builder import Builder


def datetime_class(builder: Builder) -> str:
    """Return how the class `datetime` is written, which is imported if the job has not done that
    for the whole file.
    """
    if not builder.datetime:
        builder.datetime = _named(builder)
    return builder.datetime


def _named(builder: Builder) -> str:
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
