"""`migrate verify`, `migrate record` and `migrate test-scaffold`: what they do."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from dstream_compat.testing.parent import end_with_parent
from migrator.cli.arguments import shape_of
from migrator.errors import MigrateError
from migrator.model.printable import visible
from migrator.report.formats import print_text
from migrator.report.wording import quantity
from migrator.verify import project_reports
from migrator.verify.check import Check, Request
from migrator.verify.comparison import VERDICT, Rules
from migrator.verify.folders import make_folder, make_project_folder
from migrator.verify.live_sources import (
    FORMS,
    LiveSource,
    interval_of,
    settings_of,
    source,
    sources_of,
)
from migrator.verify.many import (
    ProjectRequest,
    job_names,
    known_result,
    project_jobs,
    verify_with_report,
)
from migrator.verify.outcome import recorded_arguments
from migrator.verify.process import Limits
from migrator.verify.programs import read_text
from migrator.verify.progress import Steps
from migrator.verify.project_reports import State, show_summary
from migrator.verify.record import Masks, Recorder
from migrator.verify.report_text import as_html, as_json, as_junit, show
from migrator.verify.scaffold import scaffold as write_scaffold
from migrator.verify.signals import wait_for_signals

_FORMS = {"json": as_json, "junit": as_junit, "html": as_html}
_INTERRUPTED = 130
_PROJECT_FORMS = {
    "json": project_reports.as_json,
    "junit": project_reports.as_junit,
    "html": project_reports.as_html,
}


def verify(args: argparse.Namespace) -> int:
    """Verify a job and print the report."""
    end_with_parent()
    job = _file(args.job)
    out = Path(args.out or f"verify-{job.stem}")
    migrated = None if args.migrated is None else _file(args.migrated)
    expected = None if args.expected is None else _file(args.expected)
    files = [file for file in (job, migrated, expected) if file is not None]
    try:
        if args.live:
            recording = _record_for_verification(args, job, make_folder(out, files))
            if recording is None:
                return _INTERRUPTED
        else:
            recording = Path(args.input)
        arguments = _arguments(args, recording)
        request = Request(job, recording, out, migrated, expected, arguments, **_conditions(args))
        with Steps() as steps:
            # what is given is read before anything is removed
            check = Check(request, steps)
            if not args.live:
                make_folder(out, [*files, recording])
            verdict = check.verify()
    except KeyboardInterrupt:
        left = [str(path) for path in sorted(out.glob("*.jsonl"))]
        print(
            "migrate: interrupted; no job runs any more"
            + (f"; partial results: {visible(', '.join(left))}" if left else ""),
            file=sys.stderr,
        )
        return _INTERRUPTED
    (out / VERDICT).write_text(as_json(verdict), encoding="utf-8")
    if args.format == "text":
        show(verdict, sys.stdout, color=not args.no_color)
    else:
        print_text(_FORMS[args.format](verdict))
    return verdict.exit_code


def _record_for_verification(args: argparse.Namespace, job: Path, out: Path) -> Path | None:
    """Record the batches of a live source for a verification; return None if interrupted."""
    recorder = _recorder(args, job, out)
    _record(recorder, args.batches)
    if recorder.batches >= args.batches:
        return recorder.path
    path = visible(str(recorder.path))
    print(
        f"migrate: interrupted after {recorder.batches} of {args.batches} batches, which are in "
        f"{path}; to compare over these, give --input {path} and another --out in place of --live",
        file=sys.stderr,
    )
    return None


def record(args: argparse.Namespace) -> int:
    """Record batches from live sources."""
    recorder = _recorder(args, None if args.job is None else _file(args.job), Path(args.out))
    _record(recorder, args.batches)
    batches = quantity(recorder.batches, "batch", "batches")
    records = quantity(recorder.records, "record")
    print(f"{visible(str(recorder.path))}: {batches}, {records}")
    return 0


def _recorder(args: argparse.Namespace, job: Path | None, out: Path) -> Recorder:
    text = "" if job is None else read_text(job)
    kafka = {} if args.kafka_config is None else settings_of(Path(args.kafka_config))

    def make(named: str) -> LiveSource:
        return source(named, kafka)

    sources = [make(source) for source in args.source]
    if not sources:
        sources, unknown = sources_of(text, args.arguments or (), make)
        if unknown or not sources:
            what = ", ".join(unknown) or "no call that reads a socket, a folder or Kafka"
            raise MigrateError(
                f"what {args.job} reads cannot be told from its source and arguments ({what}); "
                f"name it with --source as {FORMS}, or give the job's arguments after --. Kinesis "
                "and MQTT have no recorder (docs/verify.md)"
            )
    key = None
    if args.mask_key is not None:
        key = _file(args.mask_key).read_bytes()
        if len(key) < 16:
            raise MigrateError(f"{args.mask_key} has {len(key)} bytes; a key has at least 16")
    interval = args.interval or interval_of(text, args.arguments or ()) or 1.0
    masks = Masks(args.mask, args.separator, key)
    arguments = None if job is None else args.arguments or ()
    return Recorder(sources, interval, out, masks, arguments)


def _record(recorder: Recorder, batches: int | None) -> None:
    """Record until enough is there, or a signal ends it; what has arrived is written."""

    def progress(done: int, records: int) -> None:
        of = "" if batches is None else f" of {batches}"
        text = f"migrate: recording: {done}{of} batches, {quantity(records, 'record')}"
        end = "\r" if sys.stderr.isatty() else "\n"
        if sys.stderr.isatty() or done == batches:
            print(text, end=end, file=sys.stderr, flush=True)

    def warn(text: str) -> None:
        print(f"migrate: {visible(text)}", file=sys.stderr, flush=True)

    print(f"migrate: recording into {visible(str(recorder.path))}", file=sys.stderr, flush=True)
    with wait_for_signals() as wait:
        recorder.record(batches, progress, wait, warn)
    if recorder.left_out:
        warn(f"not recorded: {quantity(recorder.left_out, 'file')}, named above")
    if recorder.broken_lines:
        warn(f"recorded with U+FFFD: {quantity(recorder.broken_lines, 'line')} without valid UTF-8")


def scaffold(args: argparse.Namespace) -> int:
    """Write a regression test."""
    job = _file(args.job)
    folder = Path(args.out) if args.out else job.parent / "tests"
    with Steps() as steps:
        test, about = write_scaffold(
            job,
            Path(args.input),
            folder,
            _arguments(args, Path(args.input)),
            _rules(args),
            Limits(args.timeout, args.memory),
            steps,
            tuple(args.real),
        )
    print(f"{visible(str(test))}: {about}")
    return 0


def _rules(args: argparse.Namespace) -> Rules:
    return Rules(args.order, args.tolerance, tuple(args.ignore))


def _conditions(args: argparse.Namespace) -> dict[str, Any]:
    """Return the fields of `Conditions`."""
    return {
        **{"target": args.target, "rules": _rules(args), "real": tuple(args.real)},
        "limits": Limits(args.timeout, args.memory, args.parallel),
        **{"shrinks": args.shrink, "shrink_seconds": args.shrink_time},
        "json_shape": shape_of("--json-shape", args.json_shape),
    }


def _arguments(args: argparse.Namespace, recording: Path) -> tuple[str, ...]:
    """Return the arguments of the job: those after ``--``, else those that were recorded."""
    job_arguments: tuple[str, ...] | None = args.arguments
    return recorded_arguments(recording) if job_arguments is None else job_arguments


def _file(name: str) -> Path:
    path = Path(name)
    if not path.is_file():
        raise MigrateError(f"{visible(name)} is no file")
    return path


def verify_project(args: argparse.Namespace) -> int:
    """Verify the jobs of a project that have recordings, and print one report."""
    project = Path(args.all)
    base, names = job_names(project)
    recordings = None if args.recordings is None else Path(args.recordings)
    migrated = None if args.migrated is None else Path(args.migrated)
    if migrated is not None and not migrated.is_dir():
        raise MigrateError(f"{visible(args.migrated)} is no folder; name the migrated project")
    jobs = project_jobs(base, names, recordings, migrated)
    out = Path(args.out or f"verify-all-{project.resolve().stem}")
    asked = ProjectRequest(out, **_conditions(args))
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
    if args.format == "text":
        show_summary(summary, sys.stdout, color=not args.no_color)
    else:
        print_text(_PROJECT_FORMS[args.format](summary))
    return summary.exit_code
