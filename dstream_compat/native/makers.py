"""Classes whose calls make tuples with names: named tuples, and `Row`."""

from __future__ import annotations

import ast
import keyword
from dataclasses import dataclass

ROW = "Row"


@dataclass(frozen=True)
class Maker:
    """A class of named tuples, or `Row`.

    Parameters
    ----------
    name : str
        the name under which the source has it; `ROW` for `Row`
    fields : tuple of str, optional
        the names of the values; None for `Row`, whose calls name them
    """

    name: str
    fields: tuple[str, ...] | None = None


def maker(name: str, fields: object) -> Maker | None:
    """Return a class of named tuples, if Python makes one with these names, and Spark such columns.

    Parameters
    ----------
    name : str
        the name under which the source has it
    fields : object
        the names, as `namedtuple` takes them; anything else is refused
    """
    if isinstance(fields, str):
        fields = fields.replace(",", " ").split()
    if not isinstance(fields, list | tuple) or not fields or name == ROW:
        return None
    names = tuple(each for each in fields if isinstance(each, str) and _is_field(each))
    # the names of columns have no case
    distinct = len({each.lower() for each in names}) == len(fields)
    return Maker(name, names) if distinct else None


def annotated_names(body: list[ast.stmt]) -> list[object] | None:
    """Return the names of a class that has only names with types and a docstring."""
    names: list[object] = []
    for place, statement in enumerate(body):
        match statement:
            case ast.AnnAssign(target=ast.Name(id=name), value=None):
                names.append(name)
            case ast.Expr(value=ast.Constant(value=str())) if place == 0:
                pass
            case _:
                return None
    return names


def _is_field(name: str) -> bool:
    return name.isidentifier() and not keyword.iskeyword(name) and not name.startswith("_")
