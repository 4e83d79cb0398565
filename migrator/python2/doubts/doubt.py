"""A doubt about a place of a program."""

from __future__ import annotations

import ast
from dataclasses import dataclass

_LONGEST = 40


@dataclass(frozen=True, slots=True)
class Doubt:
    """A place of which it is not proven that it means the same in Python 3.

    Parameters
    ----------
    kind : str
        Which rule it is for.
    text : str
        The source, or a part of it that names the place.
    detail : str
        What is known.
    proven : bool
        Whether it is known to fail or to differ.
    """

    node: ast.AST
    kind: str
    text: str
    detail: str = ""
    proven: bool = False


def shown(source: str) -> str:
    """Return a source in one line of a message."""
    line = " ".join(source.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 3]}..."
