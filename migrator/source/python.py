"""Parsed Python: modules, and notebooks as modules of several cells."""

from __future__ import annotations

import ast
import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

from migrator.model.report import Spot, TextEdit
from migrator.source.child_nodes import children
from migrator.source.lines import Located, TextLines
from migrator.source.tracked_text import Origin, Replaced

MAX_DEPTH = 1500
_WORKING_LIMIT = 40_000
_NEWER_KEYWORD = re.compile(r"\s*\b(?:async|await)\b\s*")


class ParseProblem(Exception):
    """Text that Python 3 does not parse; kind is "syntax", "python2" or "nested"."""

    def __init__(self, kind: str, detail: str, line: int, column: int) -> None:
        super().__init__(detail)
        self.kind = kind
        self.detail = detail
        self.line = line
        self.column = column


@dataclass
class Chunk:
    """A piece of source that is parsed by itself: a file, or a cell of a notebook.

    Parameters
    ----------
    nodes : list of AST
        All nodes of its tree, parents before children.
    first_line : int
        The number its first line has in the tree of the unit.
    origin : Origin, optional
        What the text was made of, if it was.
    is_partial : bool
        Whether broken statements are left out of it, so that it is not edited.
    """

    text: str
    tree: ast.Module
    nodes: list[ast.AST]
    first_line: int = 1
    cell: int | None = None
    origin: Origin | None = None
    is_partial: bool = False

    @cached_property
    def lines(self) -> TextLines:
        """The lines of its text."""
        return TextLines(self.text)

    def span(self, node: Located) -> tuple[int, int]:
        """Return where a node of the tree of the unit begins and ends in the text."""
        assert node.end_lineno is not None and node.end_col_offset is not None
        before = self.first_line - 1
        start = self.lines.offset(node.lineno - before, node.col_offset)
        return start, self.lines.offset(node.end_lineno - before, node.end_col_offset)

    def source(self, node: Located) -> str:
        """Return the text of a node."""
        start, end = self.span(node)
        return self.text[start:end]

    def edit(self, start: int, end: int, new: str) -> TextEdit:
        """Return the edit that puts a text in the place of a part of this one."""
        line, column = self.lines.place(start)
        is_converted = isinstance(self.origin, Replaced)
        converted = Spot(line, column + 1, self.cell) if is_converted else None
        return TextEdit(self.spot(line, column), self.text[start:end], new, converted)

    def spot(self, number: int, column: int) -> Spot:
        """Return the place in the file of a line (from 1) and column (from 0) of this chunk."""
        if self.origin is not None:
            number, column = self.origin.place(number, column)
        return Spot(number, column + 1, self.cell)

    @property
    def is_edited(self) -> bool:
        """Whether its text is that of the file, or of what the file was converted to."""
        origin = self.origin
        return origin is None or (isinstance(origin, Replaced) and origin.is_file)


@dataclass(slots=True)
class Unit:
    """The chunks that share one namespace, with one tree for all.

    Parameters
    ----------
    unread : list of str
        The texts of the parts that do not parse: they may do anything to what the others bind.
    """

    chunks: list[Chunk]
    tree: ast.Module
    unread: list[str] = field(default_factory=list)

    @property
    def is_file(self) -> bool:
        """Whether it is all of a Python file, as that is written."""
        first = self.chunks[0]
        return first.cell is None and first.origin is None and not self.unread

    def nodes(self) -> Iterator[ast.AST]:
        """Return all nodes below the root, in each chunk parents before their children."""
        return chain.from_iterable(chunk.nodes for chunk in self.chunks)

    def chunk_at(self, line: int) -> Chunk:
        """Return the chunk that a line of the tree belongs to."""
        last_chunk = self.chunks[0]
        for chunk in self.chunks:
            if chunk.first_line > line:
                break
            last_chunk = chunk
        return last_chunk

    def spot(self, line: int, byte_column: int) -> Spot:
        """Return the place in the file of a position that `ast` gives."""
        chunk = self.chunk_at(line)
        number = line - chunk.first_line + 1
        return chunk.spot(number, chunk.lines.column(number, byte_column))

    def spot_of(self, node: Located) -> Spot:
        """Return where a node starts."""
        return self.spot(node.lineno, node.col_offset)

    def name_spot(self, node: Located) -> Spot:
        """Return where a node starts; for an attribute, where its name does."""
        if not isinstance(node, ast.Attribute) or not node.end_lineno or not node.end_col_offset:
            return self.spot_of(node)
        return self.spot(node.end_lineno, max(node.end_col_offset - len(node.attr.encode()), 0))


def make_chunk(
    text: str, first_line: int = 1, cell: int | None = None, origin: Origin | None = None
) -> Chunk:
    """Parse a piece of source.

    Raises
    ------
    ParseProblem
        If it is not Python 3.
    """
    tree = parse(text)
    nodes = nodes_of(tree)
    if first_line != 1:
        ast.increment_lineno(tree, first_line - 1)
    return Chunk(text, tree, nodes, first_line, cell, origin)


def parse(text: str) -> ast.Module:
    """Parse a source as Python 3.

    Raises
    ------
    ParseProblem
        If it does not parse.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except SyntaxError as error:
        kind = "python2" if _looks_like_python2(error, text) else "syntax"
        raise ParseProblem(kind, _reason(error), error.lineno or 1, error.offset or 1) from None
    except ValueError as error:
        raise ParseProblem("syntax", str(error), 1, 1) from None
    except (RecursionError, MemoryError):
        raise ParseProblem("nested", "expressions are nested too deeply", 1, 1) from None
    return tree


def parses(text: str) -> bool:
    """Return whether a source is Python 3."""
    try:
        parse(text)
    except ParseProblem:
        return False
    return True


def nodes_of(tree: ast.Module) -> list[ast.AST]:
    """Return all nodes below a module, parents before children.

    Raises
    ------
    ParseProblem
        If they are nested deeper than can be walked.
    """
    nodes: list[ast.AST] = []
    level: list[ast.AST] = [tree]
    for _ in range(MAX_DEPTH):
        level = [child for node in level for child in children(node)]
        if not level:
            return nodes
        nodes += level
    raise ParseProblem("nested", "expressions are nested too deeply", 1, 1)


def _reason(error: SyntaxError) -> str:
    """Return what is wrong; Python does not say of its newer keywords that they are some."""
    line, at = error.text or "", (error.offset or 1) - 1
    match = _NEWER_KEYWORD.match(line, at) or _NEWER_KEYWORD.fullmatch(line[:at])
    if match is None or error.msg != "invalid syntax":
        return error.msg
    return f"`{match[0].strip()}` is a keyword since Python 3.7"


def _looks_like_python2(error: SyntaxError, text: str) -> bool:
    message = error.msg or ""
    line = (error.text or "").strip()
    return (
        "Missing parentheses in call to" in message
        or "multiple exception types must be parenthesized" in message
        or "Lambda expression parameters cannot be parenthesized" in message
        or "Function parameters cannot be parenthesized" in message
        or "leading zeros in decimal integer" in message
        or "invalid decimal literal" in message
        or "inconsistent use of tabs" in message
        or line.startswith(("print ", "print>>", "exec ", "raise "))
        or line.startswith(("except ", "lambda ("))
        or ("lambda (" in line or "lambda(" in line or "<>" in line or "ur'" in line)
    )


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Let pure Python recursion go as deep as the trees that `parse` lets through."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _WORKING_LIMIT))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
