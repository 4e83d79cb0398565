"""Edits the chunks of a unit and proves each result."""

from __future__ import annotations

from migrator.edit.apply import apply, numbered
from migrator.edit.edits import Edits
from migrator.edit.verify import difference
from migrator.source.document import Texts
from migrator.source.problems import RewriteProblem
from migrator.source.python import Unit


def rewritten(unit: Unit, texts: Texts, edits: Edits) -> Texts:
    """Return the texts of a unit after its edits.

    Parameters
    ----------
    unit : Unit
        The parsed source.
    texts : Texts
        The source of each chunk by cell.

    Raises
    ------
    RewriteProblem
        If one of the results cannot be proven right.
    """
    result = dict(texts)
    for chunk in unit.chunks:
        if not numbered(chunk, edits):
            continue
        if chunk.is_partial:
            raise RewriteProblem("an edit concerns a cell that does not parse")
        before = texts[chunk.cell]
        after = apply(chunk, before, edits)
        wrong = difference(chunk, before, after, edits)
        if wrong is not None:
            raise RewriteProblem(wrong)
        result[chunk.cell] = after
    return result
