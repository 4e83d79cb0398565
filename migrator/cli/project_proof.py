"""`migrate verify --all`: verifies the jobs of a project."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from migrator.cli.arguments import shape_of
from migrator.errors import MigrateError
from migrator.model.printable import visible
from migrator.verify.comparison import Rules
from migrator.verify.folders import make_project_folder
from migrator.verify.many import ProjectRequest, known_result, verify_with_report
from migrator.verify.process import Limits
from migrator.verify.project import job_names, project_jobs
from migrator.verify.project_reports import as_html, as_json, as_junit
from migrator.verify.project_text import show_summary
from migrator.verify.project_verdict import ProjectVerdict, State

_FORMS = {"json": as_json, "junit": as_junit, "html": as_html}
_INTERRUPTED = 130


def verify_project(args: argparse.Namespace) -> int:
    """Verify the jobs of a project that have recordings, and print one report."""
    project = Path(args.all)
    base, names = job_names(project)
    recordings = None if args.recordings is None else Path(args.recordings)
    migrated = None if args.migrated is None else Path(args.migrated)
    if migrated is not None and not migrated.is_dir():
        raise MigrateError(f"{visible(args.migrated)} is no folder; name the migrated project")
    jobs = project_jobs(base, names, recordings, migrated)
    asked = ProjectRequest(
        Path(args.out or f"verify-all-{project.resolve().stem}"),
        args.target,
        Rules(args.order, args.tolerance, tuple(args.ignore)),
        Limits(args.timeout, args.memory, args.parallel),
        args.shrink,
        args.shrink_time,
        shape_of("--json-shape", args.json_shape),
        tuple(args.real),
    )
    current = {State.NO_RECORDING, *([State.EQUAL] if args.only_stale else [])}
    waiting = [
        job for job in jobs if not args.no_run and known_result(job, asked).state not in current
    ]
    if waiting:
        make_project_folder(asked.out, [base, *filter(None, [recordings, migrated])])
    try:
        summary = verify_with_report(args.all, jobs, waiting, asked)
    except KeyboardInterrupt:
        print("migrate: interrupted; no job runs any more", file=sys.stderr)
        return _INTERRUPTED
    print_summary(summary, args.format, color=not args.no_color)
    return summary.exit_code


def print_summary(summary: ProjectVerdict, form: str, *, color: bool) -> None:
    """Print a report on standard output.

    Parameters
    ----------
    form : str
        ``text``, ``json``, ``junit`` or ``html``.
    """
    if form == "text":
        show_summary(summary, sys.stdout, color=color and not os.environ.get("NO_COLOR"))
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(_FORMS[form](summary).encode("utf-8", "backslashreplace"))
    sys.stdout.buffer.flush()
