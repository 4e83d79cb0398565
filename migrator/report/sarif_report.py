"""SARIF 2.1.0, as code scanning takes it."""

from __future__ import annotations

import json
import os
from typing import Any
from urllib.parse import quote

from migrator import __version__
from migrator.model.printable import visible
from migrator.model.report import FileReport, Finding, Report, Severity, SuppressedBy, Suppression
from migrator.report.jobs import Jobs
from migrator.rules.base import Rule
from migrator.rules.registry import page_text, rules

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
# a new way to make fingerprints gets a new name, so that old ones are not compared with it
_FINGERPRINT = "migrate/v1"
_ROOT = "SRCROOT"


def render(report: Report) -> str:
    """Return the log with one run."""
    places = ReportPaths(report)
    indexes = {code: index for index, code in enumerate(rules())}
    run = {
        "tool": {
            "driver": {
                "name": "migrate",
                "version": __version__,
                "semanticVersion": __version__,
                "rules": [_rule(rule, page_text(rule)) for rule in rules().values()],
            }
        },
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {"executionSuccessful": not report.internal_errors, "exitCode": report.exit_code()}
        ],
        "results": [
            _result(places, file, finding, indexes[finding.code])
            for file, finding in report.findings()
        ],
        "properties": {
            "jobs": [
                {"path": visible(job.path), "state": job.state.value} for job in Jobs(report).all
            ]
        },
    }
    log = {"version": "2.1.0", "$schema": _SCHEMA, "runs": [run]}
    return json.dumps(log, indent=2) + "\n"


def _rule(rule: Rule, docstring: str) -> dict[str, Any]:
    title, _, body = docstring.strip().partition("\n")
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": title},
        "fullDescription": {"text": title},
        "help": {"text": body.strip(), "markdown": body.strip()},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {
            "tags": ["migration", "spark"],
            "effortMinutes": rule.effort,
            "category": rule.category.value,
        },
    }


def _result(places: ReportPaths, file: FileReport, finding: Finding, index: int) -> dict[str, Any]:
    text = visible(finding.message)
    if finding.advice:
        text += f"\n{visible(finding.advice)}"
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": index,
        "level": "note" if finding.is_fixed else _LEVELS[finding.severity],
        # brackets and braces of a message are links and placeholders
        "message": {"text": _plain(text)},
        "locations": [_location(places, file, finding)],
        "partialFingerprints": {_FINGERPRINT: finding.fingerprint},
        "properties": {
            "fixed": finding.is_fixed,
            "needsPerson": finding.needs_person,
            "category": finding.category.value,
            "effortMinutes": finding.effort,
            "confidence": finding.confidence.value,
            "evidence": [visible(step) for step in finding.evidence],
            "details": [visible(detail) for detail in finding.details],
            "jobs": [visible(job) for job in file.jobs],
        },
    }
    if finding.suppression is not None:
        result["suppressions"] = [_suppression(finding.suppression)]
    return result


def _plain(text: str) -> str:
    """Return a message with the markup of SARIF, `[text](target)` and `{0}`, escaped."""
    for char in "\\[]":
        text = text.replace(char, f"\\{char}")
    return text.replace("{", "{{").replace("}", "}}")


def _location(places: ReportPaths, file: FileReport, finding: Finding) -> dict[str, Any]:
    uri = places.uri(file)
    artifact = {"uri": uri}
    if not uri.startswith("file:"):
        artifact["uriBaseId"] = _ROOT
    physical: dict[str, Any] = {"artifactLocation": artifact}
    if finding.at.cell is None:
        physical["region"] = {"startLine": finding.at.line, "startColumn": finding.at.column}
        return {"physicalLocation": physical}
    # lines count inside the cell, which is no region of the file
    name = f"cell {finding.at.cell}, line {finding.at.line}"
    return {"physicalLocation": physical, "logicalLocations": [{"name": name, "kind": "cell"}]}


def _suppression(suppression: Suppression) -> dict[str, str]:
    in_source = suppression.by is SuppressedBy.COMMENT
    reasons = {
        SuppressedBy.BASELINE: "listed in the baseline",
        SuppressedBy.UNCHANGED: "on a line that did not change",
    }
    why = visible(suppression.reason) if in_source else reasons[suppression.by]
    return {"kind": "inSource" if in_source else "external", "justification": why}


class ReportPaths:
    """Where the files of a report are, seen from the current folder."""

    def __init__(self, report: Report) -> None:
        root = report.base or os.path.abspath(report.root)
        self.base = root if os.path.isdir(root) else os.path.dirname(root)
        self.here = os.getcwd()

    def path(self, file: FileReport) -> str:
        """Return the path from the current folder; absolute if the file is not below it."""
        whole = os.path.normpath(os.path.join(self.base, file.path))
        relative = os.path.relpath(whole, self.here)
        return whole if relative.startswith(os.pardir) else relative

    def uri(self, file: FileReport) -> str:
        """Return the same as a URI reference; every character that means something is quoted."""
        path = self.path(file)
        quoted = quote(os.fsencode(path), safe="/")
        return f"file://{quoted}" if path.startswith("/") else quoted
