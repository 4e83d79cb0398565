"""The command lines of the subcommands."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from migrator.cli.fleet import report_command
from migrator.cli.options import (
    add_no_color,
    add_repeatable,
    parser_of,
    refuse_empty,
    seconds,
    size,
    tolerance,
    work_of,
)
from migrator.cli.proof_arguments import COMMANDS, proof_command
from migrator.errors import MigrateError

_EXPLAIN = """\
Prints the documentation of a rule: what it finds, why it matters, code before and after, and what
a person has to do."""
_RULES = """\
Lists all rules: code, severity, minutes that a finding usually takes, and what is found. The code
of a fix that is applied is marked with *."""
_UNDO = """\
Puts the files back that the last run with --in-place over PATH rewrote, with their modes and times;
the run before it is then the last one. Nothing is changed if one of the files was edited since."""
_MCP = """\
Serves `migrate` as tools to an assistant, by the Model Context Protocol on standard input and
output: scan, explain, preview, remains, checkpoint_show, record, verify and verify_wait. The
assistant starts it; docs/assistants.md has how. Nothing outside of FOLDER is read or written,
except by the code of jobs, which only verify runs."""
_DESCRIPTIONS = {"explain": _EXPLAIN, "rules": _RULES, "undo": _UNDO, "mcp": _MCP}
_INSTALL = "pip install 'dstream-compat[mcp]'"
_RECONCILE = """\
Compares what two jobs have written while both ran: folders of batches as saveAsTextFiles writes
them, Parquet, JSON, tables over JDBC, or topics of Kafka. Rows are compared by batch, by key, or as
they are; Spark does the work. LEFT and RIGHT are paths, or one of text:PREFIX, parquet:PATH,
json:PATH, jdbc:URL#TABLE and kafka:BROKERS/TOPIC."""
_RECONCILE_EPILOG = """\
exit codes: 0 equal, 1 different, 2 wrong use or not comparable, 130 interrupted
"""


def subcommand(arguments: list[str]) -> Callable[[], int]:
    """Return the work that a subcommand asks for.

    Parameters
    ----------
    arguments : list of str
        The name of the subcommand first. Ends the process on wrong ones.
    """
    name, *rest = arguments
    if name == "reconcile":
        return _reconcile_command(rest)
    if name in COMMANDS:
        return proof_command(name, rest)
    if name == "report":
        return report_command(rest)
    parser = parser_of(name, _DESCRIPTIONS[name])
    return {"explain": _explain, "rules": _rules, "undo": _undo, "mcp": _mcp}[name](parser, rest)


def _explain(parser: argparse.ArgumentParser, arguments: list[str]) -> Callable[[], int]:
    add_no_color(parser)
    parser.add_argument(
        "code", metavar="CODE", help="the code or name of a rule, or several", nargs="+"
    )
    args = parser.parse_args(arguments)
    return work_of("rule_pages", "explain", args.code, color=not args.no_color)


def _rules(parser: argparse.ArgumentParser, arguments: list[str]) -> Callable[[], int]:
    add_no_color(parser)
    parser.add_argument("--format", choices=("text", "json"), default="text")
    args = parser.parse_args(arguments)
    return work_of("rule_pages", "list_rules", args.format, color=not args.no_color)


def _undo(parser: argparse.ArgumentParser, arguments: list[str]) -> Callable[[], int]:
    parser.add_argument(
        "path", metavar="PATH", nargs="?", default=".", help="what the run was given (.)"
    )
    action = parser.add_mutually_exclusive_group()
    action.add_argument(
        "--list", action="store_true", help="only list the runs that can be undone, latest first"
    )
    action.add_argument(
        "--force", action="store_true", help="put files back that were edited since, too"
    )
    args = parser.parse_args(arguments)

    if args.list:
        return work_of("undo", "list_runs", args.path)
    return work_of("undo", "undo_run", args.path, force=args.force)


