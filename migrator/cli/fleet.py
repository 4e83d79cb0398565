"""Command lines over several projects: `--fleet`, `--projects FILE` and `migrate report`."""

from __future__ import annotations

import argparse
import glob
import os
from pathlib import Path
from typing import TYPE_CHECKING

from migrator.cli.arguments import selection_options
from migrator.cli.options import NO_COLOR, add_options, given_options, option_of, parser_of
from migrator.errors import MigrateError

if TYPE_CHECKING:
    from migrator.run.options import Options

FORMATS = ("text", "json", "html", "csv")
_OF_ONE_TREE = (
    *("diff", "baseline", "write_baseline", "state", "explain", "check_command", "verify"),
)
_SAYS_WHAT_TO_DO = (
    *("in_place", "check", "diff", "interactive", "add_ignores", "output"),
    *("write_baseline", "accept"),
)
_REPORT = """\
Merges reports that earlier runs wrote with --report FILE.json, and gives the summary of all their
projects: those of single runs, and those of runs over several projects. Nothing is analysed."""
_FLEET = {
    "--fleet": "each PATH is a project by itself: they are analysed in parallel, and one report "
    "has them all; without it, so it is for several folders that are each the top of a project, "
    "unless an option says what to do with one tree",
    "--projects FILE": "the same for the folders and files that FILE lists, one a line",
}
_MERGED = {
    "--verified DIR ...": "also say which jobs were verified as equal, by DIR, which `migrate "
    "verify --all` has written; may be given several times",
    "--format {text,json,html,csv}": "the form of the report on standard output",
    "--report FILE ...": "also write the report to FILE, as its ending says: .html, .json, .csv "
    "or .txt; may be given several times",
}
_AMOUNT = {"--quiet": "the numbers of all jobs only", "--verbose": "also every project and job"}
# at the top of a project, besides the markers of version control and of Python's packaging
_REQUIREMENTS = ("requirements.txt", "Pipfile")


def add_fleet_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for several projects."""
    add_options(parser.add_argument_group("several projects"), _FLEET)


def is_fleet(args: argparse.Namespace) -> bool:
    """Return whether each path of a command line is a project by itself."""
    if args.fleet or args.projects is not None:
        return True
    if len(args.paths) < 2 or given_options(args, *_SAYS_WHAT_TO_DO):
        return False
    return all(_is_top(Path(path)) for path in args.paths)


def _is_top(folder: Path) -> bool:
    from migrator.discover.projects import is_marked

    listed = any((folder / name).is_file() for name in _REQUIREMENTS)
    return folder.is_dir() and (listed or is_marked(folder))


def run_projects(
    parser: argparse.ArgumentParser, args: argparse.Namespace, options: Options
) -> int:
    """Carry out a command line over several projects.

    Parameters
    ----------
    options : Options
        The options of a run over one of them, without what counts and what is fixed.
    """
    for name in given_options(args, *_OF_ONE_TREE):
        parser.error(f"{option_of(name)} is for one project; leave it out, or give one PATH")
    if args.format not in FORMATS:
        parser.error(f"--format {args.format} is for one project; use one of {', '.join(FORMATS)}")

    from dataclasses import replace

    from migrator.run.fleet import ProjectRun, project_names, run_fleet

    listed = () if args.projects is None else _listed_projects(Path(args.projects))
    paths = _unique([*(path for name in args.paths for path in _paths_of_pattern(name)), *listed])
    runs = []
    for name, path in zip(project_names(paths), paths, strict=True):
        output = None if options.output is None else options.output / name
        own = replace(options, paths=(path,), output=output, format="text", reports=())
        try:
            selected = replace(own, **selection_options(own, args))
            runs.append(ProjectRun(name, replace(selected, reports=())))
        except MigrateError as error:
            runs.append(ProjectRun(name, own, error=str(error)))
    if options.output is not None:
        _make_folders(options.output, [run.options.output for run in runs])
    return run_fleet(runs, replace(options, reports=tuple(map(Path, args.report))))


def _paths_of_pattern(name: str) -> list[Path]:
    """Return the paths of a pattern; another path that is not there is a project that failed."""
    from migrator.discover.paths import expand

    if not glob.has_magic(name) or os.path.lexists(name):
        return [Path(name)]
    matching_paths = sorted(map(Path, expand(name)))
    # what an earlier run has written beside a project is none
    written = {path.with_name(f"{path.name}-migrated") for path in matching_paths if path.is_dir()}
    return [path for path in matching_paths if path not in written]


def _unique(paths: list[Path]) -> list[Path]:
    """Return paths without those that lead to the same place."""
    places = {os.path.realpath(path): path for path in reversed(paths)}
    return [path for path in paths if places[os.path.realpath(path)] is path]


def _make_folders(output: Path, folders: list[Path | None]) -> None:
    for folder in folders:
        assert folder is not None
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise MigrateError(f"--output {output}: {error.strerror}: {folder.parent}") from error


def _listed_projects(file: Path) -> list[Path]:
    """Return the projects that a file lists: one a line, relative to its folder; lines that begin
    with # are comments.
    """
    from migrator.source.files import entries

    try:
        lines = entries(file)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8"
        raise MigrateError(f"--projects {file}: {why}") from error
    paths = []
    for number, name in lines:
        if "://" in name or "\0" in name:
            raise MigrateError(
                f"--projects {file}, line {number}: {name!r} is no folder or file; clone a "
                "repository first, and list where its clone is"
            )
        paths.append(file.parent / os.path.expanduser(name))
    if not paths:
        raise MigrateError(f"--projects {file}: it lists nothing; write one folder or file a line")
    return paths


def run_report(arguments: list[str]) -> int:
    """Carry out `migrate report`."""
    parser = parser_of("report", _REPORT)
    parser.add_argument(
        "files",
        metavar="[NAME=]FILE.json",
        nargs="+",
        help="the reports; NAME is what the project of a report is called, if its path does not "
        "tell it from others",
    )
    add_options(parser, _MERGED | NO_COLOR, format="text")
    add_options(parser.add_mutually_exclusive_group(), _AMOUNT)
    args = parser.parse_args(arguments)

    from migrator.report.fleet.projects import merge_reports
    from migrator.report.formats import check_report_file
    from migrator.run.fleet import report_fleet
    from migrator.run.options import Options
    from migrator.run.verified_jobs import add_verdicts

    reports = tuple(map(Path, args.report))
    for path in reports:
        check_report_file(path, fleet=True)
    projects = add_verdicts(merge_reports(args.files), map(Path, args.verified))
    shown = Options(
        paths=(),
        format=args.format,
        color=not args.no_color,
        quiet=args.quiet,
        verbose=args.verbose,
        reports=reports,
    )
    report_fleet(projects, shown)
    return max(project.exit_code for project in projects)
