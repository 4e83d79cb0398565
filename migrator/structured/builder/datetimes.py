"""How the class `datetime` is written in the result."""

from __future__ import annotations

from .builder import Builder


def datetime_class(builder: Builder) -> str:
    """Return how the class `datetime` is written, which is
    imported if the job has not done that.
    """
    for name, path in builder.module.paths.items():
        if path == "datetime.datetime":
            return name
        if path == "datetime":
            return f"{name}.datetime"
    if "datetime" in builder.module.names:
        builder.standard.add("import datetime as dt")
        return "dt.datetime"
    builder.standard.add("from datetime import datetime")
    return "datetime"
