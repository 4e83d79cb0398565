"""Puts a statement at the start of a block of fissix's tree."""

from __future__ import annotations

from typing import Any

from fissix.pgen2 import token
from fissix.pygram import python_symbols as syms
from fissix.pytree import Leaf


def insert_first(block: Any, statement: str) -> None:
    """Put a statement in front of all others of a block, but for its docstring.

    Parameters
    ----------
    block : object
        The indented block, or the statements that stand behind a colon.
    statement : str
        The source, without its line end.
    """
    if block.type != syms.suite:
        block.insert_child(0, Leaf(token.NAME, f"{statement};", prefix=" "))
        return
    children = block.children
    first = next(n for n, child in enumerate(children) if child.type == token.INDENT) + 1
    indent = children[first - 1].value
    new = Leaf(token.NAME, f"{statement}\n")
    if _is_docstring(children[first]):
        new.prefix = indent
        block.insert_child(first + 1, new)
    else:
        children[first].prefix = indent + children[first].prefix
        block.insert_child(first, new)


def _is_docstring(statement: Any) -> bool:
    return bool(statement.children) and statement.children[0].type == token.STRING
