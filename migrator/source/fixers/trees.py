"""Names of fissix's trees that are free, and statements at the start of their blocks."""

from __future__ import annotations

import re
from typing import Any

from fissix.pgen2 import token
from fissix.pygram import python_symbols as syms
from fissix.pytree import Leaf


def used_names(tree: Any) -> set[str]:
    """Return every name in a tree."""
    return {word for leaf in tree.leaves() if leaf.type == token.NAME for word in words(leaf)}


def words(leaf: Any) -> list[str]:
    """Return the names in a leaf, of which a fixer may have written several into one."""
    return re.findall(r"[A-Za-z_]\w*", leaf.value)


def free_name(base_name: str, used: set[str]) -> str:
    """Return a name that is not used, which counts as used from now on."""
    name, number = base_name, 1
    while name in used:
        number += 1
        name = f"{base_name}_{number}"
    used.add(name)
    return name


def insert_first(block: Any, statement: str) -> None:
    """Put a statement in front of all others of a block, but for its docstring.

    Parameters
    ----------
    block : object
        The indented block, or the statements that stand behind a colon.
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
