"""Writes ignore comments for findings that stay, into the files themselves.

Decision 0134: Ignore comments are written where no token changes.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

from migrator.model.changes import IgnoresAdded, ProposedChange
from migrator.model.findings import shown_place
from migrator.model.report import FileReport, Finding, Report, Status, SuppressedBy
from migrator.select.comments import with_ignores
from migrator.source.excerpt import Place, source_text

_KNOWN = "known"
_REJECTED = "rejected"


def add_ignores(report: Report, rejected: Sequence[ProposedChange] | None) -> IgnoresAdded:
    """Give files comments that ignore findings.

    Parameters
    ----------
    report : Report
        The report after its fixes were made.
    rejected : sequence of ProposedChange, optional
        The changes whose findings are ignored, beside those that are made; None for all findings
        that ask for a change, without any change.
    """
    done, left = 0, []
    for file in report.files:
        if rejected is None:
            findings = [f for f in file.findings if f.asks_for_change]
            file.drop_content()
        else:
            findings = list(_of_changes(file, rejected))
        ignored = _add(file, findings, _KNOWN if rejected is None else _REJECTED)
        done += len(ignored)
        left += [
            f"{file.path}, {shown_place(f.at)} ({f.code})" for f in findings if f not in ignored
        ]
    return IgnoresAdded(done, tuple(left))


def _of_changes(file: FileReport, changes: Iterable[ProposedChange]) -> Iterable[Finding]:
    """Yield the findings of a file that are open because changes of it were rejected."""
    own = [change for change in changes if change.path == file.path]
    codes = {(f.code, f.at) for change in own for f in change.fixes}
    is_kept = any(change.is_rewriting for change in own)
    for finding in file.findings:
        of_file = is_kept and finding.rewrite is not None
        if finding.is_open and (of_file or (finding.code, finding.at) in codes):
            yield finding


def _add(file: FileReport, findings: Sequence[Finding], reason: str) -> list[Finding]:
    """Write comments into a file, and return the findings that they ignore."""
    data = file.original if file.content is None else file.content
    lines = _lines(file.path, file.original, data)
    wanted_codes: dict[Place, set[str]] = {}
    for finding in findings:
        place = lines.get((finding.at.cell, finding.at.line))
        if place is not None:
            wanted_codes.setdefault(place, set()).add(finding.code)
    codes = {place: frozenset(names) for place, names in wanted_codes.items()}
    written = with_ignores(file.path, data, codes, reason)
    ignored = [f for f in findings if lines.get((f.at.cell, f.at.line)) in written.places]
    if ignored:
        file.content, file.status = written.content, Status.REWRITTEN
        for finding in ignored:
            finding.decision.suppress(SuppressedBy.COMMENT, reason)
    return ignored


def _lines(path: str, original: bytes, data: bytes) -> dict[Place, Place]:
    """Return where lines of a file stand once it is changed; those that are changed have no place,
    unless as many lines have taken theirs.
    """
    before, after = source_text(path, original), source_text(path, data)
    places: dict[Place, Place] = {}
    for cell in before.parts:
        old, new = before.parts.get(cell, ""), after.parts.get(cell, "")
        matcher = difflib.SequenceMatcher(None, old.splitlines(), new.splitlines(), autojunk=False)
        for tag, i1, i2, j1, j2 in matcher.get_opcodes():
            if tag == "equal" or (tag == "replace" and i2 - i1 == j2 - j1):
                places |= {(cell, i1 + step + 1): (cell, j1 + step + 1) for step in range(i2 - i1)}
    return places
