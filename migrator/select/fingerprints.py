"""Fingerprints of findings, which stay the same as long as their code does."""

from __future__ import annotations

import hashlib
from collections import Counter

from migrator.model.report import FileReport
from migrator.source.excerpt import Place, SourceText


def add_fingerprints(file: FileReport, text: SourceText) -> None:
    """Give every finding of a file its fingerprint.

    It is made of the rule, the path, the text of the line, and which of several such findings it
    is. So lines may move, and other lines may change; messages may be worded anew.
    """
    seen: Counter[tuple[str, str]] = Counter()
    lines: dict[Place, str] = {}
    for finding in file.findings:
        place = (finding.at.cell, finding.at.line)
        if place not in lines:
            # once for each line, which may be long and have many findings
            lines[place] = _digest(" ".join((text.line(finding.at) or "").split()))
        line = lines[place]
        seen[finding.code, line] += 1
        parts = (finding.code, file.path, line, str(seen[finding.code, line]))
        finding.decision.fingerprint = _digest("\0".join(parts))


def _digest(text: str) -> str:
    # paths may hold bytes that are not UTF-8
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
