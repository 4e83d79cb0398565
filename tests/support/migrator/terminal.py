"""Prints reports as a terminal shows them."""

from __future__ import annotations

import io
import re

import pytest

from migrator.model.report import Report
from migrator.report.text_report import Shown, show

WIDTH = 100


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def printed(
    report: Report, monkeypatch: pytest.MonkeyPatch, width: int = WIDTH, **shown: bool
) -> list[str]:
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("TERM", "xterm")
    stream = Terminal()
    show(report, Shown(**shown), color=False, stream=stream)
    return re.sub("\x1b\\[[0-9;?]*[a-zA-Z]", "", stream.getvalue()).splitlines()
