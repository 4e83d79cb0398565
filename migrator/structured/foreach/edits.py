"""The edits of a function's code, and frames as part of it."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod

from migrator.infer.scopes import locals_of

from ..builder.builder import Builder
from ..dataframes.frames import WIDTH, Chain
from ..program.batch_function import BatchFunction
from ..program.graph import Node
from ..program.job import Session
from ..program.modules import Comment, SourceModule
from .records import Uses

Span = tuple[int, int, str]
ROWS = len("[tuple(row) for row in ]")
HOISTED = {
    "orderBy": ("ordered",),
    "where": ("selected",),
    "select": ("selected",),
    "count": ("counts", "counted"),
}
"""Variables for frames that are too long for their line, by their last method."""


class FunctionEdits(ABC):
    """The edits of one function, and what its names are."""

    def __init__(self, builder: Builder, function: BatchFunction) -> None:
        self.builder = builder
        self.module = builder.module
        self.function = function
        self.uses = Uses(self.module, function.node)
        self.edits: list[Span] = []
        self.statement: ast.stmt | None = None
        self.names: dict[str, Node | Session] = {}
        own = locals_of(function.node)
        self.outer = {k: v for k, v in builder.job.names.items() if k not in own}
        self.rows: dict[str, ast.Call] = {}

    @abstractmethod
    def value(self, node: ast.expr) -> Node | None:
        """Return the RDD that an expression is, if it is one."""

    def drop(self, statement: ast.stmt, with_empty: bool = False) -> None:
        """Take a statement out with its lines, and perhaps with the empty ones below it."""
        first, last = statement.lineno, statement.end_lineno or statement.lineno
        lines = self.module.lines
        while with_empty and last < len(lines) and not lines[last].strip():
            last += 1
        start, end = self.module.starts[first - 1], self.module.starts[last]
        self.edits = [edit for edit in self.edits if not start <= edit[0] < end]
        pad = " " * statement.col_offset
        comments = [f"{pad}{comment.text}\n" for comment in self.module.comments_in(first, last)]
        if getattr(self.module.parents[statement], "body", []) == [statement]:
            comments.append(f"{pad}pass\n")
        self.edits.append((start, end, "".join(comments)))

    def code(self, start: str, chain: Chain, statement: ast.AST) -> str:
        """Return a statement with a frame, at the place of another one."""
        return self.builder.printer.statement(start, chain, getattr(statement, "col_offset", 0))

    def inline(self, chain: Chain, call: ast.Call, base_name: str = "", whole: bool = False) -> str:
        """Return a frame or a result of one inside of other code."""
        text = self.builder.printer.expression(chain)
        statement = self.statement
        if statement is None or self._line(call) + len(text) <= WIDTH:
            return text
        pad = " " * statement.col_offset
        match statement:
            case ast.Expr(value=value) if value is call:
                return self.builder.printer.statement("", chain, len(pad)).lstrip(" ")
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if (
                value is call and not _gives_rows(call)
            ):
                start = f"{name} = "
                code = self.builder.printer.statement(start, chain, len(pad))
                return code.removeprefix(pad + start)
        if not isinstance(statement, ast.Expr | ast.Assign | ast.For | ast.Return | ast.With):
            return text
        before, rest = (chain.calls, ()) if whole else (chain.calls[:-1], chain.calls[-1:])
        if not before:
            return text
        names = (base_name,) if base_name else HOISTED.get(before[-1].name, ("records",))
        name = self.module.free_name(*names)
        inlined = self.builder.printer.statement(f"{name} = ", Chain(chain.root, before), len(pad))
        place = self.module.starts[statement.lineno - 1]
        self.edits.append((place, place, inlined + "\n"))
        return self.builder.printer.expression(Chain(name, rest))

    def _line(self, call: ast.Call) -> int:
        """Return how long the line of a call is without it."""
        line = self.module.lines[call.lineno - 1].rstrip()
        if call.end_lineno != call.lineno:
            return call.col_offset
        around = ROWS if self._is_records(call) else 0
        return len(line) - len(self.module.source(call)) + around

    def _is_records(self, call: ast.Call) -> bool:
        """Return whether rows become tuples around a call."""
        return _gives_rows(call) and self.uses.needs_tuples(call)

    def edit(self, node: ast.expr | ast.stmt, text: str) -> None:
        """Put a text in the place of a node; its comments go above the statement."""
        start, end = self.module.span(node)
        lost = [
            comment
            for comment in self.module.comments_in(node.lineno, node.end_lineno or node.lineno)
            if start <= place_of(self.module, comment) < end
        ]
        self.edits.append((start, end, text))
        if lost and self.statement is not None:
            place = self.module.starts[self.statement.lineno - 1]
            pad = " " * self.statement.col_offset
            self.edits.append((place, place, "".join(f"{pad}{e.text}\n" for e in lost)))


def place_of(module: SourceModule, comment: Comment) -> int:
    """Return where a comment begins in the text."""
    return module.starts[comment.line - 1] + module.lines[comment.line - 1].rindex(comment.text)


def _gives_rows(call: ast.Call) -> bool:
    method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    return method in ("collect", "take", "top", "takeOrdered")
