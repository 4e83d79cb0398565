"""The command line of `migrate`.

Only the standard library is imported here, so that `--help` and usage errors answer at once.
"""

from __future__ import annotations

import argparse
import itertools
import os
import signal
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

from migrator import __version__
from migrator.cli.arguments import (
    FLEET_FORMATS,
    add_gate_options,
    add_run_options,
    check_gate_options,
    check_report_options,
    choice_options,
    gate_of,
    selection_options,
)
from migrator.cli.fleet import add_fleet_options, is_fleet, run_projects
from migrator.cli.options import add_options, given_options, option_of, refuse_empty
from migrator.errors import MigrateError

if TYPE_CHECKING:
    from migrator.run.options import Options

_DESCRIPTION = """\
Finds DStream code (pyspark.streaming) in a file or folder, rewrites its imports to
dstream_compat, and reports what has to be done by hand. The migrated tree is written beside PATH
(PATH-migrated, for a file NAME-migrated.py); PATH itself is changed only with --in-place. Several
PATHs are parts of one tree: name the folder to write to (--output), or use --in-place, --check or
--diff. Several folders that are projects of their own are migrated one by one, with one report.
Of a file that is named by itself, the modules of its project that it imports are read too.
migrate never imports or runs the code that it reads."""

_EPILOG = """\
other commands:
  migrate explain CODE  what a rule is about, why, and what to do
  migrate rules         all rules
  migrate undo [PATH]   puts the files back that the last run with --in-place rewrote
  migrate verify JOB    runs a job and its migrated form over recorded batches, and compares them
  migrate record        records batches from live sources
  migrate report FILE.json ...  merges the reports of earlier runs
  migrate test-scaffold JOB  writes a regression test of a job over recorded batches
  migrate mcp [FOLDER]  serves these as tools to an assistant (Model Context Protocol)
  migrate reconcile LEFT RIGHT  compares what two running jobs have written
A file or folder with such a name is given as ./explain, ./rules and so on.

exit codes:
  0  no manual work remains
  1  manual work remains: at least one finding of severity error or warning is not fixed (files
     that could not be read have one; --fail-on changes the severity); with --check also if
     files would be rewritten, with --fail-on-bugs also if the jobs have bugs of their own
  2  the command could not be carried out, or migrate itself failed
  130  interrupted; no file was left half-written

A finding needs manual work if this run does not fix it and its severity is error or warning.
Findings of severity info are notes. Bugs that a job has always had, such as a stream without
output, are listed apart: they are no part of the migration.

What is written: the whole tree, so that it runs by itself, without .git, environments and caches.
An existing folder is replaced only if migrate made it. Nothing is written if there is no DStream
code. Ignored files, symlinks and most hidden files are copied but not analysed.

With --in-place, either all files are rewritten or none, and none if git has changes that are not
committed or staged (--allow-dirty rewrites them all the same). Their originals are kept in the
folder .migrate-undo of PATH, for the last 10 runs. If a run is killed, the next one puts them back
first.

Results are kept for the next run over the same tree in the user's cache folder (MIGRATE_CACHE_DIR
names another one); they are used only where nothing has changed."""

_SUBCOMMANDS = (
    *("explain", "rules", "undo", "verify", "record", "report", "test-scaffold", "reconcile"),
    "mcp",
)
_NAMES = (
    *("paths", "output", "baseline", "write_baseline", "diff_base", "report", "accept", "real"),
)
_WRITING = {
    "--output DIR": "where to write (for a file: a file or an existing folder)",
    "--in-place": "rewrite the files of PATH itself",
    "--allow-dirty": "with --in-place: rewrite files though git has changes that are not committed",
    "--check": "write nothing; exit with 1 if there is work to do",
    "--diff": "write nothing; print a patch on standard output and the report on standard error; "
    "with --format json the report has the patch and the new text of each file",
}