def _mcp(parser: argparse.ArgumentParser, arguments: list[str]) -> Callable[[], int]:
    parser.add_argument(
        "folder", metavar="FOLDER", nargs="?", default=".", help="the folder of the jobs (.)"
    )
    parser.add_argument(
        "--read-only",
        action="store_true",
        help="without record and verify: nothing is written, and no job runs",
    )
    parser.add_argument(
        "--timeout",
        metavar="SECONDS",
        type=seconds,
        default=120.0,
        help="of each call that reads code (120)",
    )
    parser.add_argument(
        "--run-timeout",
        metavar="SECONDS",
        type=seconds,
        default=600.0,
        help="of each run of a job, and of a recording (600)",
    )
    parser.add_argument(
        "--memory",
        metavar="SIZE",
        type=size,
        default=0,
        help="of each command, and of each run of a job, such as 4g (half of the machine's memory)",
    )
    add_repeatable(
        parser,
        "--real",
        "CLIENT",
        "let verify run jobs that use a client themselves, such as sqlite3, if the assistant "
        "asks for it; may be given several times (none)",
    )
    args = parser.parse_args(arguments)

    def serve_them() -> int:
        try:
            from migrator.mcp.server import serve
            from migrator.mcp.workspace import Bounds
        except ImportError as error:
            raise MigrateError(
                f"`migrate mcp` needs the package mcp, version 2 ({error}): {_INSTALL}"
            ) from error
        bounds = Bounds(args.timeout, args.run_timeout, args.memory, tuple(args.real))
        serve(Path(args.folder), bounds, read_only=args.read_only)
        return 0

    return serve_them


def _reconcile_command(arguments: list[str]) -> Callable[[], int]:
    """Return the work of `migrate reconcile`; end the process on wrong arguments."""
    parser = parser_of("reconcile", _RECONCILE, epilog=_RECONCILE_EPILOG)
    parser.add_argument("left", metavar="LEFT", help="what the old job has written")
    parser.add_argument("right", metavar="RIGHT", help="what the new job has written")
    rows = parser.add_argument_group("which rows belong together")
    add_repeatable(
        rows,
        "--key",
        "COLUMN",
        "a column that names a row; may be given several times (whole rows are compared)",
    )
    rows.add_argument("--time", metavar="COLUMN", help="a column of times, for batches of rows")
    rows.add_argument(
        "--interval", metavar="SECONDS", type=seconds, help="the length of such a batch"
    )
    rows.add_argument(
        "--border",
        metavar="SECONDS",
        type=seconds,
        default=0.0,
        help="a row may be in another batch, by so much (0)",
    )
    rows.add_argument(
        "--whole",
        action="store_true",
        help="batches count, too, that only one job has reached or seen",
    )
    same = parser.add_argument_group("what counts as the same")
    same.add_argument(
        "--tolerance",
        metavar="T",
        type=tolerance,
        default=0.0,
        help="how far numbers of rows with the same key may differ, relative and absolute (0)",
    )
    add_repeatable(
        same, "--ignore", "COLUMN", "a column that does not count; may be given several times"
    )
    spark = parser.add_argument_group("Spark")
    for side in ("left", "right"):
        spark.add_argument(
            f"--{side}-options",
            metavar="FILE",
            help="options of its reader, a line name=value for each, such as user and password",
        )
    add_repeatable(
        spark,
        "--conf",
        "NAME=VALUE",
        "a setting of Spark, such as spark.jars.packages; may be given several times",
    )
    spark.add_argument(
        "--memory", metavar="SIZE", type=size, default=2**30, help="of its driver, such as 4g (1g)"
    )
    report = parser.add_argument_group("report")
    report.add_argument("--format", choices=("text", "json"), default="text")
    add_no_color(report)
    args = parser.parse_args(arguments)
    _check_reconcile(parser, args)

    return work_of("reconcile", "reconcile", args)


def _check_reconcile(parser: argparse.ArgumentParser, args: argparse.Namespace) -> None:
    refuse_empty(parser, args)
    if (args.time is None) != (args.interval is None):
        parser.error("--time and --interval belong together: both give a row its batch")
    if args.tolerance and not args.key:
        parser.error("--tolerance needs --key, by which rows belong together")
    for setting in args.conf:
        if "=" not in setting:
            parser.error(f"--conf {setting}: write NAME=VALUE")
