"""The edits of a run as a unified diff, in the bytes of the files."""

from __future__ import annotations

import difflib
import re

from migrator.model.report import FileReport, Report

_LINE = re.compile(rb"[^\n]*\n|[^\n]+")


def unified_diff(report: Report) -> bytes:
    """Return a patch that `patch -p1` and `git apply` take.

    The conversion of a Python 2 file comes first, then what else is changed in it.
    """
    return b"".join(map(file_diff, report.files))


def file_diff(file: FileReport) -> bytes:
    """Return the part of a patch for a file; nothing if it stays as it is."""
    if file.content is None:
        return b""
    parts: list[bytes] = []
    name = file.path.encode("utf-8", "surrogateescape")
    for title, before, after in file.steps:
        patch = _patch(name, before, after)
        parts += [b"# " + name + b": " + title.encode() + b"\n"] if patch and title else []
        parts += patch
    return b"".join(parts)


def _patch(name: bytes, before: bytes, after: bytes) -> list[bytes]:
    parts: list[bytes] = []
    lines = difflib.diff_bytes(
        difflib.unified_diff,
        _LINE.findall(before),
        _LINE.findall(after),
        b"a/" + name,
        b"b/" + name,
    )
    for line in lines:
        parts.append(line)
        if not line.endswith(b"\n"):
            parts.append(b"\n\\ No newline at end of file\n")
    return parts
