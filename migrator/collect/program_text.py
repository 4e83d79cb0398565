"""The text of the file that a node of a program stands in, for fixes."""

from __future__ import annotations

import ast

from migrator.model.requirement_events import Surroundings
from migrator.source.origins import Replaced
from migrator.source.python import Unit
from migrator.source.python2 import ConvertedOrigin

# longer programs are generated, and nothing in their strings is rewritten
_LONGEST = 1024 * 1024


def program_text(unit: Unit, node: ast.expr) -> Surroundings | None:
    """Return the source that an expression stands in; None if it is not the text of the file."""
    chunk = unit.chunk_at(node.lineno)
    text = chunk.text
    match chunk.origin:
        case ConvertedOrigin(original=before) | Replaced(original=before, before=None):
            text = before
        case None:
            pass
        case _:
            return None
    return Surroundings(text, "python") if len(text) <= _LONGEST else None
