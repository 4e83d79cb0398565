"""Proves that an edited source is the old one with exactly the planned edits."""

from __future__ import annotations

import ast
import io
import tokenize
import warnings

from migrator.edit.apply import numbered
from migrator.edit.edits import Edits, ExpressionEdit, StatementEdit
from migrator.edit.node_order import numbers
from migrator.source.lines import keep_ends
from migrator.source.python import Chunk, ParseProblem, parse


def difference(chunk: Chunk, before: str, after: str, edits: Edits) -> str | None:
    """Return what is wrong with an edited source, or None if it is proven right.

    The new text parses to the old tree with the edits done, compiles if the old one did, has the
    same comments, and every line that holds no edit is unchanged.
    """
    try:
        tree = parse(after)
    except ParseProblem as problem:
        return f"the result does not parse: {problem.detail}"
    if ast.dump(tree) != ast.dump(_expected(chunk, before, edits)):
        return "the result is not the old program with the planned edits"
    if _compiles(before) and not _compiles(after):
        return "the result does not compile"
    touched = _touched(chunk, edits)
    lines = keep_ends(before)
    if not _lines_kept(lines, after, touched):
        return "lines without edits would change"
    # elsewhere the lines are the same, so comments can only be lost in lines with edits
    if any("#" in lines[index] for index in touched) and _comments(before) != _comments(after):
        return "a comment would be lost"
    return None


def _touched(chunk: Chunk, edits: Edits) -> set[int]:
    """Return the lines that hold an edit, counted from 0."""
    own = numbers(chunk.tree)
    touched: set[int] = set()
    for node in edits.by_node():
        if node in own and isinstance(node, ast.stmt | ast.expr):
            first = node.lineno - chunk.first_line
            last = (node.end_lineno or node.lineno) - chunk.first_line
            touched.update(range(first, last + 1))
    return touched


def _expected(chunk: Chunk, before: str, edits: Edits) -> ast.AST:
    """Return the old tree, edited without libcst."""
    tree = parse(before)
    wanted = numbered(chunk, edits)
    by_node = {node: wanted[place] for node, place in numbers(tree).items() if place in wanted}
    result = _AstEditor(by_node).visit(tree)
    assert isinstance(result, ast.AST)
    return result


class _AstEditor(ast.NodeTransformer):
    def __init__(self, by_node: dict[ast.AST, StatementEdit | ExpressionEdit]) -> None:
        self.by_node = by_node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        edit = self.by_node.get(node)
        if isinstance(edit, ExpressionEdit):
            return ast.Name(edit.name, node.ctx if isinstance(node.ctx, ast.Load) else ast.Load())
        return self.generic_visit(node)

    def visit_Import(self, node: ast.Import) -> list[ast.stmt]:
        return self._statement(node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> list[ast.stmt]:
        return self._statement(node)

    def _statement(self, node: ast.Import | ast.ImportFrom) -> list[ast.stmt]:
        edit = self.by_node.get(node)
        if not isinstance(edit, StatementEdit):
            return [node]
        added: list[ast.stmt] = [
            ast.Import([ast.alias(module, alias)]) for module, alias in edit.after
        ]
        if edit.replaces_all:
            return added
        if isinstance(node, ast.ImportFrom) and edit.module is not None:
            node.module, node.level = edit.module, 0
        for index, name in edit.renamed.items():
            node.names[index].name = name
        node.names = [a for index, a in enumerate(node.names) if index not in edit.dropped]
        return [node, *added]


def _compiles(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "<migrated>", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _comments(text: str) -> list[str]:
    reader = io.StringIO(text, newline="").readline
    try:
        return [t.string for t in tokenize.generate_tokens(reader) if t.type == tokenize.COMMENT]
    except (tokenize.TokenError, IndentationError, SyntaxError):
        # tokenize is pickier than the parser about line ends; the lines are compared as well
        return [line.strip() for line in keep_ends(text) if line.lstrip().startswith("#")]


def _lines_kept(lines: list[str], after: str, touched: set[int]) -> bool:
    """Return whether the runs of lines between edits stand in the result unchanged and in order."""
    position = 0
    run = ""
    started = True
    for index, line in enumerate([*lines, None]):
        if line is not None and index not in touched:
            run += line
            continue
        place = after.find(run, position)
        if place < 0 or (started and place != 0):
            return False
        position = place + len(run)
        started = False
        if line is None:
            return not run or after.endswith(run)
        run = ""
    return True
