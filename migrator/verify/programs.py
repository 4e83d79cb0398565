"""Reads what a program imports, and where that is."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path


def imported_modules(text: str) -> list[str]:
    """Return the modules that a program imports anywhere; none if it does not parse."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return []
    return list(_import_paths(tree))


def _import_paths(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def beside(job: Path, name: str) -> list[Path]:
    """Return the file of a module, or of the package that it is in, if that is beside a job."""
    first = job.parent / name.partition(".")[0]
    paths = [first.with_suffix(".py"), first / "__init__.py"]
    return [path for path in paths if path.is_file()]


def texts(text: str) -> Iterator[str]:
    """Yield the texts that a program has as constants; none if it does not parse."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
