"""The modules of this repository as syntax trees."""

from __future__ import annotations

import ast
import functools
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
INPUTS = {"fixtures", "golden", "input_projects", "python2_projects", "projects"}


class Module(NamedTuple):
    """A module: the package that its relative imports start from, and its syntax tree."""

    package: str
    tree: ast.Module


@functools.cache
def modules(folder: Path) -> dict[str, Module]:
    """The modules of a package by their names; inputs of tests are left out."""
    found = {}
    for path in sorted(folder.rglob("*.py")):
        if not INPUTS.isdisjoint(path.relative_to(folder).parts):
            continue
        parts = path.relative_to(folder.parent).with_suffix("").parts
        package = ".".join(parts[:-1])
        name = package if parts[-1] == "__init__" else ".".join(parts)
        found[name] = Module(package, ast.parse(path.read_text("utf-8"), str(path)))
    return found
