"""Makes one finding of all Kafka receivers of a project whose brokers are not known."""

from __future__ import annotations

from dataclasses import replace

from migrator.model.report import Finding, Report, Severity, StreamOrigin


def merge_missing_brokers(report: Report) -> None:
    """Leave the first of these findings, which lists the places of the others.

    Parameters
    ----------
    report : Report
        The report after all filters, so that each place has been judged by itself.
    """
    found = [(file, f) for file in report.files for f in file.findings if _lacks_brokers(f)]
    if len(found) < 2:
        return
    first = found[0][1]
    others = tuple(StreamOrigin(file.path, f.at) for file, f in found[1:])
    message = f"{first.problem}; so do {len(others)} other calls of this project"
    if len(others) == 1:
        message = f"{first.problem}; so does another call of this project"
    merged = replace(first, problem=message, also=others)
    for one in report.files:
        one.findings = [
            merged if f is first else f for f in one.findings if f is first or not _lacks_brokers(f)
        ]


def _lacks_brokers(finding: Finding) -> bool:
    return finding.code == "D201" and finding.severity is Severity.ERROR and finding.is_open
