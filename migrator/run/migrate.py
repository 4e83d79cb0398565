"""Carries out a run, from its options to its exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Sequence
from functools import partial
from pathlib import Path

from migrator.discover.paths import Selection, select
from migrator.errors import MigrateError
from migrator.model.changes import ProposedChange
from migrator.model.printable import visible
from migrator.model.report import FileReport, Finding, Report, Severity, Status, StreamOrigin
from migrator.output.in_place import (
    base_of,
    interrupted_runs,
    recover,
    refuse_uncommitted,
    replace_all,
    undo_command,
)
from migrator.output.journal import FileChange
from migrator.output.tree import (
    check_output,
    check_output_file,
    default_output,
    output_file,
    write_file,
    write_tree,
)
from migrator.report.formats import (
    check_report_file,
    print_bytes,
    print_text,
    render,
    unified_diff,
    write_report,
)
from migrator.report.progress import Bar
from migrator.report.wording import places_without_comment
from migrator.run.apply_fixes import apply_fixes
from migrator.run.cache import Cache
from migrator.run.changes import add_ignores, changes_of
from migrator.run.options import Answer, Mode, Options, WriteCheck
from migrator.run.scan import Progress, scan
from migrator.run.verified_jobs import add_verified
from migrator.select.apply import apply_filter, make_filter, write_baseline
from migrator.spark.versions import target_of

# where the brokers are, and whether offsets are taken over from ZooKeeper
_RULE = "D201"


def merge_findings(report: Report) -> None:
    """Leave the first of these findings in each project, which lists the places of the others.

    Parameters
    ----------
    report : Report
        The report after all filters, so that each place has been judged by itself.
    """
    firsts: dict[tuple[str, Severity], Finding] = {}
    for file in report.files:
        file.findings = [f for f in file.findings if _stays(f, file, firsts)]


def _stays(finding: Finding, file: FileReport, firsts: dict[tuple[str, Severity], Finding]) -> bool:
    """Return whether a finding stands for itself; if not, the first one of its project names it."""
    if finding.code != _RULE or not finding.asks_for_change:
        return True
    first = firsts.setdefault((file.project, finding.severity), finding)
    if first is not finding:
        first.decision.also += (StreamOrigin(file.path, finding.at),)
    return first is finding


def migrate(options: Options, gate: WriteCheck | None = None) -> int:
    """Migrate as asked and print the report.

    Parameters
    ----------
    gate : Gate, optional
        Asked before anything is written, if there is something to write.

    Returns
    -------
    int
        The exit code, see `migrator.model.report.Report.exit_code`; 1 if the gate is not passed.

    Raises
    ------
    MigrateError
        If it cannot be done; nothing is written then.
    """
    if options.interactive:
        # rich and the dialog are only needed here
        from migrator.run.chosen_changes import check_terminal

        check_terminal()
    with Bar(shows_progress(options)) as progress:
        report, notes = analyse(options, progress)
    rejected: list[ProposedChange] = []
    if options.is_choosy:
        from migrator.run.chosen_changes import choose

        report, rejected, more = choose(report, options, partial(analyse, options))
        notes += more
    for note in notes:
        print(f"migrate: note: {visible(note)}", file=sys.stderr)
    if options.write_baseline is not None:
        return _write_baseline(report, options.write_baseline)
    if options.add_ignores and not options.is_choosy:
        return _write_ignores(report, options)
    answer = carry_out(report, options, rejected, gate)
    _print(report, options)
    if answer.refusal:
        print(f"migrate: nothing was written: {visible(answer.refusal)}", file=sys.stderr)
    return report.exit_code() or int(not answer.passes or bool(answer.refusal))


def analyse(
    options: Options, progress: Progress | None = None, kept: Collection[str] = ()
) -> tuple[Report, list[str]]:
    """Find out what a run finds and what it would write, and put back what one before has left.

    Parameters
    ----------
    progress : Progress, optional
        Called with each file that is read.
    kept : collection of str
        Files whose jobs do not become Structured Streaming.

    Returns
    -------
    (Report, list of str)
        The report before any fix is made, and what a user should know of the run.

    Raises
    ------
    MigrateError
        If it cannot be done.
    """
    selection = select(options.paths)
    root = selection.root
    _destination(selection, options)
    for path in options.reports:
        check_report_file(path)
    # before anything reads the files
    notes = _after_interruption(selection, options)
    filtering = make_filter(
        options.select,
        options.ignore,
        options.baseline,
        options.diff_base,
        options.notes,
        options.unsafe_fixes,
        {} if options.kafka_brokers is None else {"kafka-brokers": options.kafka_brokers},
    )
    cache = Cache(root, selection.chosen) if options.cache else None
    mode = options.mode.value
    spark = options.spark if options.target == "structured" else None
    target = target_of(spark)
    report = scan(root, mode, selection.chosen, cache, progress, options.submit, target)
    report.target = options.target
    if options.target == "structured":
        # the default target needs none of it
        from migrator.run.structured_jobs import rewrite_jobs

        rewrite_jobs(report, options, kept)
    # before anything is rewritten in place
    unread = add_verified(report, root)
    notes += [*(cache.notes if cache is not None else ()), *unread]
    report.paths = tuple(os.fspath(path) for path in options.paths)
    report.root = " ".join(report.paths)
    report.base = os.fspath(root)
    report.fail_on = None if options.fail_on == "never" else Severity(options.fail_on)
    report.fails_on_bugs = options.fail_on_bugs
    apply_filter(report, root, filtering)
    return report, notes


def carry_out(
    report: Report,
    options: Options,
    rejected: Sequence[ProposedChange] = (),
    gate: WriteCheck | None = None,
) -> Answer:
    """Make the fixes of a report, and write the migrated code and the reports that are asked for.

    Parameters
    ----------
    rejected : sequence of ProposedChange
        The changes that comments are to ignore from now on.
    gate : Gate, optional
        Asked before anything is written, if there is something to write.

    Returns
    -------
    Answer
        What the gate says; that all is well without one.

    Raises
    ------
    MigrateError
        If something cannot be written.
    """
    if any(path.suffix.lower() in (".html", ".htm") for path in options.reports):
        report.changes = changes_of(report)
    apply_fixes(report)
    if options.add_ignores:
        report.ignores = add_ignores(report, rejected)
    merge_findings(report)
    answer = Answer()
    if report.files:
        selection = select(options.paths)
        if options.mode is Mode.IN_PLACE and not options.allow_dirty:
            _refuse_uncommitted(report, selection)
        if gate is not None and any(file.content is not None for file in report.files):
            answer = gate(report, selection, options)
    if answer.refusal:
        report.mode = Mode.CHECK.value
    elif report.files:
        try:
            _write(report, selection, _destination(selection, options), options)
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            raise MigrateError(
                f"cannot write the migrated code: {where}{error.strerror or error}"
            ) from error
    for path in options.reports:
        write_report(report, path, options.group_by, options.verbose)
    return answer


def _after_interruption(selection: Selection, options: Options) -> list[str]:
    """Put back what an interrupted run has left, and say so, or that nothing may be written."""
    if options.mode in (Mode.WRITE, Mode.IN_PLACE):
        try:
            runs_left = recover(selection)
        except OSError as error:
            raise MigrateError(
                f"an earlier run was interrupted, and its files cannot be put back: {error}"
            ) from error
        text = "was interrupted; its files are as they were before it"
    else:
        runs_left = interrupted_runs(selection)
        text = "has not ended; some of its files may be rewritten and others not"
    return [f"a run over {run.base} {text}" for run in runs_left]


def _write_baseline(report: Report, path: Path) -> int:
    if report.internal_errors:
        raise MigrateError(
            "no baseline was written: migrate failed in a file; leave out --write-baseline to "
            "see where"
        )
    count = write_baseline(report, path)
    noun = "finding" if count == 1 else "findings"
    print(f"{visible(str(path))} lists {count} {noun}; with --baseline they do not count.")
    return 0


def _write_ignores(report: Report, options: Options) -> int:
    """Write comments that ignore what is open now, and change nothing else."""
    apply_fixes(report)
    added = add_ignores(report, None)
    selection = select(options.paths)
    if not options.allow_dirty:
        _refuse_uncommitted(report, selection)
    _write(report, selection, None, options)
    noun = "finding" if added.findings == 1 else "findings"
    print(f"Comments ignore {added.findings} {noun} from now on.")
    if report.undo is not None:
        print(f"To undo this: {report.undo}")
    for line in places_without_comment(added):
        print(line)
    return int(bool(added.left))


def _destination(selection: Selection, options: Options) -> Path | None:
    """Return where to write; raise before any work if that is not possible."""
    if options.mode is not Mode.WRITE:
        return None
    root = selection.root
    if options.output is not None:
        output = Path(os.path.abspath(options.output))
    elif selection.chosen:
        raise MigrateError(
            "several paths have no default output; name a folder to write to with --output, "
            "or use --in-place, --check or --diff; with --fleet, each is a project by itself"
        )
    else:
        output = default_output(root)
    if root.is_file():
        output = output_file(root, output)
        check_output_file(root, output)
    else:
        check_output(root, output, selection.chosen)
    return output


def _write(report: Report, selection: Selection, output: Path | None, options: Options) -> None:
    root = selection.root
    if options.mode is Mode.IN_PLACE:
        changed = _changes(report, root)
        replace_all(base_of(root), changed)
        if changed:
            is_one_file = len(options.paths) == 1 and options.paths[0].exists()
            report.undo = undo_command(options.paths[0] if is_one_file else root)
    elif output is not None and root.is_file():
        file = report.files[0]
        if file.content is not None:
            write_file(root, output, file.content)
            report.output = os.fspath(output)
    elif output is not None:
        contents = {f.path: f.content for f in report.files if f.content is not None}
        write_tree(root, output, contents, _unreadable_files(report, root), selection.chosen)
        report.output = os.fspath(output)


def _changes(report: Report, root: Path) -> list[FileChange]:
    name = os.path.basename(os.path.realpath(root))
    return [
        FileChange(file.path if root.is_dir() else name, file.original, file.content)
        for file in report.files
        if file.content is not None
    ]


def _refuse_uncommitted(report: Report, selection: Selection) -> None:
    root = selection.root
    if changed := [change.path for change in _changes(report, root)]:
        named = selection.chosen if root.is_dir() else changed
        refuse_uncommitted(base_of(root), named, changed)


def _unreadable_files(report: Report, root: Path) -> set[str]:
    """Return the files that cannot be read, and so cannot be copied; they are in the report."""
    unreadable = [f.path for f in report.files if f.status is Status.UNREADABLE]
    return {path for path in unreadable if not os.access(root / path, os.R_OK)}


def shows_progress(options: Options) -> bool:
    """Return whether standard error is a terminal that may show progress."""
    return options.format == "text" and not options.quiet and sys.stderr.isatty()


def _print(report: Report, options: Options) -> None:
    if options.format != "text":
        print_text(render(report, options.format))
        return
    # rich is only needed here
    from migrator.report.text_report import Shown, show

    stream = sys.stdout
    if options.mode is Mode.DIFF:
        # the patch alone goes to standard output
        print_bytes(unified_diff(report))
        stream = sys.stderr
    show(
        report,
        Shown(options.quiet, options.verbose, options.group_by, options.explain),
        color=options.color,
        stream=stream,
        written=options.reports,
    )
