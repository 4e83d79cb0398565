"""Edits of expressions and imports for names that are gone."""

from __future__ import annotations

import ast
import re
from functools import cache

from migrator.collect.chunk_edits import offset_in, replacement
from migrator.model.report import TextEdit
from migrator.python.replacements import BUILTINS, DICT_METHODS, LISTS, MEMBERS, NAMES
from migrator.source.import_place import first_line, import_place
from migrator.source.lines import keep_ends
from migrator.source.python import Chunk, Unit
from migrator.spark.removed import METHODS, REPLACED

_SIMPLE = (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.List, ast.Dict, ast.Tuple)


def editable(unit: Unit, node: ast.expr | ast.stmt | ast.alias) -> Chunk | None:
    """Return the chunk of a node if its text is the text of the file, so that it can be edited."""
    chunk = unit.chunk_at(node.lineno)
    return None if not chunk.is_edited or chunk.is_partial else chunk


def span(chunk: Chunk, node: ast.expr | ast.stmt | ast.alias | ast.keyword) -> tuple[int, int]:
    """Return where a node stands in the text of its chunk."""
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return (
        offset_in(chunk, node.lineno, node.col_offset),
        offset_in(chunk, node.end_lineno, node.end_col_offset),
    )


def text_in(chunk: Chunk, node: ast.expr | ast.stmt) -> str:
    """Return the text of a node."""
    start, end = span(chunk, node)
    return chunk.text[start:end]


def operand(chunk: Chunk, node: ast.expr) -> str:
    """Return the text of an expression, in parentheses unless
    a dot or an operator may follow it.
    """
    text = text_in(chunk, node)
    is_text = isinstance(node, ast.Constant) and not isinstance(node.value, int | float | complex)
    whole = is_text and len(re.findall(r"\n|['\"]\s+['\"]", text)) == 0
    if isinstance(node, ast.Tuple) and text[:1] != "(":
        return f"({text})"
    return text if whole or isinstance(node, _SIMPLE) else f"({text})"


def replaced(chunk: Chunk, node: ast.expr | ast.stmt | ast.alias, new: str) -> TextEdit:
    """Return the edit that puts a text in the place of a node."""
    return replacement(chunk, *span(chunk, node), new)


def attribute_edit(chunk: Chunk, node: ast.Attribute, new: str) -> TextEdit:
    """Return the edit that changes the last name of an attribute."""
    end = span(chunk, node)[1]
    return replacement(chunk, end - len(node.attr), end, new)


def has_old_mode(node: ast.expr) -> bool:
    """Return whether a value is a mode for reading a file that Python refuses because of its U."""
    match node:
        case ast.Constant(value=str(mode)):
            return "U" in mode and set(mode) <= set("rbtU")
    return False


def is_settled(*nodes: ast.expr) -> bool:
    """Return whether no other edit can concern expressions, so that their text may be moved."""
    for node in (inner for outer in nodes for inner in ast.walk(outer)):
        match node:
            case ast.Name(id=name) if name in BUILTINS or name in LISTS:
                return False
            case ast.Attribute(attr=name) if name in _replaced_names():
                return False
            case ast.keyword(arg=name) if name in ("encoding", "cmp"):
                return False
            case ast.Constant() if has_old_mode(node):
                return False
            case ast.JoinedStr() | ast.Lambda():
                return False
    return True


@cache
def _replaced_names() -> frozenset[str]:
    """Return the last parts of all names that edits replace."""
    paths = (*NAMES, *MEMBERS, *METHODS, *REPLACED, *DICT_METHODS, "streaming", "toDF")
    return frozenset(path.rpartition(".")[2] for path in paths)


def added_import(unit: Unit, statements: list[str], near: ast.expr) -> TextEdit | None:
    """Return the edit that adds imports before the first one of
    a file or cell, None if that cannot be.

    Parameters
    ----------
    unit : Unit
        The parsed source.
    statements : list of str
        The imports.
    near : expr
        A node of the cell that needs them.
    """
    chunk = unit.chunk_at(near.lineno)
    if not chunk.is_edited or chunk.is_partial:
        return None
    place = import_place(chunk.tree)
    if place is None:
        return None
    line = first_line(place)
    start = offset_in(chunk, line, 0)
    first = offset_in(chunk, line, 0 if line != place.lineno else place.col_offset)
    # behind a semicolon
    if chunk.text[start:first].strip():
        return None
    ends = [part[len(part.rstrip("\r\n")) :] for part in keep_ends(chunk.text)]
    end = next(filter(None, ends), "\n")
    return replacement(chunk, start, start, "".join(s + end for s in statements))
