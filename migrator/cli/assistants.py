"""`migrate mcp`: serves the tools of `migrate` to an assistant."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from migrator.cli.numbers import seconds, size
from migrator.errors import MigrateError

DESCRIPTION = """\
Serves `migrate` as tools to an assistant, by the Model Context Protocol on standard input and
output: scan, explain, preview, remains, checkpoint_show, record, verify and verify_wait. The
assistant starts it; docs/assistants.md has how. Nothing outside of FOLDER is read or written,
except by the code of jobs, which only verify runs."""
_INSTALL = "pip install 'dstream-compat[mcp]'"


def add_mcp_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `migrate mcp`."""
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
    parser.add_argument(
        "--real",
        metavar="CLIENT",
        action="append",
        default=[],
        help="let verify run jobs that use a client themselves, such as sqlite3, if the assistant "
        "asks for it; may be given several times (none)",
    )


def mcp_command(args: argparse.Namespace) -> Callable[[], int]:
    """Return the work that serves the tools, as the options say."""

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
