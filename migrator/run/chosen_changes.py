"""Chooses the changes that are made: those that a person accepts now, or has accepted in a file."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from migrator.model.changes import ProposedChange
from migrator.model.report import Report
from migrator.run.changes import changes_of, keep_accepted
from migrator.run.dialog import Answers, ask
from migrator.run.options import Options
from migrator.select.accepted import read_accepted, unknown_note

Analyse = Callable[..., tuple[Report, list[str]]]


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
            _look_up(fresh, answers, accepted)
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


def _look_up(
    changes: Sequence[ProposedChange], answers: Answers, accepted: Collection[str]
) -> None:
    for change in changes:
        (answers.accepted if change.key in accepted else answers.rejected).append(change)
