"""Edits of expressions and imports for names that are gone."""

from __future__ import annotations

import ast
import re
from functools import cache

from migrator.python.replacements import BUILTINS, DICT_METHODS, LISTS, MEMBERS, NAMES
from migrator.source.python import Chunk, Unit
from migrator.spark.removed import METHODS, REPLACED

_SIMPLE = (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.List, ast.Dict, ast.Tuple)


def editable(unit: Unit, node: ast.expr | ast.stmt | ast.alias) -> Chunk | None:
    """Return the chunk of a node if its text is the text of the file, so that it can be edited."""
    chunk = unit.chunk_at(node.lineno)
    return None if not chunk.is_edited or chunk.is_partial else chunk


def operand(chunk: Chunk, node: ast.expr) -> str:
    """Return the text of an expression, in parentheses unless an operator may follow it."""
    text = chunk.source(node)
    is_text = isinstance(node, ast.Constant) and not isinstance(node.value, int | float | complex)
    whole = is_text and len(re.findall(r"\n|['\"]\s+['\"]", text)) == 0
    if isinstance(node, ast.Tuple) and text[:1] != "(":
        return f"({text})"
    return text if whole or isinstance(node, _SIMPLE) else f"({text})"


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
