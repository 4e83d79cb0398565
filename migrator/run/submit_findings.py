"""Looks for commands that submit the jobs of a tree, for `--submit dstream-compat`."""

from __future__ import annotations

from pathlib import Path, PurePath

from migrator.discover.candidates import is_too_large
from migrator.discover.filetypes import PROGRAMS, FileType
from migrator.discover.walk import script_type, walk
from migrator.languages.submit_commands import submit_commands
from migrator.model.projects import concern
from migrator.model.report import FileReport, Report
from migrator.rules.registry import findings_for
from migrator.select.comments import apply_comments
from migrator.source.decode import decode_text

_NOT_COMMANDS = PROGRAMS | {FileType.SQL, FileType.SLASHES}


def add_submit_findings(report: Report, root: Path, chosen: tuple[str, ...]) -> None:
    """Add a finding for each command that submits a file with DStream code.

    Parameters
    ----------
    report : Report
        The report of the tree.
    root, chosen : Path, tuple of str
        What was looked at.
    """
    jobs = {(f.project, PurePath(f.path).name) for f in report.files if f.sites}
    if not jobs:
        return
    known = {f.path: f for f in report.files}
    for source in walk(root, chosen):
        if source.error is not None or is_too_large(source) or source.type in _NOT_COMMANDS:
            continue
        try:
            data = source.path.read_bytes()
        except OSError:
            # if it matters, the scan has reported it
            continue
        kind = script_type(source, data) if b"-submit" in data else None
        if kind is None or kind in _NOT_COMMANDS:
            continue
        project = report.project_of(source.relative)
        own = frozenset(name for other, name in jobs if concern(project, other))
        found = FileReport(source.relative, original=data, project=project)
        for event in submit_commands(decode_text(data), kind.value, own):
            found.findings += findings_for(event, report.facts(project))
        apply_comments(found)
        found.findings = [f for f in found.findings if f.code == "D907"]
        if source.relative in known:
            known[source.relative].findings += found.findings
            known[source.relative].sort()
        elif found.findings:
            report.files.append(found)
    report.files.sort(key=lambda f: f.path)
