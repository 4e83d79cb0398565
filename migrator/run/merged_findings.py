"""Makes one finding of what a project decides once about all its Kafka receivers."""

from __future__ import annotations

from dataclasses import replace

from migrator.model.report import FileReport, Finding, Report, Severity, StreamOrigin

# where the brokers are, and whether offsets are taken over from ZooKeeper
_RULE = "D201"
_Key = tuple[str, Severity]


def merge_findings(report: Report) -> None:
    """Leave the first of these findings in each project, which lists the places of the others.

    Parameters
    ----------
    report : Report
        The report after all filters, so that each place has been judged by itself.
    """
    groups: dict[_Key, list[tuple[FileReport, Finding]]] = {}
    for file in report.files:
        for finding in file.findings:
            if _is_decision(finding):
                groups.setdefault((file.project, finding.severity), []).append((file, finding))
    merged = {key: _merged(found) for key, found in groups.items() if len(found) > 1}
    firsts = {id(groups[key][0][1]): finding for key, finding in merged.items()}
    for file in report.files:
        file.findings = [
            firsts.get(id(f), f)
            for f in file.findings
            if id(f) in firsts or not _is_decision(f) or (file.project, f.severity) not in merged
        ]


def _merged(found: list[tuple[FileReport, Finding]]) -> Finding:
    first = found[0][1]
    others = tuple(StreamOrigin(file.path, f.at) for file, f in found[1:])
    message = f"{first.problem}; so do {len(others)} other calls of this project"
    if len(others) == 1:
        message = f"{first.problem}; so does another call of this project"
    return replace(first, problem=message, also=others)


def _is_decision(finding: Finding) -> bool:
    return finding.code == _RULE and finding.asks_for_change
