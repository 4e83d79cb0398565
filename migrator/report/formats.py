"""The forms of a report: their names, the suffixes of their files, how they are written and
recognised.
"""

from __future__ import annotations

import difflib
import importlib
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from migrator.errors import MigrateError
from migrator.model.fleet import FleetProject
from migrator.model.report import FileReport, Report
from migrator.source.files import write_whole

# so far into a file the mark of a report stands
HEAD_BYTES = 2000
CSV_MARK = b"order,project,job,state,sources,"
"""What the table of the jobs of several projects begins with."""
_LINE = re.compile(rb"[^\n]*\n|[^\n]+")


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
FLEET_SUFFIXES = {
    "text": (".txt",),
    "json": (".json",),
    "html": (".html", ".htm"),
    "csv": (".csv",),
}
"""The endings of the reports of several projects by the names of their forms."""


def _format_of(path: Path, *, fleet: bool = False) -> str:
    """Return the name of the form that the ending of a report's file asks for."""
    of_one = {name: form.suffixes for name, form in FORMATS.items()}
    suffixes_by_name = FLEET_SUFFIXES if fleet else of_one
    for name, suffixes in suffixes_by_name.items():
        if suffixes and path.name.lower().endswith(suffixes):
            return name
    endings = ", ".join(suffix for suffixes in suffixes_by_name.values() for suffix in suffixes)
    if fleet:
        why = f"the report of several projects has one of the endings {endings}"
    else:
        why = f"the ending decides the format; use one of {endings}"
    raise MigrateError(f"--report {path}: {why}")


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


def render_fleet(projects: Sequence[FleetProject], name: str) -> str:
    """Return the report about several projects in one of the forms."""
    module = importlib.import_module(f"migrator.report.fleet.{name}_report")
    return str(module.render(projects))


def check_report_file(path: Path, *, fleet: bool = False) -> None:
    """Refuse a place for a report before any work is done.

    Parameters
    ----------
    fleet : bool
        Whether the report is of several projects.

    Raises
    ------
    MigrateError
        If its ending is unknown, its folder is missing, or if there is something that is not an
        earlier report.
    """
    _format_of(path, fleet=fleet)
    if not path.parent.is_dir():
        raise MigrateError(f"--report {path}: the folder {path.parent} does not exist")
    if not os.path.lexists(path):
        return
    if not path.is_file():
        raise MigrateError(f"--report {path}: not a file; choose another name")
    try:
        with path.open("rb") as stream:
            head = stream.read(HEAD_BYTES)
    except OSError as error:
        raise MigrateError(f"--report {path}: {error.strerror}") from error
    if head and not is_report(head):
        raise MigrateError(
            f"--report {path}: the file exists and is not a report of migrate; remove it or choose "
            "another name"
        )


def write_report(report: Report, path: Path, group_by: str, verbose: bool = False) -> None:
    """Write a report; the file appears whole or not at all.

    Parameters
    ----------
    path : Path
        The file; its ending decides the form.
    group_by : str
        "file" or "rule", for the text report.
    verbose : bool
        Whether that says everything.

    Raises
    ------
    MigrateError
        If it cannot be written.
    """
    _write_text(path, render(report, _format_of(path), group_by, verbose))


def write_fleet_report(projects: Sequence[FleetProject], path: Path) -> None:
    """Write a report about several projects; the file appears whole or not at all.

    Raises
    ------
    MigrateError
        If it cannot be written.
    """
    _write_text(path, render_fleet(projects, _format_of(path, fleet=True)))


def print_text(text: str) -> None:
    """Print a report for programs: the same bytes as in a file, whatever the terminal can show."""
    print_bytes(text.encode("utf-8", "backslashreplace"))


def print_bytes(data: bytes) -> None:
    """Print bytes on standard output, after what it has."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def _write_text(path: Path, text: str) -> None:
    try:
        write_whole(path, text.encode())
    except OSError as error:
        raise MigrateError(f"cannot write the report {path}: {error.strerror}") from error


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
