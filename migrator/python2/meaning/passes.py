"""What is converted, in the order of it, and what stays in doubt then."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from migrator.model.python2_events import Python2Doubt
from migrator.python2.meaning import (
    builtins,
    classes,
    dictionaries,
    divisions,
    sequences,
    sorting,
    texts,
    types,
)
from migrator.python2.program import Change, Program2, ProgramPart

Pass = Callable[[ProgramPart, ast.AST], Iterator[Change]]
# each sees the program as those before it have left it; lists before names: `range` is one, and
# what was `xrange` is none
PASSES: tuple[Pass, ...] = (
    divisions.changes,
    dictionaries.changes,
    sequences.changes,
    sorting.changes,
    classes.changes,
    builtins.changes,
)
_FINDERS: tuple[Callable[[ProgramPart, ast.AST], Iterator[Python2Doubt]], ...] = (
    divisions.doubts,
    dictionaries.doubts,
    sequences.doubts,
    sorting.doubts,
    classes.doubts,
    builtins.doubts,
    texts.doubts,
    types.doubts,
)


def doubts(program: Program2) -> Iterator[Python2Doubt]:
    """Yield what is not proven to mean the same in a converted program."""
    for part, node in program.nodes():
        for find in _FINDERS:
            yield from find(part, node)
