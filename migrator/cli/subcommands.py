"""The command lines of the subcommands."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from migrator.cli.fleet import run_report
from migrator.cli.options import NO_COLOR, add_options, parser_of, refuse_empty
from migrator.cli.proof_arguments import COMMANDS, run_proof
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
_INSTALL = "pip install 'dstream-compat[mcp]'"
_RECONCILE = """\
Compares what two jobs have written while both ran: folders of batches as saveAsTextFiles writes
them, Parquet, JSON, tables over JDBC, or topics of Kafka. Rows are compared by batch, by key, or as
they are; Spark does the work. LEFT and RIGHT are paths, or one of text:PREFIX, parquet:PATH,
json:PATH, jdbc:URL#TABLE and kafka:BROKERS/TOPIC."""
_RECONCILE_EPILOG = """\
exit codes: 0 equal, 1 different, 2 wrong use or not comparable, 130 interrupted
"""
_DESCRIPTIONS = {
    **{"explain": _EXPLAIN, "rules": _RULES, "undo": _UNDO, "mcp": _MCP},
    "reconcile": _RECONCILE,
}
_TEXT_OR_JSON = {"--format {text,json}": ""}
_UNDONE = {
    "--list": "only list the runs that can be undone, latest first",
    "--force": "put files back that were edited since, too",
}
_SERVER = {
    "[FOLDER]": "the folder of the jobs (.)",
    "--read-only": "without record and verify: nothing is written, and no job runs",
    "--timeout SECONDS": "of each call that reads code (120)",
    "--run-timeout SECONDS": "of each run of a job, and of a recording (600)",
    "--memory SIZE": "of each command, and of each run of a job, such as 4g (half of the "
    "machine's memory)",
    "--real CLIENT ...": "let verify run jobs that use a client themselves, such as sqlite3, if "
    "the assistant asks for it; may be given several times (none)",
}
_SIDES = {"LEFT": "what the old job has written", "RIGHT": "what the new job has written"}
_ROWS = {
    "--key COLUMN ...": "a column that names a row; may be given several times (whole rows are "
    "compared)",
    "--time COLUMN": "a column of times, for batches of rows",
    "--interval SECONDS": "the length of such a batch",
    "--border SECONDS": "a row may be in another batch, by so much (0)",
    "--whole": "batches count, too, that only one job has reached or seen",
}
_SAME = {
    "--tolerance T": "how far numbers of rows with the same key may differ, relative and absolute "
    "(0)",
    "--ignore COLUMN ...": "a column that does not count; may be given several times",
}
_READER = "options of its reader, a line name=value for each, such as user and password"
_SPARK = {
    **{"--left-options FILE": _READER, "--right-options FILE": _READER},
    "--conf NAME=VALUE ...": "a setting of Spark, such as spark.jars.packages; may be given "
    "several times",
    "--memory SIZE": "of its driver, such as 4g (1g)",
}


def run_subcommand(arguments: list[str]) -> int:
    """Carry out a subcommand.

    Parameters
    ----------
    arguments : list of str
        The name of the subcommand first. Ends the process on wrong ones.
    """
    name, *rest = arguments
    if name in COMMANDS:
        return run_proof(name, rest)
    if name == "report":
        return run_report(rest)
    epilog = _RECONCILE_EPILOG if name == "reconcile" else ""
    parser = parser_of(name, _DESCRIPTIONS[name], epilog=epilog)
    return _RUNNERS[name](parser, rest)


def _explain(parser: argparse.ArgumentParser, arguments: list[str]) -> int:
    add_options(parser, NO_COLOR | {"CODE ...": "the code or name of a rule, or several"})
    args = parser.parse_args(arguments)
    from migrator.cli.rule_pages import explain

    return explain(args.code, color=not args.no_color)


def _rules(parser: argparse.ArgumentParser, arguments: list[str]) -> int:
    add_options(parser, NO_COLOR | _TEXT_OR_JSON, format="text")
    args = parser.parse_args(arguments)
    from migrator.cli.rule_pages import list_rules

    return list_rules(args.format, color=not args.no_color)


def _undo(parser: argparse.ArgumentParser, arguments: list[str]) -> int:
    add_options(parser, {"[PATH]": "what the run was given (.)"}, path=".")
    add_options(parser.add_mutually_exclusive_group(), _UNDONE)
    args = parser.parse_args(arguments)
    from migrator.cli.undo import list_runs, undo_run

    return list_runs(args.path) if args.list else undo_run(args.path, force=args.force)


def _mcp(parser: argparse.ArgumentParser, arguments: list[str]) -> int:
    add_options(parser, _SERVER, folder=".", timeout=120.0, run_timeout=600.0, memory=0)
    args = parser.parse_args(arguments)
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


def _reconcile(parser: argparse.ArgumentParser, arguments: list[str]) -> int:
    add_options(parser, _SIDES)
    rows = parser.add_argument_group("which rows belong together")
    add_options(rows, _ROWS, border=0.0)
    add_options(parser.add_argument_group("what counts as the same"), _SAME, tolerance=0.0)
    add_options(parser.add_argument_group("Spark"), _SPARK, memory=2**30)
    add_options(parser.add_argument_group("report"), _TEXT_OR_JSON | NO_COLOR, format="text")
    args = parser.parse_args(arguments)
    _check_reconcile(parser, args)
    from migrator.cli.reconcile import reconcile

    return reconcile(args)


_RUNNERS: dict[str, Callable[[argparse.ArgumentParser, list[str]], int]] = {
    **{"explain": _explain, "rules": _rules, "undo": _undo, "mcp": _mcp},
    "reconcile": _reconcile,
}


def _check_reconcile(parser: argparse.ArgumentParser, args: argparse.Namespace) -> None:
    refuse_empty(parser, args)
    if (args.time is None) != (args.interval is None):
        parser.error("--time and --interval belong together: both give a row its batch")
    if args.tolerance and not args.key:
        parser.error("--tolerance needs --key, by which rows belong together")
    for setting in args.conf:
        if "=" not in setting:
            parser.error(f"--conf {setting}: write NAME=VALUE")
