"""`--diff-base`: only lines that differ from a commit count."""

from __future__ import annotations

import difflib
import os
from pathlib import Path

from migrator.discover.git import Git
from migrator.model.report import FileReport, Report, Status, SuppressedBy
from migrator.source.excerpt import Place, source_text


def suppress_unchanged(report: Report, root: Path, ref: str) -> None:
    """Suppress the findings on lines that have not changed since a commit.

    A file without a fix on a changed line is not rewritten.

    Raises
    ------
    MigrateError
        If git or the commit cannot be had.
    """
    folder = Path(os.path.realpath(root if root.is_dir() else root.parent))
    git = Git(folder, "--diff-base")
    commit = git.merge_base(ref)
    names = {f.path: os.path.relpath(folder / f.path, git.top) for f in report.files}
    before = git.contents(commit, list(names.values()))
    for file in report.files:
        old = before.get(names[file.path])
        if old is not None and (file.original or not old):
            _hide(file, changed_places(file.path, old, file.original))


def _hide(file: FileReport, changed: set[Place]) -> None:
    whole = bool(changed) and file.status is Status.UNREADABLE
    for finding in file.findings:
        if not whole and (finding.at.cell, finding.at.line) not in changed:
            finding.decision.suppress(SuppressedBy.UNCHANGED)
    if not file.is_wanted:
        file.drop_content()


def changed_places(path: str, old: bytes, new: bytes) -> set[Place]:
    """Return the lines of a file that are new or changed.

    Parameters
    ----------
    old, new : bytes
        Its bytes; ends of lines do not matter.
    """
    before = list(source_text(path, old).lines.values())
    lines = source_text(path, new).lines
    places, after = list(lines), list(lines.values())
    # difflib needs the square of how often a line occurs: it gets only what lies between changes
    shorter = min(len(before), len(after))
    first = next((i for i in range(shorter) if before[i] != after[i]), shorter)
    rest = shorter - first
    last = next((i for i in range(rest) if before[-1 - i] != after[-1 - i]), rest)
    matcher = difflib.SequenceMatcher(
        None, before[first : len(before) - last], after[first : len(after) - last]
    )
    return {
        place
        for tag, _, _, start, end in matcher.get_opcodes()
        if tag != "equal"
        for place in places[first + start : first + end]
    }
