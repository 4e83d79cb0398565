"""The steps in which a file changes."""

from __future__ import annotations

from migrator.model.report import FileReport


def steps(file: FileReport) -> list[tuple[str, bytes, bytes]]:
    """Return what a file becomes: a title, empty if there is one step only, and both contents."""
    if file.content is None:
        return []
    if file.conversion is None:
        return [("", file.original, file.content)]
    middle = file.conversion.content
    found = [("Python 2 to Python 3", file.original, middle)]
    if middle != file.content:
        found.append(("DStreams to dstream_compat", middle, file.content))
    return found
