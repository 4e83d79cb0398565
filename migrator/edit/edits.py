"""Edits of a Python source, as the planner makes them and `migrator.edit.rewrite` does them.

Decision 0026: Statements are edited where they stand.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field


@dataclass(slots=True)
class StatementEdit:
    """Changes to one import statement.

    Parameters
    ----------
    module : str, optional
        The new module of a from-import.
    renamed : dict of int to str
        New module names by position in the statement.
    dropped : set of int
        Positions of names that go away.
    after : list of (str, str or None)
        Imports to add behind it, as (module, alias); if every name is dropped they take its place.
    """

    node: ast.Import | ast.ImportFrom
    module: str | None = None
    renamed: dict[int, str] = field(default_factory=dict)
    dropped: set[int] = field(default_factory=set)
    after: list[tuple[str, str | None]] = field(default_factory=list)

    @property
    def replaces_all(self) -> bool:
        """Whether nothing of the statement stays."""
        return len(self.dropped) == len(self.node.names)


@dataclass(slots=True)
class ExpressionEdit:
    """A dotted expression that becomes a name."""

    node: ast.Attribute
    name: str


@dataclass(slots=True)
class Edits:
    """All edits of a unit."""

    statements: dict[ast.AST, StatementEdit] = field(default_factory=dict)
    expressions: dict[ast.AST, ExpressionEdit] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.statements or self.expressions)

    def statement(self, node: ast.Import | ast.ImportFrom) -> StatementEdit:
        """Return the edit of a statement, made when first asked for."""
        return self.statements.setdefault(node, StatementEdit(node))

    def by_node(self) -> dict[ast.AST, StatementEdit | ExpressionEdit]:
        """Return every edit by its node."""
        return {**self.statements, **self.expressions}
