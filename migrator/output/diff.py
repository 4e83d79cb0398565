"""The edits of a run as a unified diff, in the bytes of the files."""

from __future__ import annotations

import difflib
import re

from migrator.model.report import Report

_LINE = re.compile(rb"[^\n]*\n|[^\n]+")


def unified_diff(report: Report) -> bytes:
    """A patch that `patch -p1` and `git apply` take."""
    parts: list[bytes] = []
    for file in report.files:
        if file.content is None:
            continue
        name = file.path.encode("utf-8", "surrogateescape")
        lines = difflib.diff_bytes(
            difflib.unified_diff,
            _LINE.findall(file.original),
            _LINE.findall(file.content),
            b"a/" + name,
            b"b/" + name,
        )
        for line in lines:
            parts.append(line)
            if not line.endswith(b"\n"):
                parts.append(b"\n\\ No newline at end of file\n")
    return b"".join(parts)
