"""What a job can become: it stays as it is, runs on dstream_compat, or is Structured Streaming."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from migrator.model.fleet import NO_FORM
from migrator.model.report import FileReport, Report
from migrator.model.structured_forms import StructuredForm
from migrator.report.jobs import Job, JobState

_NAMES_ONLY = frozenset({"D101", "D102"})
"""Rewritings that `dstream_compat run` makes needless: it gives the old names to a job."""


def forms(report: Report) -> dict[str, StructuredForm]:
    """Return what jobs became as Structured Streaming, by their paths."""
    homes = [file for file in report.files if file.structured is not None]
    # a program without streams of its own has moved with the file that makes its context
    return {
        job: file.structured
        for file in homes
        for job in ([file.path] if file.path in file.jobs else file.jobs)
        if file.structured is not None
    }


def targets(
    job: Job, report: Report, files: Mapping[str, FileReport], forms: Mapping[str, StructuredForm]
) -> dict[str, Any]:
    """Return what a job can become, for the JSON report.

    Parameters
    ----------
    files : mapping of str to FileReport
        The files of the report by their paths.
    forms : mapping of str to StructuredForm
        What `forms` says of the report.

    Returns
    -------
    dict
        The fields of `FleetJob`, None for what the run did not look at.
    """
    runs = job.state is JobState.RUNS
    form = forms.get(job.path)
    if report.target == "structured":
        compat = None if form is not None else runs
        label = NO_FORM if form is None else form.label
        spark = None if form is None else form.spark
        return {"unchanged": None, "compat": compat, "structured": label, "spark": spark}
    modules = [files[path] for path in job.modules]
    changes = {f.code for file in modules for f in file.findings if f.is_fixed}
    unchanged = runs and changes <= _NAMES_ONLY
    return {"unchanged": unchanged, "compat": runs, "structured": None, "spark": None}
