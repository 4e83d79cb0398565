"""Makes one finding of what a project decides once about all its Kafka receivers."""

from __future__ import annotations

from migrator.model.report import FileReport, Finding, Report, Severity, StreamOrigin

# where the brokers are, and whether offsets are taken over from ZooKeeper
_RULE = "D201"


def merge_findings(report: Report) -> None:
    """Leave the first of these findings in each project, which lists the places of the others.

    Parameters
    ----------
    report : Report
        The report after all filters, so that each place has been judged by itself.
    """
    firsts: dict[tuple[str, Severity], Finding] = {}
    for file in report.files:
        file.findings = [f for f in file.findings if _stays(f, file, firsts)]


def _stays(finding: Finding, file: FileReport, firsts: dict[tuple[str, Severity], Finding]) -> bool:
    """Return whether a finding stands for itself; if not, the first one of its project names it."""
    if finding.code != _RULE or not finding.asks_for_change:
        return True
    first = firsts.setdefault((file.project, finding.severity), finding)
    if first is not finding:
        first.decision.also += (StreamOrigin(file.path, finding.at),)
    return first is finding
