"""The command line: run an unchanged job, directly or through spark-submit."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

_EPILOG = """\
run     runs job.py as `python job.py args...` would: its __main__, its sys.argv, its exit code
submit  runs it through spark-submit, whose options come before job.py
archive runs a small job and keeps the classes that Spark loads for it: later jobs start in two
        thirds of the time (once for each Spark and Java; 150 MiB below ~/.cache)
jars    fetches the jars that jobs on Kafka need: later jobs start without asking Maven Central
checkpoint
        shows what is in a checkpoint of Spark's own DStreams; changes the number of state
        partitions in a checkpoint of this package

examples:
  python -m dstream_compat run wordcount.py localhost 9999
  python -m dstream_compat submit --master 'local[4]' wordcount.py localhost 9999
"""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="dstream-compat",
        description="Run a job written for pyspark.streaming over Structured Streaming, unchanged.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="store_true", help="print the version and exit")
    commands = parser.add_subparsers(dest="command", metavar="{run,submit,archive,jars,checkpoint}")
    run = commands.add_parser("run", add_help=False)
    run.add_argument("rest", nargs=argparse.REMAINDER)
    commands.add_parser("archive")
    commands.add_parser("jars", add_help=False)
    commands.add_parser("checkpoint", add_help=False)
    submit = commands.add_parser("submit", add_help=False)
    submit.add_argument("rest", nargs=argparse.REMAINDER)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code (2 for wrong usage).

    Parameters
    ----------
    argv : sequence of str, optional
        arguments without the program's name; ``sys.argv[1:]`` if None
    """
    args = list(sys.argv[1:] if argv is None else argv)
    parser = _parser()
    if args[:1] == ["run"] or args[:1] == ["submit"]:
        command, rest = args[0], args[1:]
        if not rest or rest == ["--help"] or rest == ["-h"]:
            parser.print_help(sys.stdout if rest else sys.stderr)
            return 0 if rest else 2
        if command == "submit":
            from .cli.submit import submit

            return submit(rest)
        from .cli.run import run_script

        if rest[0].startswith("-"):
            parser.error(f"run takes no options: give the path of the job instead of {rest[0]}")
        return run_script(rest[0], rest[1:])
    if args[:1] == ["checkpoint"]:
        from .cli.checkpoint import checkpoint_command

        return checkpoint_command(args[1:])
    if args[:1] == ["jars"]:
        from .cli.jars import jars_command

        return jars_command(args[1:])
    options = parser.parse_args(args)
    if options.command == "archive":
        from .cli.archive import write_archive

        return write_archive()
    if options.version:
        from . import __version__

        print(__version__)
        return 0
    parser.print_help(sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
