"""The changes in their order: each sees the program as those before it have left it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from migrator.python2.kinds import ExpressionKinds
from migrator.python2.names import (
    builtins,
    dictionaries,
    division,
    methods,
    sequences,
    sorting,
)
from migrator.python2.program import Change, Program2, ProgramPart

Pass = Callable[[Program2, ProgramPart, ExpressionKinds], Iterator[Change]]
# lists before names: `range` is one, and what was `xrange` is none
PASSES: tuple[Pass, ...] = (
    division.changes,
    dictionaries.changes,
    sequences.changes,
    sorting.changes,
    methods.changes,
    builtins.changes,
)
