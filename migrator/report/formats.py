"""The forms of a report: their names, the suffixes of their files, how to recognise them."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from pathlib import Path

from migrator.errors import MigrateError
from migrator.model.report import Report

# so far into a file the mark of a report stands
HEAD_BYTES = 2000
CSV_MARK = b"order,project,job,state,sources,"
"""What the table of the jobs of several projects begins with."""


@dataclass(frozen=True, slots=True)
class Format:
    """A form of report.

    Parameters
    ----------
    module : str
        The name of the module of `migrator.report` whose function `render` makes it.
    mark : bytes
        What its files begin with, somewhere in the first `HEAD_BYTES`.
    """

    name: str
    suffixes: tuple[str, ...]
    module: str
    mark: bytes


FORMATS = {
    f.name: f
    for f in (
        Format("text", (".txt",), "text_report", b"Report of migrate on "),
        Format("json", (".json",), "json_report", b'"tool": {\n    "name": "migrate"'),
        Format(
            "html", (".html", ".htm"), "html_report", b'<meta name="generator" content="migrate '
        ),
        Format("sarif", (".sarif",), "sarif_report", b'"driver": {\n          "name": "migrate"'),
        Format("markdown", (".md", ".markdown"), "markdown_report", b"<!-- report of migrate -->"),
        Format("github", (), "github_report", b"::group::migrate"),
    )
}


def format_of(path: Path) -> Format:
    """Return the form that the ending of a file asks for.

    Raises
    ------
    MigrateError
        If it asks for none.
    """
    name = path.name.lower()
    for form in FORMATS.values():
        if name.endswith(form.suffixes or ("\0",)):
            return form
    endings = ", ".join(suffix for form in FORMATS.values() for suffix in form.suffixes)
    raise MigrateError(f"--report {path}: the ending decides the format; use one of {endings}")


def is_report(data: bytes) -> bool:
    """Return whether a file is a report of this tool, which quotes DStream code but is none."""
    head = data[:HEAD_BYTES].replace(b"\r\n", b"\n")
    return head.startswith(CSV_MARK) or any(form.mark in head for form in FORMATS.values())


def render(report: Report, name: str, group_by: str = "file", verbose: bool = False) -> str:
    """Return a report in one of the forms.

    Parameters
    ----------
    group_by : str
        "file" or "rule", for the text report.
    verbose : bool
        Whether that says everything.
    """
    module = importlib.import_module(f"migrator.report.{FORMATS[name].module}")
    if name == "text":
        return str(module.render(report, group_by, verbose))
    return str(module.render(report))
