"""Options of `migrate` for what is asked before anything is written."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from migrator.cli.numbers import seconds
from migrator.cli.proof_arguments import add_real_option

if TYPE_CHECKING:
    from migrator.run.gate import WriteCheck
    from migrator.verify.project_verdict import ProjectVerdict


def add_gate_options(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    group = parser.add_argument_group("before anything is written")
    group.add_argument(
        "--check-command",
        metavar="COMMAND",
        help="run the project's own checks, such as 'pytest -q', in a copy of PATH and in a "
        "migrated one; write nothing if more of them fail in the second",
    )
    group.add_argument(
        "--check-timeout",
        metavar="SECONDS",
        type=seconds,
        default=600.0,
        help="of each run of the checks (600)",
    )
    group.add_argument(
        "--verify",
        metavar="RECORDINGS",
        help="run the jobs that have recordings in this folder as they are and as they are "
        "migrated; a job that differs makes the exit code 1, and nothing is rewritten in place",
    )
    add_real_option(group)


def check_gate_options(parser: argparse.ArgumentParser, args: argparse.Namespace) -> None:
    """End the process with 2 if options contradict each other."""
    for name in ("check_command", "verify"):
        value = getattr(args, name)
        option = f"--{name.replace('_', '-')}"
        if value is not None and not value.strip():
            parser.error(f"{option} is empty")
        if value is not None and args.write_baseline is not None:
            parser.error(f"--write-baseline changes nothing else; leave out {option}")
    if args.real and args.verify is None:
        parser.error("--real has a meaning with --verify only")
    if not all(args.real):
        parser.error("--real is empty")


def gate_of(args: argparse.Namespace) -> WriteCheck | None:
    """Return what the options let a run ask before it writes; None if they ask for nothing."""
    if args.check_command is None and args.verify is None:
        return None
    from migrator.verify.gates import Checks, Gates, Verifications
    from migrator.verify.many import ProjectRequest

    def show(verdict: ProjectVerdict) -> None:
        from migrator.verify.project_text import show_summary

        # what is printed for programs is the report alone
        stream = sys.stdout if args.format == "text" and not args.diff else sys.stderr
        color = not (args.no_color or os.environ.get("NO_COLOR"))
        show_summary(verdict, stream, color=color)

    gates: list[WriteCheck] = []
    if args.check_command is not None:
        gates.append(Checks(args.check_command, args.check_timeout))
    if args.verify is not None:
        name = Path(os.path.abspath(args.paths[0])).stem
        asked = ProjectRequest(Path(f"verify-all-{name}"), real=tuple(args.real))
        gates.append(Verifications(Path(args.verify), asked, show))
    return Gates(gates)
