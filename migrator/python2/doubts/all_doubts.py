"""Every doubt about a converted program, with its place in the original."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from migrator.model.python2_events import Python2Doubt
from migrator.model.report import Spot
from migrator.python2.doubts import (
    divisions,
    lazy,
    ordering,
    raised,
    relative_imports,
    rounding,
    run_code,
    scopes,
    spaces,
    special_methods,
    texts,
    types,
)
from migrator.python2.doubts.doubt import Doubt, shown
from migrator.python2.doubts.relative_imports import Siblings
from migrator.python2.kinds import ExpressionKinds
from migrator.python2.program import Program2, ProgramPart

Finder = Callable[[Program2, ProgramPart, ExpressionKinds], Iterator[Doubt]]
_FINDERS: tuple[Finder, ...] = (
    divisions.find,
    lazy.find,
    ordering.find,
    raised.find,
    rounding.find,
    run_code.find,
    scopes.find,
    spaces.find,
    special_methods.find,
    texts.find,
    types.find,
)


def doubts(program: Program2, siblings: Siblings) -> Iterator[Python2Doubt]:
    """Yield what is not proven to mean the same.

    Parameters
    ----------
    program : Program2
        The converted program.
    siblings : Siblings
        What lies beside it.
    """
    kinds = ExpressionKinds(program)
    for part in program.parts:
        found = [doubt for find in _FINDERS for doubt in find(program, part, kinds)]
        found += relative_imports.find(part, siblings)
        for doubt in found:
            line, column = part.old_place(doubt.node)
            at = Spot(line, column + 1, part.cell)
            yield Python2Doubt(at, doubt.kind, shown(doubt.text), doubt.detail, doubt.proven)
