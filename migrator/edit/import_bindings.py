"""The names that import statements bind, as the planner sees them."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from migrator.edit.dotted_paths import Binding
from migrator.spark import api


@dataclass(slots=True)
class ImportPart:
    """One name of an import statement that concerns us."""

    node: ast.Import | ast.ImportFrom
    index: int
    path: str
    binding: Binding
    problem: str | None = None
    detail: str = ""

    @property
    def alias(self) -> ast.alias:
        """The name in its statement."""
        return self.node.names[self.index]

    @property
    def binds_package(self) -> bool:
        """Whether it is `import pyspark.streaming`, which binds `pyspark` and fills it."""
        theirs = isinstance(self.node, ast.Import) and not self.path.startswith(api.COMPAT)
        return theirs and self.alias.asname is None


def as_statement(part: ImportPart, module: str) -> str:
    """Return the import of one name, as a statement of its own."""
    alias = part.alias
    renamed = f" as {alias.asname}" if alias.asname else ""
    if isinstance(part.node, ast.Import):
        return f"import {module}{renamed}"
    if module == api.COMPAT and part.path == api.ROOT:
        # `from pyspark import streaming`
        return f"import {module} as {alias.asname or alias.name}"
    return f"from {module} import {alias.name}{renamed}"


def in_compat(path: str) -> str:
    """Return a path into `pyspark.streaming` as one into dstream_compat."""
    return api.COMPAT + path[len(api.ROOT) :]
