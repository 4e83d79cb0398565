"""Lists the changes that a run would make, leaves out those that are not accepted, and writes
comments that ignore findings that stay.

Decision 0134: Ignore comments are written where no token changes.
"""

from __future__ import annotations

import difflib
import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from migrator.model.changes import IgnoresAdded, ProposedChange
from migrator.model.findings import shown_place
from migrator.model.report import FileReport, Finding, Report, Status, SuppressedBy
from migrator.run.apply_fixes import content_with
from migrator.select.comments import with_ignores
from migrator.select.fixes import keep_original
from migrator.source.decode import DecodeProblem
from migrator.source.excerpt import Place, source_text
from migrator.source.notebook import NotebookProblem

NOT_ACCEPTED = "the change was not accepted"
_KNOWN = "known"
_REJECTED = "rejected"


def changes_of(report: Report) -> list[ProposedChange]:
    """Return the changes of a report before its fixes are made, file by file."""
    seen: Counter[str] = Counter()
    changes = []
    for file in report.files:
        for reasons, before, after, fixes in _changes(file):
            key = _key(file.path, before, after)
            seen[key] += 1
            # the same change of another place
            key = key if seen[key] == 1 else f"{key}-{seen[key]}"
            changes.append(ProposedChange(file.path, key, reasons, before, after, fixes))
    return changes


def keep_accepted(report: Report, accepted: Iterable[ProposedChange]) -> None:
    """Decide that no other changes of a report are made: what they would solve stays open.

    Parameters
    ----------
    accepted : iterable of ProposedChange
        Some of the changes that `changes_of` has listed of this report.
    """
    changes = list(accepted)
    rewritten = {change.path for change in changes if change.is_rewriting}
    fixed = {id(finding) for change in changes for finding in change.fixes}
    for file in report.files:
        if file.path not in rewritten:
            _keep(file)
        for finding in file.findings:
            if finding.own_fix is not None and id(finding) not in fixed:
                finding.decision.fix = None
                finding.decision.leave_open(NOT_ACCEPTED)


def _keep(file: FileReport) -> None:
    """Decide that a file is not rewritten as a whole; its findings are fixed all the same."""
    findings = [finding for finding in file.findings if finding.own_fix is not None]
    keep_original(file, NOT_ACCEPTED)
    for finding in findings:
        finding.decision.fixed, finding.decision.obstacle = True, ""


def _changes(
    file: FileReport,
) -> Iterator[tuple[tuple[str, ...], bytes, bytes, tuple[Finding, ...]]]:
    """Yield the reasons of each change, the file before and after it, and what it fixes."""
    if file.content is not None:
        yield _reasons(file), file.original, file.content, ()
    groups: dict[object, list[Finding]] = {}
    for finding in file.findings:
        if finding.own_fix is not None:
            # one edit may solve several findings
            groups.setdefault(finding.own_fix.edits, []).append(finding)
    for findings in groups.values():
        before, after = _before_and_after(file, findings)
        if before != after:
            reasons = dict.fromkeys(f"{f.code} {f.name}: {f.message}" for f in findings)
            yield tuple(reasons), before, after, tuple(findings)


def _reasons(file: FileReport) -> tuple[str, ...]:
    solved = [f for f in file.findings if f.is_fixed and f.own_fix is None]
    reasons = dict.fromkeys(f"{f.code} {f.name}: {f.message}" for f in solved)
    if file.structured is not None:
        reasons[f"the job becomes Structured Streaming: {file.structured.needs}"] = None
        reasons |= dict.fromkeys(file.structured.differences)
    return tuple(reasons) or ("code of a job that moves",)


def _before_and_after(file: FileReport, findings: list[Finding]) -> tuple[bytes, bytes]:
    """Return a file before and after some of its fixes: as it is rewritten, or, where they do not
    fit that, as it was.
    """
    bases: list[bytes | None] = [file.content] if file.content is not None else []
    bases.append(None if file.conversion is None else file.conversion.content)
    for base in bases:
        try:
            after, fitting = content_with(file, base, findings)
        except (DecodeProblem, NotebookProblem):
            break
        if fitting:
            return (file.before_fixes if base is None else base), after
    return file.original, file.original


def _key(path: str, before: bytes, after: bytes) -> str:
    """Return what identifies a change: the lines that go and come, wherever they stand."""
    old, new = before.splitlines(), after.splitlines()
    lines = difflib.diff_bytes(difflib.unified_diff, old, new, n=0, lineterm=b"")
    changed = [line for line in list(lines)[2:] if not line.startswith(b"@@")]
    name = path.encode("utf-8", "surrogatepass")
    return hashlib.sha256(b"\0".join([name, *changed])).hexdigest()[:32]


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
