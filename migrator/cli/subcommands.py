"""The command lines of the subcommands."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from migrator.cli.assistants import DESCRIPTION, add_mcp_options, mcp_command
from migrator.cli.fleet import report_command
from migrator.cli.proof_arguments import COMMANDS, proof_command
from migrator.cli.reconcile_arguments import reconcile_command

_EXPLAIN = """\
Prints the documentation of a rule: what it finds, why it matters, code before and after, and what
a person has to do."""
_RULES = """\
Lists all rules: code, severity, minutes that a finding usually takes, and what is found. The code
of a fix that is applied is marked with *."""
_UNDO = """\
Puts the files back that the last run with --in-place over PATH rewrote, with their modes and times;
the run before it is then the last one. Nothing is changed if one of the files was edited since."""
_DESCRIPTIONS = {"explain": _EXPLAIN, "rules": _RULES, "undo": _UNDO, "mcp": DESCRIPTION}


def subcommand(arguments: list[str]) -> Callable[[], int]:
    """Return the work that a subcommand asks for.

    Parameters
    ----------
    arguments : list of str
        The name of the subcommand first. Ends the process on wrong ones.
    """
    name, *rest = arguments
    if name == "reconcile":
        return reconcile_command(rest)
    if name in COMMANDS:
        return proof_command(name, rest)
    if name == "report":
        return report_command(rest)
    parser = argparse.ArgumentParser(
        prog=f"migrate {name}",
        description=_DESCRIPTIONS[name],
        epilog=f"A file or folder called {name} is migrated with: migrate ./{name}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    if name == "undo":
        return _undo(parser, rest)
    if name == "mcp":
        add_mcp_options(parser)
        return mcp_command(parser.parse_args(rest))
    parser.add_argument("--no-color", action="store_true", help="no colours (also: NO_COLOR=1)")
    if name == "explain":
        parser.add_argument(
            "code", metavar="CODE", help="the code or name of a rule, or several", nargs="+"
        )
        args = parser.parse_args(rest)
        codes, color = args.code, not args.no_color

        def explain_them() -> int:
            from migrator.cli.rule_pages import explain

            return explain(codes, color=color)

        return explain_them
    parser.add_argument("--format", choices=("text", "json"), default="text")
    args = parser.parse_args(rest)
    form, color = args.format, not args.no_color

    def list_them() -> int:
        from migrator.cli.rule_pages import list_rules

        return list_rules(form, color=color)

    return list_them


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

    def undo_it() -> int:
        from migrator.cli.undo import list_runs, undo_run

        return list_runs(args.path) if args.list else undo_run(args.path, force=args.force)

    return undo_it
