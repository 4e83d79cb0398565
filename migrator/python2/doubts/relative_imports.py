"""Imports of modules that lie beside the program, which Python 2 looks at first."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from migrator.python2.doubts.doubt import Doubt
from migrator.python2.program import ProgramPart


@dataclass(frozen=True, slots=True)
class Siblings:
    """What lies in the folder of a program.

    Parameters
    ----------
    modules : frozenset of str
        The names of the modules and packages there, without its own.
    is_package : bool
        Whether the folder is a package.
    """

    modules: frozenset[str] = frozenset()
    is_package: bool = False


def find(part: ProgramPart, siblings: Siblings) -> Iterator[Doubt]:
    """Find imports that find their module only because it lies in the same package."""
    if not siblings.is_package or "absolute_import" in part.features:
        return
    for node in ast.walk(part.tree):
        if isinstance(node, ast.Import):
            paths = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            paths = [node.module or ""]
        else:
            continue
        for path in paths:
            name = path.partition(".")[0]
            if name in siblings.modules:
                detail = (
                    f"`{name}` lies in the same package, where Python 3 looks only if the program "
                    "is run as a script"
                )
                yield Doubt(node, "relative-import", f"import {path}", detail)
