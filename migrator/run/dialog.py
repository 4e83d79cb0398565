"""Asks on a terminal for each change whether it is made, as `git add -p` does."""

from __future__ import annotations

import difflib
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TextIO

from migrator.errors import MigrateError
from migrator.model.changes import ProposedChange
from migrator.model.printable import visible
from migrator.source.decode import shown_lines

_HELP = """\
y  make this change
n  do not make this change
a  make this change and all later ones of the file
q  make neither this change nor any later one; those before it are made
?  print this help"""
_STYLES = {"+": "\x1b[32m", "-": "\x1b[31m", "@": "\x1b[36m"}
_PLAIN = "\x1b[0m"


@dataclass(slots=True)
class Answers:
    """What was answered.

    Parameters
    ----------
    accepted, rejected : list of ProposedChange
        The changes that are made, and those that are not because of an answer of their own.
    left : list of ProposedChange
        Those that are not made because of `q`.
    """

    accepted: list[ProposedChange] = field(default_factory=list)
    rejected: list[ProposedChange] = field(default_factory=list)
    left: list[ProposedChange] = field(default_factory=list)

    @property
    def is_over(self) -> bool:
        """Whether nothing more is asked."""
        return bool(self.left)


def check_terminal(stdin: TextIO | None = None, stdout: TextIO | None = None) -> None:
    """Refuse to ask where nobody can answer.

    Raises
    ------
    MigrateError
        If standard input or output is no terminal.
    """
    for name, stream in (("input", stdin or sys.stdin), ("output", stdout or sys.stdout)):
        if not stream.isatty():
            raise MigrateError(
                f"--interactive asks on a terminal, and standard {name} is none; choose changes in "
                "an HTML report, and give their list with --accept FILE"
            )


def ask(changes: Sequence[ProposedChange], answers: Answers, color: bool = True) -> None:
    """Ask for each change, and add the answers to those before.

    Raises
    ------
    MigrateError
        If standard input ends before all is answered.
    """
    color = color and not os.environ.get("NO_COLOR")
    done = 0
    for _, group in groupby(changes, key=lambda change: change.path):
        own = list(group)
        for index, change in enumerate(own):
            done += 1
            if answers.is_over:
                answers.left.append(change)
                continue
            _show(change, color)
            answer = _answer(f"({done}/{len(changes)}) Make this change [y,n,a,q,?]? ")
            if answer == "n":
                answers.rejected.append(change)
            elif answer == "q":
                answers.left.append(change)
            else:
                answers.accepted.append(change)
            if answer == "a":
                answers.accepted += own[index + 1 :]
                done += len(own) - index - 1
                break


def _show(change: ProposedChange, color: bool) -> None:
    before, after = shown_lines(change.before), shown_lines(change.after)
    print()
    for line in difflib.unified_diff(
        before, after, f"a/{change.path}", f"b/{change.path}", lineterm=""
    ):
        style = _STYLES.get(line[:1], "") if color else ""
        print(f"{style}{visible(line.expandtabs(4))}{_PLAIN if style else ''}")
    for reason in change.reasons:
        print(f"  {visible(reason)}")


def _answer(question: str) -> str:
    while True:
        try:
            answer = input(question).strip().lower()
        except EOFError:
            print()
            raise MigrateError(
                "standard input ended before all changes were answered; nothing was written"
            ) from None
        if answer in ("y", "n", "a", "q"):
            return answer
        print(_HELP)
