"""Withdraws the edits of a file that the user does not want."""

from __future__ import annotations

from dataclasses import replace

from migrator.model.report import FileReport, Status
from migrator.rules.findings import mark_not_rewritten
from migrator.rules.registry import rules


def withdraw(file: FileReport, why: str) -> None:
    """Leaves a file unchanged and marks its fixes as open findings.

    Parameters
    ----------
    file
        Its report.
    why
        The reason, for the messages of its findings.
    """
    if file.content is None:
        return
    file.content = None
    if file.status is Status.REWRITTEN:
        file.status = Status.UNCHANGED
    file.findings = [
        replace(
            f,
            fixed=False,
            effort=rules()[f.code].effort,
            message=f"{f.message}; not rewritten: {why}",
        )
        if f.fixed
        else f
        for f in file.findings
    ]
    mark_not_rewritten(file)
