"""The command line of `migrate reconcile`."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from migrator.cli.numbers import seconds, size, tolerance

_DESCRIPTION = """\
Compares what two jobs have written while both ran: folders of batches as saveAsTextFiles writes
them, Parquet, JSON, tables over JDBC, or topics of Kafka. Rows are compared by batch, by key, or as
they are; Spark does the work. LEFT and RIGHT are paths, or one of text:PREFIX, parquet:PATH,
json:PATH, jdbc:URL#TABLE and kafka:BROKERS/TOPIC."""
_EPILOG = """\
exit codes: 0 equal, 1 different, 2 wrong use or not comparable, 130 interrupted
A file or folder called reconcile is migrated with: migrate ./reconcile"""


def reconcile_command(arguments: list[str]) -> Callable[[], int]:
    """Return the work that the command asks for.

    Parameters
    ----------
    arguments : list of str
        What follows its name. Ends the process on wrong ones.
    """
    parser = argparse.ArgumentParser(
        prog="migrate reconcile",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("left", metavar="LEFT", help="what the old job has written")
    parser.add_argument("right", metavar="RIGHT", help="what the new job has written")
    rows = parser.add_argument_group("which rows belong together")
    rows.add_argument(
        "--key",
        metavar="COLUMN",
        action="append",
        default=[],
        help="a column that names a row; may be given several times (whole rows are compared)",
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
    same.add_argument(
        "--ignore",
        metavar="COLUMN",
        action="append",
        default=[],
        help="a column that does not count; may be given several times",
    )
    spark = parser.add_argument_group("Spark")
    for side in ("left", "right"):
        spark.add_argument(
            f"--{side}-options",
            metavar="FILE",
            help="options of its reader, a line name=value for each, such as user and password",
        )
    spark.add_argument(
        "--conf",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="a setting of Spark, such as spark.jars.packages; may be given several times",
    )
    spark.add_argument(
        "--memory", metavar="SIZE", type=size, default=2**30, help="of its driver, such as 4g (1g)"
    )
    report = parser.add_argument_group("report")
    report.add_argument("--format", choices=("text", "json"), default="text")
    report.add_argument("--no-color", action="store_true", help="no colours (also: NO_COLOR=1)")
    args = parser.parse_args(arguments)
    _check(parser, args)

    def work() -> int:
        from migrator.cli.reconcile import reconcile

        return reconcile(args)

    return work


def _check(parser: argparse.ArgumentParser, args: argparse.Namespace) -> None:
    for option, value in vars(args).items():
        if value == "" or (isinstance(value, list) and "" in value):
            parser.error(f"--{option.replace('_', '-')} is empty")
    if (args.time is None) != (args.interval is None):
        parser.error("--time and --interval belong together: both give a row its batch")
    if args.tolerance and not args.key:
        parser.error("--tolerance needs --key, by which rows belong together")
    for setting in args.conf:
        if "=" not in setting:
            parser.error(f"--conf {setting}: write NAME=VALUE")
