"""Fingerprints of findings: the same as long as the code that they are about is."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import replace

from migrator.model import FileReport
from migrator.source.excerpt import SourceText


def add_fingerprints(file: FileReport, text: SourceText) -> None:
    """Gives every finding of a file its fingerprint.

    It is made of the rule, the path, the text of the line, and which of several such findings it
    is. So lines may move, and other lines may change; messages may be worded anew.
    """
    seen: Counter[tuple[str, str]] = Counter()
    for index, finding in enumerate(file.findings):
        line = " ".join((text.line(finding.at) or "").split())
        seen[finding.code, line] += 1
        parts = (finding.code, file.path, line, str(seen[finding.code, line]))
        # paths may hold bytes that are not UTF-8
        digest = hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass"))
        file.findings[index] = replace(finding, fingerprint=digest.hexdigest()[:32])
