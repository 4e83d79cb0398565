"""Paths of files relative to the current folder, as other tools expect them."""

from __future__ import annotations

import os
from urllib.parse import quote

from migrator.model.report import FileReport, Report


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
