"""Chooses the changes that are made: those that a person accepts now, or has accepted in a file."""

from __future__ import annotations

import difflib
import os
import sys
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TextIO

from migrator.errors import MigrateError
from migrator.model.changes import ProposedChange
from migrator.model.printable import visible
from migrator.model.report import Report
from migrator.run.changes import changes_of, keep_accepted
from migrator.run.options import Options
from migrator.select.accepted import read_accepted, unknown_note
from migrator.source.decode import shown_lines

Analyse = Callable[..., tuple[Report, list[str]]]
_HELP = """\
y  make this change
n  do not make this change
a  make this change and all later ones of the file
q  make neither this change nor any later one; those before it are made
?  print this help"""
_STYLES = {"+": "\x1b[32m", "-": "\x1b[31m", "@": "\x1b[36m"}
_PLAIN = "\x1b[0m"


def choose(
    report: Report, options: Options, analyse: Analyse
) -> tuple[Report, list[ProposedChange], list[str]]:
    """Leave in a report the changes that are accepted.

    Parameters
    ----------
    analyse : callable
        Gives the report of the same run anew, with the files that are kept as the argument `kept`.

    Returns
    -------
    (Report, list of ProposedChange, list of str)
        The report, the changes that were rejected one by one, and what a user should know.

    Raises
    ------
    MigrateError
        If the accepted changes cannot be read, or not all are answered.
    """
    answers = Answers()
    job_keys: frozenset[str] = frozenset()
    accepted = None if options.accept is None else read_accepted(options.accept)
    notes: list[str] = []
    while True:
        changes = changes_of(report)
        fresh = _unanswered_changes(changes, answers, job_keys)
        if accepted is None:
            ask(fresh, answers, options.color)
        else:
            for change in fresh:
                (answers.accepted if change.key in accepted else answers.rejected).append(change)
        unwanted = [*answers.rejected, *answers.left]
        # what other files become depends on the jobs that move
        moved = {file.path for file in report.files if file.structured is not None}
        stays = {change.path for change in unwanted if change.is_rewriting} & moved
        if not stays:
            break
        job_keys |= stays
        report, _ = analyse(kept=job_keys)
    keys = {change.key for change in answers.accepted}
    chosen = [change for change in changes if change.key in keys]
    rejected = answers.rejected
    if accepted is not None and options.accept is not None:
        notes = unknown_note(options.accept, accepted, chosen)
        # a change that has become another one, as a job that it belonged to stays, is not rejected
        left = {change.path for change in answers.accepted} - {change.path for change in chosen}
        rejected = [change for change in rejected if change.path not in left]
    keep_accepted(report, chosen)
    return report, rejected, notes


def _unanswered_changes(
    changes: Sequence[ProposedChange], answers: Answers, job_keys: Collection[str]
) -> list[ProposedChange]:
    """Return the changes that were not there before; a file that is kept is not rewritten."""
    keys = {one.key for one in (*answers.accepted, *answers.rejected, *answers.left)}
    fresh = [change for change in changes if change.key not in keys]
    of_kept = [one for one in fresh if one.is_rewriting and one.path in job_keys]
    # its comments are those of the rewriting that is not made now
    rejected = {one.path for one in answers.rejected if one.is_rewriting}
    for one in of_kept:
        (answers.rejected if one.path in rejected else answers.left).append(one)
    return [one for one in fresh if one not in of_kept]


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
            if answers.left:
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
