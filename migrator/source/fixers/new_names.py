"""Finds names that a program does not use yet."""

from __future__ import annotations

import re
from typing import Any

from fissix.pgen2 import token


def used_names(tree: Any) -> set[str]:
    """Return every name in a tree."""
    return {word for leaf in tree.leaves() if leaf.type == token.NAME for word in words(leaf)}


def words(leaf: Any) -> list[str]:
    """Return the names in a leaf, of which a fixer may have written several into one."""
    return re.findall(r"[A-Za-z_]\w*", leaf.value)


def unused(wanted: str, used: set[str]) -> str:
    """Return a name that is not used, which counts as used from now on."""
    name, number = wanted, 1
    while name in used:
        number += 1
        name = f"{wanted}_{number}"
    used.add(name)
    return name
