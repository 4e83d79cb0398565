"""The names that Python has lost, from a table that `scripts/removed_python_names.py` writes."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple


class Removed(NamedTuple):
    """What is gone, by dotted path, each with the first version that lacks it.

    Parameters
    ----------
    modules : dict of str to str
        Modules as a whole.
    names : dict of str to str
        Names of modules that are still there; built-in ones are in `builtins`.
    members : dict of str to str
        Methods of classes that are still there.
    moved : dict of str to frozenset of str
        Names that a module had under its old name and lacks under its new one.
    """

    modules: dict[str, str]
    names: dict[str, str]
    members: dict[str, str]
    moved: dict[str, frozenset[str]]


@cache
def removed_table() -> Removed:
    """Return the table, read when it is first needed."""
    table = json.loads(Path(__file__).with_name("removed.json").read_text("utf-8"))
    moved = {old: frozenset(names) for old, names in table["moved"].items()}
    return Removed(table["modules"], table["names"], table["members"], moved)