class _Terminated(BaseException):
    """The process was asked to end."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool.

    Parameters
    ----------
    arguments : sequence of str, optional
        The arguments of the command; `sys.argv` by default.
    """
    signal.signal(signal.SIGTERM, _terminate)
    try:
        _escape_unencodable_output()
        code = _run(sys.argv[1:] if arguments is None else list(arguments))
        sys.stdout.flush()
        return code
    except MigrateError as error:
        from migrator.model.printable import visible

        print(f"migrate: {visible(str(error))}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("migrate: interrupted; no file was left half-written", file=sys.stderr)
        return 130
    except _Terminated:
        print("migrate: terminated; no file was left half-written", file=sys.stderr)
        return 143
    except BrokenPipeError:
        # the reader of our output has closed it
        _discard_output()
        return 141
    except OSError as error:
        _discard_output()
        where = f"{error.filename}: " if error.filename else ""
        print(f"migrate: {where}{error.strerror or error}", file=sys.stderr)
        return 2
    except Exception:
        traceback.print_exc()
        print("migrate: internal error; please report it with the lines above", file=sys.stderr)
        return 2


def _discard_output() -> None:
    """Send what is left in the buffer of standard output nowhere, so that exit does not fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(command_line: list[str]) -> int:
    """Carry out a command; what it needs is imported when its arguments are known to be right."""
    if command_line and command_line[0] in _SUBCOMMANDS:
        from migrator.cli.subcommands import run_subcommand

        return run_subcommand(command_line)
    parser = make_parser()
    _refuse_unknown_options(parser, command_line)
    args = parser.parse_args(command_line)
    if not args.paths and args.projects is None:
        parser.error("the following arguments are required: PATH")
    options = _options(parser, args)
    if is_fleet(args):
        return run_projects(parser, args, options)
    if args.format in FLEET_FORMATS:
        parser.error(f"--format {args.format} is for several projects; add --fleet")
    from dataclasses import replace

    from migrator.run.migrate import migrate

    return migrate(replace(options, **selection_options(options, args)), gate_of(args))


def _terminate(number: int, frame: FrameType | None) -> NoReturn:
    # a second one would interrupt what ends jobs and puts files back
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise _Terminated


def _escape_unencodable_output() -> None:
    """Show characters that the terminal's encoding lacks as escapes."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="migrate",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument(
        "paths",
        metavar="PATH",
        nargs="*",
        help="files and folders to migrate; patterns such as 'jobs/**/*.py' work without a shell",
    )
    add_options(parser, _WRITING)
    add_run_options(parser)
    add_fleet_options(parser)
    add_gate_options(parser)
    add_options(parser, {"--no-cache": "analyse every file anew; keep no results"})
    parser.add_argument("--version", action="version", version=f"migrate {__version__}")
    return parser


def _refuse_unknown_options(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Name an unknown option even where PATH is missing: argparse would only ask for PATH."""
    options = itertools.takewhile(lambda text: text != "--", arguments)
    _, unknown = parser.parse_known_args([".", *options])
    named = [text for text in unknown if text[:1] == "-" and text.strip("-")[:1].isalpha()]
    if named:
        parser.error(f"unrecognized arguments: {' '.join(named)}")


def _options(parser: argparse.ArgumentParser, args: argparse.Namespace) -> Options:
    from migrator.run.options import Mode, Options

    chosen = [*map(option_of, given_options(args, "in_place", "check", "diff"))]
    if len(chosen) > 1:
        parser.error(f"{chosen[0]} and {chosen[1]} cannot be used together")
    if chosen and args.output is not None:
        parser.error(f"--output has no effect with {chosen[0]}; use one of them")
    if args.allow_dirty and not (args.in_place or args.add_ignores):
        parser.error("--allow-dirty has a meaning with --in-place only")
    check_report_options(parser, args)
    check_gate_options(parser, args)
    refuse_empty(parser, args, _NAMES)
    reading = args.write_baseline is not None
    chosen += ["--in-place"] if args.add_ignores and not chosen else []
    return Options(
        paths=tuple(map(Path, args.paths)),
        mode=Mode(chosen[0][2:]) if chosen else Mode.CHECK if reading else Mode.WRITE,
        output=None if args.output is None else Path(args.output),
        format=args.format,
        color=not args.no_color,
        quiet=args.quiet,
        verbose=args.verbose,
        explain=args.explain,
        cache=not args.no_cache,
        **choice_options(parser, args, is_fleet(args)),
        allow_dirty=args.allow_dirty,
    )
