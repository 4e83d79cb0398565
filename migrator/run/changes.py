"""Lists the changes that a run would make, and leaves out those that are not accepted."""

from __future__ import annotations

import difflib
import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator

from migrator.model.changes import ProposedChange
from migrator.model.report import FileReport, Finding, Report
from migrator.run.apply_fixes import content_with
from migrator.select.fixes import keep_original
from migrator.source.decode import DecodeProblem
from migrator.source.notebook import NotebookProblem

NOT_ACCEPTED = "the change was not accepted"


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
